// node-state: whether each node runs, bootstraps or does not answer, since when, and how often it has started.
// info.isBootstrapped, health.health (the node's own interfaces info and health).

import { z } from 'zod'
import { BaseError, type ErrorCode } from '../../errors.ts'
import { judgeRestart, type Life, roundOf, type Sight } from '../../judgements/restarts.ts'
import { ofNode, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { health, isBootstrapped } from '../../operations/node/info.ts'
import { ifNotFound, isUnsupported } from '../answers/not-found.ts'
import { countType, momentType } from '../counting/remembered.ts'
import { type Ask, defineCollector } from '../define.ts'

const STATES = ['starting', 'bootstrapping', 'running', 'not_answering'] as const
type State = (typeof STATES)[number]

const state = ofNode.stateSet('stakewatch_node_state', {
  help: 'State of the node: 1 for the current one (info.isBootstrapped).',
  details:
    '`starting`: it has no P-Chain yet; `bootstrapping`: P, X or C are not done; `running`: they are; `not_answering`: it does not answer.',
  states: STATES,
})
const stateSince = ofNode.gauge('stakewatch_node_state_since_timestamp_seconds', {
  is: 'past',
  help: 'Since when the node is in its state (info.isBootstrapped, health.health).',
  details: "As stakewatch saw it, or as the node's health check `bootstrapped` says.",
})
const restarts = ofNode.counter('stakewatch_node_restarts_total', {
  help: 'Restarts of the node that stakewatch saw (info.isBootstrapped, health.health).',
  details:
    'Counted when its P-Chain bootstraps again, when its machine refused a connection and its health checks do not show that it lived on, or when they have come at another moment of the second three times; several restarts between two runs are one.',
})
const bootstrapped = ofNode.gauge('stakewatch_node_bootstrapped', {
  help: "Whether the node's P-, X- or C-Chain is bootstrapped: 1 or 0; absent for a chain that it does not run (info.isBootstrapped).",
  labels: ['blockchain'],
})

const CHAINS = ['P', 'X', 'C'] as const

const beatType = z.number().min(0).lt(1_000)
const lifeType: z.ZodType<Life> = z.object({
  nodeId: z.string().optional(),
  isReady: z.boolean(),
  beat: beatType.optional(),
  sights: countType,
  at: momentType.optional(),
  steady: beatType.optional(),
})

const memory = z.object({
  state: z.enum(STATES),
  since: momentType,
  restarts: countType,
  /** Undefined before the first answer. */
  life: lifeType.optional(),
  /** When the machine last began to refuse connections, and whether that was after the last answer that was judged. */
  refusedAt: momentType.optional(),
  isRefused: z.boolean(),
})
type Memory = z.output<typeof memory>

type Chains = Map<string, boolean>
type Checks = AnswerOf<typeof health>['checks']
type Call = Ask<typeof isBootstrapped | typeof health>['call']

const silences = new Set<ErrorCode>(['network', 'timeout', 'http_status', 'bad_response', 'too_large', 'circuit_open'])

export const nodeState = defineCollector({
  name: 'node-state',
  about: 'Whether each node runs, bootstraps or does not answer, since when, and how often it has started.',
  every: '1m',
  uses: [isBootstrapped, health],
  observer: 'each',
  isEssential: true,
  metrics: [state, stateSince, restarts, bootstrapped],
  memory,
  subjects: () => [{ name: 'all', labels: {} }],
  estimate: () => ({
    calls: [{ operation: isBootstrapped, times: CHAINS.length }, health],
    series: STATES.length + 2 + CHAINS.length,
  }),
  async collect({ memory: before, now, call, flawed, refusedAt }) {
    const refused = refusedAt() ?? before?.refusedAt
    const wasAway = before?.state === 'not_answering' || before?.isRefused || refused !== before?.refusedAt
    let seen: Seen
    try {
      const { chains, nodeId } = await chainsOf(call)
      seen = observe(chains, nodeId, await checksOf(call, nodeId, wasAway ? {} : { maxAge: '30s' }), now)
    } catch (error) {
      if (!isSilence(error)) throw error
      flawed(error)
      seen = { state: 'not_answering', since: now, chains: new Map() }
    }
    const memory = after(before, seen, refused)
    const caughtUp = [...seen.chains].map(([blockchain, isDone]) => bootstrapped.sample({ blockchain }, isDone))
    return { samples: [...samplesOf(memory), ...caughtUp], memory }
  },
})

function isSilence(error: unknown): error is BaseError {
  return error instanceof BaseError && silences.has(error.code)
}

/** Whether each primary network chain of the node is bootstrapped, and which node says so. */
async function chainsOf(call: Call): Promise<{ chains: Chains; nodeId: string | undefined }> {
  const chains: Chains = new Map()
  let nodeId: string | undefined
  for (const chain of CHAINS) {
    const answer = await call(isBootstrapped, { chain }).catch(ifNotFound)
    if (!answer) continue
    chains.set(chain, answer.value.isBootstrapped)
    nodeId ??= answer.nodeId
  }
  return { chains, nodeId }
}

/**
 * Empty if the health page is closed: then a quick restart may go unseen, but the state does not. Undefined: unknown. After an
 * outage the answer has to be a new one, as an older one is of the process before.
 */
async function checksOf(call: Call, nodeId: string | undefined, how: { maxAge?: string }): Promise<Checks | undefined> {
  const answer = await call(health, {}, how).catch((error: unknown) => {
    if (isUnsupported(error)) return CLOSED
    if (!isSilence(error)) throw error
    return undefined
  })
  // Behind a load balancer another node may have answered.
  return answer && (answer.nodeId ?? nodeId) === (nodeId ?? answer.nodeId) ? answer.value.checks : undefined
}

const CLOSED = { value: { checks: {} }, nodeId: undefined }

interface Seen {
  state: State
  since: number
  chains: Chains
  /** Undefined if the node did not answer. */
  sight?: Omit<Sight, 'refusedAt'> & { areChecksKnown: boolean }
}

function observe(chains: Chains, nodeId: string | undefined, checks: Checks | undefined, now: number): Seen {
  const isNew = ['bootstrapped', 'P'].some((name) => checks?.[name] && checks[name].timestamp === undefined)
  const isReady = chains.get('P') !== true ? false : checks && !isNew
  const round = roundOf(Object.values(checks ?? {}).filter((check) => check !== undefined))
  const seen = { chains, since: now, sight: { nodeId, isReady, round, areChecksKnown: checks !== undefined } }
  if (!chains.has('P')) return { ...seen, state: 'starting' }
  if ([...chains.values()].every(Boolean)) return { ...seen, state: 'running' }
  const first = checks?.['bootstrapped']?.timeOfFirstFailure
  const since = first === undefined || first < 0 ? now : Math.min(now, first * 1_000)
  return { ...seen, state: 'bootstrapping', since }
}

function after(before: Memory | undefined, { state, since, sight }: Seen, refusedAt: number | undefined): Memory {
  const isRefused = before?.isRefused === true || refusedAt !== before?.refusedAt
  // The checks may show that the process has lived on: until they are known, the refusal waits.
  const isJudged = sight?.areChecksKnown === true
  const { life = before?.life, hasRestarted = false } = sight
    ? judgeRestart(before?.life, { ...sight, refusedAt: isRefused && isJudged ? refusedAt : undefined })
    : {}
  const isSame = before?.state === state && !hasRestarted
  return {
    state,
    since: isSame ? Math.min(before.since, since) : since,
    restarts: (before?.restarts ?? 0) + (hasRestarted ? 1 : 0),
    life,
    refusedAt,
    isRefused: isRefused && !isJudged && !hasRestarted,
  }
}

function samplesOf({ state: current, since, restarts: count }: Memory): Sample[] {
  return [state.sample({}, current), stateSince.sample({}, since / 1_000), restarts.sample({}, count)]
}
