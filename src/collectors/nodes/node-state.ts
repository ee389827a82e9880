// node-state: whether each node runs, bootstraps or does not answer, since when, and how often it has started.
// info.isBootstrapped, health.health (the node's own interfaces info and health).

import { z } from 'zod'
import { BaseError, type ErrorCode } from '../../errors.ts'
import { ofNode, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { health } from '../../operations/node/health.health.ts'
import { isBootstrapped } from '../../operations/node/info.isBootstrapped.ts'
import { ifNotFound, isUnsupported, undefinedIf } from '../answers/not-found.ts'
import { countType, momentType } from '../counting/remembered.ts'
import { defineCollector, type Run } from '../define.ts'

const STATES = ['starting', 'bootstrapping', 'running', 'not_answering'] as const
type State = (typeof STATES)[number]

const state = ofNode.stateSet('stakewatch_node_state', {
  help: 'State of the node: 1 for the current one (info.isBootstrapped).',
  details:
    '`starting`: it has no P-Chain yet; `bootstrapping`: P, X or C are not done; `running`: they are; `not_answering`: it does not answer.',
  states: STATES,
})
const stateSince = ofNode.gauge('stakewatch_node_state_since_timestamp_seconds', {
  help: 'Since when the node is in its state (info.isBootstrapped, health.health).',
  details: "As stakewatch saw it, or as the node's health check `bootstrapped` says.",
})
const restarts = ofNode.counter('stakewatch_node_restarts_total', {
  help: 'Restarts of the node that stakewatch saw (info.isBootstrapped, health.health).',
  details: 'Counted when the P-Chain was bootstrapped and then is not.',
})
const bootstrapped = ofNode.gauge('stakewatch_node_bootstrapped', {
  help: "Whether the node's P-, X- or C-Chain is bootstrapped: 1 or 0; absent for a chain that it does not run (info.isBootstrapped).",
  labels: ['blockchain'],
})

const CHAINS = ['P', 'X', 'C'] as const

const memory = z.object({
  state: z.enum(STATES),
  since: momentType,
  /** It was running at its last answer. */
  isReady: z.boolean(),
  restarts: countType,
})
type Memory = z.output<typeof memory>

type Chains = Map<string, boolean>
type Checks = AnswerOf<typeof health>['checks']
type Call = Run<typeof isBootstrapped | typeof health, never, never>['call']

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
  async collect({ memory: before, now, call, flawed }) {
    let chains: Chains
    try {
      chains = await chainsOf(call)
    } catch (error) {
      if (!isSilence(error)) throw error
      flawed(error)
      const memory = after(before, { state: 'not_answering', since: now })
      return { samples: samplesOf(memory), memory }
    }
    const checks = await checksOf(call)
    const memory = after(before, observe(chains, checks, now))
    const caughtUp = [...chains].map(([blockchain, isDone]) => bootstrapped.sample({ blockchain }, isDone))
    return { samples: [...samplesOf(memory), ...caughtUp], memory }
  },
})

function isSilence(error: unknown): error is BaseError {
  return error instanceof BaseError && silences.has(error.code)
}

/** Whether each primary network chain of the node is bootstrapped. */
async function chainsOf(call: Call): Promise<Chains> {
  const chains: Chains = new Map()
  for (const chain of CHAINS) {
    const answer = await call(isBootstrapped, { chain }).catch(ifNotFound)
    if (answer) chains.set(chain, answer.value.isBootstrapped)
  }
  return chains
}

/** Empty if the health page is closed or does not answer: then a quick restart goes unseen, but the state does not. */
async function checksOf(call: Call): Promise<Checks> {
  const asked = call(health, {}, { maxAge: '30s' })
  return (await asked.catch(undefinedIf(isSilence, isUnsupported)))?.value.checks ?? {}
}

interface Seen {
  state: State
  since: number
  /** Whether the P-Chain is bootstrapped and its checks have run, which takes a while after each start. Undefined: unknown. */
  isReady?: boolean
}

function observe(chains: Chains, checks: Checks, now: number): Seen {
  const isNew = ['bootstrapped', 'P'].some((name) => checks[name] && checks[name].timestamp === undefined)
  const isReady = chains.get('P') === true && !isNew
  if (!chains.has('P')) return { state: 'starting', since: now, isReady }
  if ([...chains.values()].every(Boolean)) return { state: 'running', since: now, isReady }
  const first = checks['bootstrapped']?.timeOfFirstFailure
  const since = first === undefined || first < 0 ? now : Math.min(now, first * 1_000)
  return { state: 'bootstrapping', since, isReady }
}

function after(before: Memory | undefined, { state, since, isReady }: Seen): Memory {
  const wasReady = before?.isReady ?? false
  return {
    state,
    since: before?.state === state ? Math.min(before.since, since) : since,
    isReady: isReady ?? wasReady,
    restarts: (before?.restarts ?? 0) + (wasReady && isReady === false ? 1 : 0),
  }
}

function samplesOf({ state: current, since, restarts: count }: Memory): Sample[] {
  return [state.sample({}, current), stateSince.sample({}, since / 1_000), restarts.sample({}, count)]
}
