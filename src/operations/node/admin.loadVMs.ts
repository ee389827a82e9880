// admin.loadVMs: makes the node load the plugins of virtual machines that were installed since it started.

import { z } from 'zod'
import { optional } from '../fields.ts'
import { defineMethod } from './method.ts'

/** A plugin that fails to load does not make the call fail. */
export const loadVMs = defineMethod({
  name: 'admin.loadVMs',
  effect: 'change',
  answer: z.object({
    newVMs: z.record(z.string(), z.array(z.string())).describe('aliases by the id of the virtual machine'),
    failedVMs: optional(z.record(z.string(), z.string())).describe('why, by id; absent when none failed'),
  }),
})
