// node-admin: whether a node's admin interface answers, the levels of its loggers, and its names for the tracked chains.
// admin.getLoggerLevel and admin.getChainAliases (document 2, Admin interface) change nothing. The ids of the X- and the
// C-Chain differ from network to network: platform.getBlockchains lists them (P-Chain interface).

import type { Network } from '../../config/schema.ts'
import { toBaseError, BaseError } from '../../errors.ts'
import { blockchainIds, PRIMARY_NETWORK_ID, primaryChains } from '../../lib/primary-network.ts'
import { ofNode, opinionOfChain, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getChainAliases } from '../../operations/node/admin.getChainAliases.ts'
import { getLoggerLevel } from '../../operations/node/admin.getLoggerLevel.ts'
import { getBlockchains } from '../../operations/node/platform.getBlockchains.ts'
import { isAlias, lookUp, notListed } from '../answers/blockchain-list.ts'
import { boundedKey, knownSpelling } from '../answers/spelling.ts'
import { type Ask, defineCollector, type Part } from '../define.ts'

const reachable = ofNode.gauge('stakewatch_node_admin_api_reachable', {
  help: "Whether the node's admin API answers: 1 or 0; absent while the node does not answer (admin.getLoggerLevel).",
  details: '0: the node says that it does not serve the API, or refuses.',
})
const loggerLevel = ofNode.gauge('stakewatch_node_logger_level', {
  help: "Lowest level that the node's logger writes to its file (log) or console (display): 1 for the current one (admin.getLoggerLevel).",
  labels: ['logger', 'output', 'level'],
})
const aliasInfo = opinionOfChain.gauge('stakewatch_chain_alias_info', {
  help: 'Alias of the tracked chain on the node, always 1 (admin.getChainAliases).',
  labels: ['alias'],
})

/** Usual numbers for a node: an estimate. */
const USUAL = { loggers: 8, aliases: 2 }
/** Runs share one list of blockchains, which is requested once an hour. */
const RUNS_PER_LIST = 12

/** Whether the API answers is the question, so it is asked at every run. */
const PROBE = { maxAge: '0s' }

export const nodeAdmin = defineCollector({
  name: 'node-admin',
  about: "Whether nodes' admin APIs answer, their log levels, and their aliases of the tracked chains.",
  every: '5m',
  uses: [getLoggerLevel, getChainAliases, getBlockchains],
  observer: 'each',
  isObserver: ({ admin }) => admin !== 'off',
  metrics: [reachable, loggerLevel, aliasInfo],
  subjects: (network) => [{ name: 'all', labels: {}, chains: chainsOf(network) }],
  estimate: ({ chains }) => ({
    calls: [
      getLoggerLevel,
      { operation: getChainAliases, times: chains.length },
      { operation: getBlockchains, times: chains.some(({ id }) => isAlias(id)) ? 1 / RUNS_PER_LIST : 0 },
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
    for (const chain of chains) {
      const answer = await attempt((ask) => aliasesOf(chain, ask))
      parts.push({
        name: `aliases of ${chain.name}`,
        of: [answer],
        samples: aliasSamples(chain.name, answer.value ?? []),
      })
    }
    return { samples: [reachable.sample({}, 1)], parts }
  },
})

/** Asks by id where the network is known by name, else by alias, such as c-chain. */
interface Chain {
  id: string
  name: string
}

function chainsOf({ chains, name: network, data_api }: Network): Chain[] {
  return chains.map(({ id, name }) => {
    const chain = isAlias(id) ? primaryChains[id] : undefined
    if (!chain) return { id, name }
    const known = chain === 'P' ? PRIMARY_NETWORK_ID : blockchainIds[data_api?.network ?? network]?.[chain]
    return { id: known ?? id, name }
  })
}

/** The chain's aliases, without its id. A failure names the chain, which the node's own error does not. */
async function aliasesOf(chain: Chain, ask: Ask<typeof getBlockchains | typeof getChainAliases>): Promise<string[]> {
  try {
    const id = isAlias(chain.id) ? await listedId(chain.id, ask) : chain.id
    const { value } = await ask.call(getChainAliases, { chain: id })
    return value.aliases.filter((alias) => alias !== id)
  } catch (thrown) {
    const error = toBaseError(thrown)
    throw new BaseError(error.code, `aliases of ${chain.name}: ${error.message}`, { details: error.details })
  }
}

async function listedId(alias: string, { call }: Ask<typeof getBlockchains>): Promise<string> {
  const { list, record } = await lookUp(call, alias)
  if (!record) throw notListed(list)
  return record.id
}

/** From the error of a call: an API that is on may lack an answer. A silent node proves nothing. */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof BaseError)) throw error
  if (error.code === 'rpc_error' || error.details?.includes("can't find method")) return true
  if (error.code === 'unsupported' || /^HTTP 40[13]$/.test(error.message)) return false
  throw error
}

const LEVELS = ['off', 'fatal', 'error', 'warn', 'info', 'trace', 'debug', 'verbo']

/** Loggers beyond the bound share the name `other`, with one series for each level that any of them has. */
function levelSamples(loggers: AnswerOf<typeof getLoggerLevel>['loggerLevels']): Sample[] {
  const names: Record<string, true> = {}
  const samples = new Map<string, Sample>()
  const byName = Object.entries(loggers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, { logLevel: log, displayLevel: display }] of byName) {
    const logger = boundedKey(names, name)
    names[logger] = true
    for (const [output, said] of Object.entries({ log, display })) {
      const level = knownSpelling(LEVELS, said) ?? 'other'
      if (said !== undefined)
        samples.set([logger, output, level].join(' '), loggerLevel.sample({ logger, output, level }, 1))
    }
  }
  return [...samples.values()]
}

function aliasSamples(chain: string, aliases: readonly string[]): Sample[] {
  const names: Record<string, true> = {}
  for (const alias of aliases.toSorted()) names[boundedKey(names, alias)] = true
  return Object.keys(names).map((alias) => aliasInfo.sample({ chain, alias }, 1))
}
