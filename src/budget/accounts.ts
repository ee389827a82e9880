// The accounts of a plan: one for each node, and of services one for each kind, origin and key. Without a configured budget it
// holds what the plan costs and a little more. Where an upstream allows less than the plan needs, the tasks run less often,
// those that wake nobody first.

import { createHash } from 'node:crypto'
import { type Clock, NEVER } from '../lib/clock.ts'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import { type Permission, permissionSamples } from '../metrics/daemon-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change } from '../metrics/publication.ts'
import { type Account, createAccount, type Limits } from './account.ts'
import { type Pass, type Rank, ranks } from '../upstream/payment.ts'
import type { Circuits } from '../upstream/circuit.ts'
import type { Source } from '../upstream/source.ts'
import { createSpending, type Spending } from './spending.ts'
import { ALLOWANCE, costOf, sharesOf, type UpstreamCost } from './cost.ts'
import type { Task } from '../scheduler/plan.ts'
import type { Runner } from '../scheduler/run.ts'

export interface Accounts {
  /**
   * From now on these tasks ask. Who is asked with the same key as before keeps the account, with all that it has learned;
   * with another key it begins anew, but for what was spent.
   */
  replan(tasks: readonly Task[]): void
  of(source: Source): Account
  /** Resolves when the run may begin; `end` has to be called after it. */
  begin(task: Task, signal: AbortSignal): Promise<Pass>
  /** `isComplete`: it got all that it asked for, so that its cost is that of the next one. */
  end(task: Task, pass: Pass, isComplete: boolean): void
  /** The task as often as its upstreams allow it now: its times are longer where they must be. */
  stretched(task: Task): Task
  /** What has to be published since this was last asked. */
  changes(): Change[]
}

export interface AccountsOptions {
  tasks: readonly Task[]
  clock: Clock
  circuits: Pick<Circuits, 'isOpen'>
  log: Logger
  /** Where what was spent outlives the process. */
  store?: Records | undefined
}

/** A run that finds no room begins after so long nevertheless, and says why it fails (milliseconds). */
const LONGEST_WAIT = 5 * 60_000
/** How much less often a task may run. */
const MOST_STRETCHED = 16
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** What tasks need is added up this often (milliseconds). */
const REVIEW = 5_000
/** Of what is allowed, for what is not essential: it goes on, though slowly. */
const FOR_OTHERS = 0.1
/** What the last run has cost counts so much for what the next one will cost. */
const LEARNED = 0.5

interface Need {
  task: Task
  /** Units of a run. */
  units: number
}

interface Owned {
  account: Account
  spending: Spending
  /** Services are metered: what was spent on one counts when it comes back. */
  isService: boolean
  needs: Map<string, Need>
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

export function createAccounts({ tasks, clock, circuits, log, store }: AccountsOptions): Accounts {
  const owned = new Map<string, Owned>()
  let costs: readonly UpstreamCost[] = []
  let sources: ReturnType<typeof sourcesOf> = new Map()
  /** State by source; undefined where the source is gone and that is not yet told. */
  const published = new Map<string, string | undefined>()

  function ownedBy(source: Source): Owned {
    const key = keyOf(source)
    let one = owned.get(key)
    if (!one) owned.set(key, (one = open(key, source)))
    return one
  }

  const boundsOf = (key: string) => limitsOf(costs.filter((cost) => keyOf(cost.source) === key))
  const nameOf = (key: string) => `budget/${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

  function open(key: string, source: Source, before?: Spending): Owned {
    const { isConfigured, limits } = boundsOf(key)
    const isService = source.service !== 'node'
    const kept = store && isService ? { store, key: nameOf(key) } : undefined
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
          'the upstream refuses who asks: nothing is sent to it for 10 minutes',
        ),
      reserve: () => reviewed(one).reserve,
    })
    const one: Owned = { account, spending, isService, needs: new Map(), review: noReview() }
    return one
  }

  /** An upstream with another key: unless others go on with the key before, what was spent with it counts for this one. */
  function handOver(before: ReturnType<typeof sourcesOf>, used: ReadonlySet<string>): void {
    for (const [name, { source }] of sources) {
      const old = before.get(name)?.source
      if (!old || originOf(old) !== originOf(source) || owned.has(keyOf(source)) || used.has(keyOf(old))) continue
      const left = owned.get(keyOf(old))
      if (!left) continue
      owned.delete(keyOf(old))
      left.spending.keepAs(nameOf(keyOf(source)))
      owned.set(keyOf(source), open(keyOf(source), source, left.spending))
    }
    const now = clock.now().steady
    // What was spent on a service counts for a day.
    const counts = ({ isService, spending }: Owned) => isService && spending.day.total(now) > 0
    for (const [key, one] of owned) if (!used.has(key) && !counts(one)) owned.delete(key)
  }

  function replan(tasks: readonly Task[]): void {
    const before = sources
    costs = costOf(tasks)
    sources = sourcesOf(tasks)
    for (const name of published.keys()) if (!sources.has(name)) published.set(name, undefined)
    const used = new Set(Array.from(sources.values(), ({ source }) => keyOf(source)))
    handOver(before, used)
    for (const [key, one] of owned) {
      const learned = one.needs
      // Of one that nobody uses now the limits stay.
      if (used.has(key)) one.account.limit(boundsOf(key))
      one.review = noReview()
      // What a task has cost is known as long as it is the same.
      one.needs = new Map(
        tasks.flatMap((task) => (learned.get(task.key)?.task === task ? [[task.key, learned.get(task.key)!]] : [])),
      )
    }
    const isNew = (task: Task, { needs }: Owned) => needs.get(task.key)?.task !== task
    for (const task of tasks) {
      const shares = Map.groupBy(sharesOf(task), ({ source }) => ownedBy(source))
      for (const [one, some] of shares) {
        if (isNew(task, one)) one.needs.set(task.key, { task, units: some.reduce((sum, { units }) => sum + units, 0) })
      }
    }
  }

  replan(tasks)

  const needsOf = (task: Task) =>
    [...owned.values()].flatMap(({ account, needs }) => {
      const need = needs.get(task.key)
      return need ? [{ account, need }] : []
    })

  /** Added up anew now and then: limits and costs change. */
  function reviewed(one: Owned): Review {
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

  function permission(source: Source, operations: readonly string[]): Permission {
    const { account } = ownedBy(source)
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

  return {
    replan,
    of: (source) => ownedBy(source).account,
    async begin(task, signal) {
      const rank = rankOf(task.collector)
      const pass: Pass = { rank, promised: new Map(), starting: new Map(), spent: new Map() }
      const latest = clock.now().steady + Math.max(LONGEST_WAIT, task.settings.every)
      for (const { account, need } of needsOf(task)) await account.begin(need.units, pass, latest, signal)
      return pass
    },
    end(task, pass, isComplete) {
      for (const { account, need } of needsOf(task)) {
        if (isComplete) need.units += LEARNED * ((pass.spent.get(account) ?? 0) - need.units)
      }
      // Also where the account is another one by now.
      for (const account of new Set([...pass.promised.keys(), ...pass.starting.keys()])) account.end(pass)
    },
    stretched(task) {
      const own = [...owned.values()].filter(({ needs }) => needs.has(task.key))
      const by = Math.max(1, ...own.map((one) => reviewed(one).stretch[rankOf(task.collector)]))
      if (by === 1) return task
      const { every, deadline, ttl, maxSeries } = task.settings
      const longer = (milliseconds: number) => Math.round(milliseconds * by)
      return { ...task, settings: { every: longer(every), deadline: longer(deadline), ttl: longer(ttl), maxSeries } }
    },
    changes() {
      const gone = [...published].flatMap(([key, state]) => (state === undefined ? [key] : []))
      for (const key of gone) published.delete(key)
      const dropped: Change[] =
        gone.length === 0 ? [] : [{ kind: 'drop', keys: gone.map((key) => `permission:${key}`) }]
      const changed = [...sources].flatMap(([key, { source, operations }]): Change[] => {
        const given = permission(source, [...operations])
        const state = JSON.stringify(given)
        if (published.get(key) === state) return []
        published.set(key, state)
        const families = renderFamilies(permissionSamples({ network: source.network, source: source.name }, given))
        return [{ kind: 'publish', key: `permission:${key}`, families, expiresAt: NEVER }]
      })
      return [...dropped, ...changed]
    },
  }
}

/** Runs that wait until there is room for what they cost, as often as their upstreams allow. */
export function paying(
  { run, skip, result }: Pick<Runner, 'run' | 'skip' | 'result'>,
  accounts: Accounts,
): Pick<Runner, 'run' | 'skip'> {
  return {
    // What it says of its interval is how often it runs now.
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
 * How much longer intervals have to be, so that what is needed fits into what is allowed (units a minute). Each rank gets
 * what those before it leave, and all after it keep a small part.
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
 * Who asks the same service with the same key spends from the same account. A node has no quota, and others behind its origin,
 * such as a proxy, must not cost it its turns: what hangs there, wants a pause or has a small budget.
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

/** Of several upstreams with one account: what they cost together, and the smallest of the budgets. */
function limitsOf(costs: readonly UpstreamCost[]): { isConfigured: boolean; limits: Limits } {
  if (costs.length === 0)
    return { isConfigured: false, limits: { perMinute: Infinity, perDay: Infinity, burst: Infinity } }
  const sum = (of: 'perMinute' | 'perDay' | 'atOnce') => costs.reduce((all, cost) => all + cost[of], 0)
  const least = (of: 'per_minute' | 'per_day') => Math.min(...costs.map(({ budget }) => budget[of] ?? Infinity))
  const isConfigured = least('per_minute') < Infinity || least('per_day') < Infinity
  const [perMinute, perDay] = [least('per_minute'), least('per_day')]
  const limits = {
    // A start runs every task once, besides what each minute takes.
    perMinute: perMinute < Infinity ? perMinute : Math.floor(ALLOWANCE * (sum('perMinute') + sum('atOnce'))),
    perDay: perDay < Infinity ? perDay : Math.floor(ALLOWANCE * sum('perDay')),
  }
  return { isConfigured, limits: { ...limits, burst: Math.max(limits.perDay / 24, sum('atOnce')) } }
}

function sourcesOf(tasks: readonly Task[]) {
  const sources = new Map<string, { source: Source; operations: Set<string> }>()
  for (const { sources: asked, collector } of tasks) {
    for (const source of asked) {
      const key = `${source.network}/${source.name}`
      const one = sources.get(key) ?? { source, operations: new Set<string>() }
      sources.set(key, one)
      for (const { service, name } of collector.uses) if (service === source.service) one.operations.add(name)
    }
  }
  return sources
}
