// The accounts of a plan: one for each node, and one for each kind, origin and key of a service. Without a configured budget
// an account holds what the plan costs and a little more. Where an upstream allows less than the plan needs, tasks run less
// often, the least important first.

import { createHash } from 'node:crypto'
import { type Clock, NEVER } from '../lib/clock.ts'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import { type Permission, permissionSamples } from '../metrics/request-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change } from '../metrics/publication.ts'
import { type Account, createAccount, type Limits } from './account.ts'
import { type Pass, type Rank, ranks } from '../upstream/payment.ts'
import type { Circuits } from '../upstream/circuit.ts'
import { type Source, sourceKey } from '../upstream/source.ts'
import { createSpending, type Spending } from './spending.ts'
import { ALLOWANCE, costOf, sharesOf, type UpstreamCost } from './cost.ts'
import type { Task } from '../scheduler/plan.ts'
import type { Runner } from '../scheduler/run.ts'

export interface Accounts {
  /**
   * Replaces the tasks. An upstream with the same key as before keeps its account, with all that it has learned; one with
   * another key starts over, except for what was spent.
   */
  replan(tasks: readonly Task[]): void
  of(source: Source): Account
  /** Resolves when the run may begin; `end` must be called after it. */
  begin(task: Task, signal: AbortSignal): Promise<Pass>
  /** `isComplete`: the run got all it asked for, so its cost predicts that of the next one. */
  end(task: Task, pass: Pass, isComplete: boolean): void
  /** The task with its intervals stretched to what its upstreams allow now. */
  stretched(task: Task): Task
  /** Publications since the last call. */
  changes(): Change[]
}

export interface AccountsOptions {
  tasks: readonly Task[]
  clock: Clock
  circuits: Pick<Circuits, 'isOpen'>
  log: Logger
  /** Keeps what was spent across restarts. */
  store?: Records | undefined
}

/** A run that finds no room begins after this time anyway, and says why it fails (milliseconds). */
const LONGEST_WAIT = 5 * 60_000
/** Largest factor by which an interval may grow. */
const MOST_STRETCHED = 16
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Milliseconds between two reviews of what tasks need. */
const REVIEW = 5_000
/** Part of the allowance for tasks that are not essential: they go on, though slowly. */
const FOR_OTHERS = 0.1
/** Weight of the last run's cost in the estimate of the next one. */
const LEARNED = 0.5

interface Owned {
  account: Account
  spending: Spending
  /** Services are metered: what was spent on one still counts when it is configured again. */
  isService: boolean
  /** By task key, with the units of a run. */
  needs: Map<string, { task: Task; units: number }>
  review: Review
}

interface Review {
  /** How much longer the intervals of each rank are. */
  stretch: Record<Rank, number>
  /** Units that are kept for reserved runs: of one round of them, and of a day. */
  reserve: { round: number; day: number }
  at: number
}

const rankOf = ({ isReserved, isEssential }: Task['collector']): Rank =>
  isReserved ? 'reserved' : isEssential ? 'essential' : 'other'

const noReview = (): Review => ({
  stretch: { reserved: 1, essential: 1, other: 1 },
  reserve: { round: 0, day: 0 },
  at: -Infinity,
})

interface State extends AccountsOptions {
  /** By key. */
  owned: Map<string, Owned>
  /** By key of the account. */
  costs: ReadonlyMap<string, readonly UpstreamCost[]>
  sources: ReturnType<typeof sourcesOf>
  /** Last published state by source; undefined for a source that is gone and was not withdrawn yet. */
  published: Map<string, string | undefined>
}

export function createAccounts(options: AccountsOptions): Accounts {
  const state: State = { ...options, owned: new Map(), costs: new Map(), sources: new Map(), published: new Map() }
  replan(state, options.tasks)
  return {
    replan: (tasks) => replan(state, tasks),
    of: (source) => ownedBy(state, source).account,
    async begin(task, signal) {
      const pass: Pass = { rank: rankOf(task.collector), claims: new Map() }
      const latest = state.clock.now().steady + Math.max(LONGEST_WAIT, task.settings.every)
      for (const { account, need } of needsOf(state, task)) await account.begin(need.units, pass, latest, signal)
      return pass
    },
    end(task, pass, isComplete) {
      for (const { account, need } of needsOf(state, task)) {
        if (isComplete) need.units += LEARNED * ((pass.claims.get(account)?.spent ?? 0) - need.units)
      }
      // Accounts may have changed since the run began.
      for (const account of pass.claims.keys()) account.end(pass)
    },
    stretched(task) {
      const own = [...state.owned.values()].filter(({ needs }) => needs.has(task.key))
      const by = Math.max(1, ...own.map((one) => reviewed(one, state.clock).stretch[rankOf(task.collector)]))
      if (by === 1) return task
      const { every, deadline, ttl, maxSeries } = task.settings
      const longer = (milliseconds: number) => Math.round(milliseconds * by)
      return { ...task, settings: { every: longer(every), deadline: longer(deadline), ttl: longer(ttl), maxSeries } }
    },
    changes: () => changesOf(state),
  }
}

function ownedBy(state: State, source: Source): Owned {
  const key = keyOf(source)
  const one = state.owned.get(key) ?? openAccount(state, source)
  state.owned.set(key, one)
  return one
}

function openAccount({ clock, costs, log, store }: State, source: Source, before?: Spending): Owned {
  const { isConfigured, limits } = limitsOf(costs.get(keyOf(source)))
  const isService = source.service !== 'node'
  const kept = store && isService ? { store, key: recordOf(source) } : undefined
  const spending = before ?? createSpending({ clock, limits, kept })
  const account = createAccount({
    clock,
    limits,
    isConfigured,
    spending,
    isService,
    refused: (reason) =>
      log.warn(
        { network: source.network, source: source.name, reason },
        'credentials rejected, pausing requests for 10 minutes',
      ),
    reserve: () => reviewed(one, clock).reserve,
  })
  const one: Owned = { account, spending, isService, needs: new Map(), review: noReview() }
  return one
}

/** An upstream with another key takes over what was spent with the key before, unless other sources still use that key. */
function handOver(state: State, before: State['sources'], used: ReadonlySet<string>): void {
  const { owned, sources } = state
  for (const [name, { source }] of sources) {
    const old = before.get(name)?.source
    if (!old || originOf(old) !== originOf(source) || owned.has(keyOf(source)) || used.has(keyOf(old))) continue
    const left = owned.get(keyOf(old))
    if (!left) continue
    owned.delete(keyOf(old))
    left.spending.keepAs(recordOf(source))
    owned.set(keyOf(source), openAccount(state, source, left.spending))
  }
  const now = state.clock.now().steady
  // What was spent on a service counts for a day.
  const counts = ({ isService, spending }: Owned) => isService && spending.day.total(now) > 0
  for (const [key, one] of owned) if (!used.has(key) && !counts(one)) owned.delete(key)
}

function replan(state: State, tasks: readonly Task[]): void {
  const { sources: before, owned, published } = state
  const sources = (state.sources = sourcesOf(tasks))
  state.costs = Map.groupBy(costOf(tasks), ({ source }) => keyOf(source))
  for (const name of published.keys()) if (!sources.has(name)) published.set(name, undefined)
  const used = new Set(Array.from(sources.values(), ({ source }) => keyOf(source)))
  handOver(state, before, used)
  for (const [key, one] of owned) {
    // An account that no source uses now keeps its limits.
    if (used.has(key)) one.account.limit(limitsOf(state.costs.get(key)))
    one.review = noReview()
    // The learned cost of a task holds as long as the task stays the same.
    const current = new Set(tasks)
    one.needs = new Map([...one.needs].filter(([, { task }]) => current.has(task)))
  }
  for (const task of tasks) {
    for (const [{ needs }, some] of Map.groupBy(sharesOf(task), ({ source }) => ownedBy(state, source))) {
      if (needs.has(task.key)) continue
      needs.set(task.key, { task, units: some.reduce((sum, { units }) => sum + units, 0) })
    }
  }
}

function needsOf({ owned }: State, { key }: Task) {
  return [...owned.values()].flatMap(({ account, needs }) => {
    const need = needs.get(key)
    return need ? [{ account, need }] : []
  })
}

/** Added up again now and then, as limits and costs change. */
function reviewed(one: Owned, clock: Clock): Review {
  const now = clock.now().steady
  if (now - one.review.at < REVIEW) return one.review
  const perMinute = { reserved: 0, essential: 0, other: 0 }
  let round = 0
  for (const { units, task } of one.needs.values()) {
    const rank = rankOf(task.collector)
    perMinute[rank] += (units * MINUTE) / task.settings.every
    if (rank === 'reserved') round += units
  }
  const reserve = { round, day: (perMinute.reserved * DAY) / MINUTE }
  return (one.review = { stretch: stretches(one.account.allowed(), perMinute), reserve, at: now })
}

function permissionOf(state: State, source: Source, operations: readonly string[]): Permission {
  const { circuits } = state
  const { account } = ownedBy(state, source)
  return {
    isOpen: circuits.isOpen(source),
    openOperations: operations.filter((operation) => circuits.isOpen(source, operation)),
    isRefusing: source.service === 'node' ? undefined : account.refusal() !== undefined,
    budgets: (['minute', 'day'] as const).flatMap((window) => {
      const budget = account.budget(window)
      return budget ? [{ window, ...budget }] : []
    }),
  }
}

function changesOf(state: State): Change[] {
  const { published, sources } = state
  const gone = [...published].flatMap(([key, text]) => (text === undefined ? [key] : []))
  for (const key of gone) published.delete(key)
  const dropped: Change[] = gone.length === 0 ? [] : [{ kind: 'drop', keys: gone.map((key) => `permission:${key}`) }]
  const changed = [...sources].flatMap(([key, { source, operations }]): Change[] => {
    const permission = permissionOf(state, source, [...operations])
    const text = JSON.stringify(permission)
    if (published.get(key) === text) return []
    published.set(key, text)
    const families = renderFamilies(permissionSamples({ network: source.network, source: source.name }, permission))
    return [{ kind: 'publish', key: `permission:${key}`, families, expiresAt: NEVER }]
  })
  return [...dropped, ...changed]
}

/** A runner whose runs wait for room in their accounts, as often as their upstreams allow. */
export function withBudget(
  { run, skip, result }: Pick<Runner, 'run' | 'skip' | 'result'>,
  accounts: Accounts,
): Pick<Runner, 'run' | 'skip'> {
  return {
    // The published interval is the stretched one.
    skip: (task) => skip(accounts.stretched(task)),
    async run(task, signal) {
      const pass = await accounts.begin(task, signal)
      try {
        await run(accounts.stretched(task), signal, pass)
      } finally {
        accounts.end(task, pass, !signal.aborted && result(task) === 'success')
      }
    },
  }
}

/**
 * By how much intervals grow so that the need fits into the allowance (units a minute). Each rank gets what the ranks
 * before it leave, and the ranks after it keep a small part.
 */
function stretches(allowed: number, need: Readonly<Record<Rank, number>>): Record<Rank, number> {
  const bounded = (factor: number) => Math.min(Math.max(1, factor), MOST_STRETCHED)
  const order = Object.keys(ranks) as Rank[]
  const stretch = noReview().stretch
  let left = allowed
  for (const [at, rank] of order.entries()) {
    const after = order.slice(at + 1).reduce((sum, one) => sum + need[one], 0)
    const own = left - Math.min(after, left * FOR_OTHERS)
    if (need[rank] > own) stretch[rank] = bounded(need[rank] / own)
    left = Math.max(left - need[rank], left * FOR_OTHERS)
  }
  return stretch
}

/**
 * Sources that ask one service with one key share an account. A node has no quota, and an upstream that hangs, asks for a
 * pause or has a small budget behind the same origin, such as a proxy, must not delay it.
 */
function keyOf({ service, url, key }: Source): string {
  if (service === 'node') return `node ${url.reveal()}`
  const asked = `${originOf({ url })} ${key?.value.reveal() ?? ''}`
  // Stores know what was spent on data services by a name without the kind.
  return service === 'data' ? asked : `${service} ${asked}`
}

function originOf({ url }: Pick<Source, 'url'>): string {
  return new URL(url.reveal()).origin
}

/** The name of the account's record in the storage. */
function recordOf(source: Source): string {
  return `budget/${createHash('sha256').update(keyOf(source)).digest('hex').slice(0, 16)}`
}

/** Upstreams that share an account: what they cost together, and the smallest of their budgets. */
function limitsOf(costs: readonly UpstreamCost[] = []): { isConfigured: boolean; limits: Limits } {
  if (costs.length === 0)
    return { isConfigured: false, limits: { perMinute: Infinity, perDay: Infinity, burst: Infinity } }
  const sum = (of: 'perMinute' | 'perDay' | 'atOnce') => costs.reduce((all, cost) => all + cost[of], 0)
  const least = (of: 'per_minute' | 'per_day') => Math.min(...costs.map(({ budget }) => budget[of] ?? Infinity))
  const isConfigured = least('per_minute') < Infinity || least('per_day') < Infinity
  const [perMinute, perDay] = [least('per_minute'), least('per_day')]
  const limits = {
    // A start runs every task once, on top of what each minute takes.
    perMinute: perMinute < Infinity ? perMinute : Math.floor(ALLOWANCE * (sum('perMinute') + sum('atOnce'))),
    perDay: perDay < Infinity ? perDay : Math.floor(ALLOWANCE * sum('perDay')),
  }
  return { isConfigured, limits: { ...limits, burst: Math.max(limits.perDay / 24, sum('atOnce')) } }
}

function sourcesOf(tasks: readonly Task[]) {
  const sources = new Map<string, { source: Source; operations: Set<string> }>()
  for (const { sources: asked, collector } of tasks) {
    for (const source of asked) {
      const key = sourceKey(source)
      const one = sources.get(key) ?? { source, operations: new Set<string>() }
      sources.set(key, one)
      for (const { service, name } of collector.uses) if (service === source.service) one.operations.add(name)
    }
  }
  return sources
}
