// The admin interface of a node, which alone changes it. A node serves it only where it runs with `--api-admin-enabled=true`.

import { z } from 'zod'
import { listOf, optional, orNone, word } from '../fields.ts'
import { defineMethod } from './method.ts'

const loggerName = z.string().min(1).optional().describe('default: all loggers')

const loggerLevels = z.record(
  z.string(),
  z.object({
    logLevel: orNone(z.string()).describe('from which on it writes to its file'),
    displayLevel: orNone(z.string()).describe('from which on it writes to the console'),
  }),
)

/** Methods of the profiler take nothing, give nothing, and write files on the node. */
const profiling = {
  effect: 'change',
  answer: z.object({}),
} as const

/** Gives an endpoint of the node a second address. The endpoint keeps its own address. Other nodes do not learn the alias. */
export const alias = defineMethod({
  name: 'admin.alias',
  effect: 'change',
  params: z.object({
    endpoint: z.string().min(1).describe('the part after /ext/ in its address'),
    alias: z
      .string()
      .min(1)
      .max(512, 'expected at most 512 characters')
      .describe('another name for that part; at most 512 characters'),
  }),
  answer: z.object({}),
})

/**
 * Gives a blockchain a second name on the node. The alias can be used wherever the node takes the blockchain id. Other nodes
 * do not learn it.
 */
export const aliasChain = defineMethod({
  name: 'admin.aliasChain',
  effect: 'change',
  params: z.object({
    chain: z.string().min(1).describe('blockchain id'),
    alias: z
      .string()
      .min(1)
      .max(512, 'expected at most 512 characters')
      .describe('its second name; at most 512 characters'),
  }),
  answer: z.object({}),
})

/**
 * The names that a blockchain has on the node. Live nodes count the id itself among the aliases, and give null for a
 * blockchain that they do not know.
 */
export const getChainAliases = defineMethod({
  name: 'admin.getChainAliases',
  params: z.object({ chain: z.string().min(1).describe('blockchain id; live nodes take no alias here') }),
  answer: z.object({ aliases: listOf(word) }),
})

/** From which level on loggers write. */
export const getLoggerLevel = defineMethod({
  name: 'admin.getLoggerLevel',
  params: z.object({ loggerName }),
  answer: z.object({ loggerLevels }),
})

/**
 * Makes the node load the plugins of virtual machines that were installed since it started. A plugin that fails to load does
 * not make the call fail.
 */
export const loadVMs = defineMethod({
  name: 'admin.loadVMs',
  effect: 'change',
  answer: z.object({
    newVMs: z.record(z.string(), z.array(z.string())).describe('aliases by the id of the virtual machine'),
    failedVMs: optional(z.record(z.string(), z.string())).describe('why, by id; absent when none failed'),
  }),
})

/** Makes the node write statistics about its locks. Goes to the file lock.profile. */
export const lockProfile = defineMethod({ name: 'admin.lockProfile', ...profiling })

/** Makes the node write what its memory holds. Goes to the file mem.profile. */
export const memoryProfile = defineMethod({ name: 'admin.memoryProfile', ...profiling })

const level = z.string().min(1).optional()

/**
 * Makes loggers of the node write more or less. The document's answer is empty; live nodes give the levels of the loggers that
 * they changed.
 */
export const setLoggerLevel = defineMethod({
  name: 'admin.setLoggerLevel',
  effect: 'change',
  params: z
    .object({
      loggerName,
      logLevel: level.describe('from which on it writes to its file'),
      displayLevel: level.describe('from which on it writes to the console'),
    })
    .refine(({ logLevel, displayLevel }) => logLevel !== undefined || displayLevel !== undefined, {
      message: 'one of logLevel and displayLevel is required',
    }),
  answer: z.object({ loggerLevels: optional(loggerLevels) }),
})

/** Makes the node measure where its processor time goes. It measures until admin.stopCPUProfiler. */
export const startCPUProfiler = defineMethod({ name: 'admin.startCPUProfiler', ...profiling })

/** Ends the profile that admin.startCPUProfiler began. Goes to the file cpu.profile. */
export const stopCPUProfiler = defineMethod({ name: 'admin.stopCPUProfiler', ...profiling })
