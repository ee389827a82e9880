// node-admin: whether a node's admin interface answers, from which levels on it logs, what it calls the tracked chains.
// admin.getLoggerLevel, admin.getChainAliases (document 2, Admin interface): they change nothing.

import type { Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { blockchainIds, PRIMARY_NETWORK_ID, primaryChains } from '../../lib/primary-network.ts'
import { gauge, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getChainAliases } from '../../operations/node/admin.getChainAliases.ts'
import { getLoggerLevel } from '../../operations/node/admin.getLoggerLevel.ts'
import { boundedKey } from '../answers/bounded.ts'
import { defineCollector, type Part } from '../define.ts'

const reachable = gauge({
  name: 'stakewatch_node_admin_api_reachable',
  help: 'Whether the admin interface of the node `source` answers: 1, or 0 when the node says that it does not serve it or refuses; unknown while the node does not answer (admin.getLoggerLevel).',
  of: 'network',
  opinion: true,
})
const loggerLevel = gauge({
  name: 'stakewatch_node_logger_level',
  help: 'From which level on the logger of the node `source` writes to its file (log) and to the console (display): 1 for the current one (admin.getLoggerLevel).',
  of: 'network',
  opinion: true,
  labels: ['logger', 'output', 'level'],
})
const aliasInfo = gauge({
  name: 'stakewatch_chain_alias_info',
  help: 'A name that the tracked chain has on the node `source`, beside its id (admin.getChainAliases). Always 1.',
  of: 'chain',
  opinion: true,
  labels: ['alias'],
})

/** What usual nodes have: an estimate. */
const USUAL = { loggers: 8, aliases: 2 }

/** Whether the interface answers is the question: it is asked at every run. */
const PROBE = { maxAge: '0s' }

export const nodeAdmin = defineCollector({
  name: 'node-admin',
  about: 'Whether the admin interfaces of nodes answer, levels of their loggers, their names for the tracked chains.',
  every: '5m',
  uses: [getLoggerLevel, getChainAliases],
  observer: 'each',
  isObserver: ({ admin }) => admin !== 'off',
  metrics: [reachable, loggerLevel, aliasInfo],
  subjects: (network) => [{ name: 'all', labels: {}, chains: chainsWithIds(network) }],
  estimate: ({ chains }) => ({
    calls: [
      { operation: getLoggerLevel, times: 1 },
      { operation: getChainAliases, times: chains.length },
    ],
    series: 1 + 2 * USUAL.loggers + USUAL.aliases * chains.length,
  }),
  async collect({ subject: { chains }, call, attempt }) {
    const asked = call(getLoggerLevel, {}, PROBE)
    if (!(await asked.then(() => true, isAnswered))) return { samples: [reachable.sample({}, 0)] }
    const levels = await attempt(() => asked)
    const parts: Part[] = [
      { name: 'loggers', of: [levels], samples: levelSamples(levels.value?.value.loggerLevels ?? {}) },
    ]
    for (const { id, name } of chains) {
      const answer = await attempt((ask) => ask.call(getChainAliases, { chain: id }))
      const aliases = answer.value?.value.aliases.filter((alias) => alias !== id) ?? []
      parts.push({ name: `aliases of ${name}`, of: [answer], samples: aliasSamples(name, aliases) })
    }
    return { samples: [reachable.sample({}, 1)], parts }
  },
})

/** Nodes take no alias for a chain here. The data service's are known by the network, if it is a public one. */
function chainsWithIds({ chains, name: network, data_api }: Network): { id: string; name: string }[] {
  return chains.flatMap(({ id, name }) => {
    const chain = id.endsWith('-chain') ? primaryChains[id] : undefined
    if (!chain) return [{ id, name }]
    const known = chain === 'P' ? PRIMARY_NETWORK_ID : blockchainIds[data_api?.network ?? network]?.[chain]
    return known === undefined ? [] : [{ id: known, name }]
  })
}

/** By the error of a call: an interface that is there may not know an answer. Of a node that is silent nobody can tell. */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof BaseError)) throw error
  if (error.code === 'rpc_error' || error.details?.includes("can't find method")) return true
  if (error.code === 'unsupported' || /^HTTP 40[13]$/.test(error.message)) return false
  throw error
}

const LEVELS = ['off', 'fatal', 'error', 'warn', 'info', 'trace', 'debug', 'verbo']

/** Loggers beyond the bound share a name: one series for each level that any of them has. */
function levelSamples(loggers: AnswerOf<typeof getLoggerLevel>['loggerLevels']): Sample[] {
  const names: Record<string, true> = {}
  const samples = new Map<string, Sample>()
  for (const [name, { logLevel: log, displayLevel: display }] of Object.entries(loggers).toSorted(byName)) {
    const logger = boundedKey(names, name)
    names[logger] = true
    for (const [output, said] of Object.entries({ log, display })) {
      const level = LEVELS.find((one) => one === said?.toLowerCase()) ?? 'other'
      if (said !== undefined)
        samples.set([logger, output, level].join(' '), loggerLevel.sample({ logger, output, level }, 1))
    }
  }
  return [...samples.values()]
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function aliasSamples(chain: string, aliases: readonly string[]): Sample[] {
  const names: Record<string, true> = {}
  for (const alias of aliases.toSorted()) names[boundedKey(names, alias)] = true
  return Object.keys(names).map((alias) => aliasInfo.sample({ chain, alias }, 1))
}
