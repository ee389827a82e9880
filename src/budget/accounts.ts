// The accounts of a plan: one for each node, and one for each kind, origin and key of a service. Without a configured budget
// an account holds what the plan costs and a little more. Where an upstream allows less than the plan needs, tasks run less
// often, the least important first.

import { type Clock, NEVER } from '../lib/clock.ts'
import { entryOf } from '../lib/entry.ts'
import { digest } from '../lib/hash.ts'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import { type Permission, permissionSamples } from '../self/request-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change } from '../metrics/publication.ts'
import { type Account, createAccount, limitsOf } from './account.ts'
import type { Allotment } from '../upstream/request-budget.ts'
import type { Circuits } from '../upstream/circuit.ts'
import { isSameUpstream } from '../upstream/dispatchers.ts'
import { credentialsOf, type Source, sourceKey } from '../upstream/source.ts'
import { createSpending, type Spending } from './spending.ts'
import { costOf, sharesOf, type UpstreamCost } from './cost.ts'
import { type Need, noReview, rankOf, type Review, reviewed } from './review.ts'
import type { Task } from '../scheduler/plan.ts'
import type { Runner } from '../run/run.ts'
import { formatDuration } from '../lib/duration.ts'
import { greatest } from '../lib/statistics.ts'

export type Accounts = ReturnType<typeof createAccounts>

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
/** Weight of the last run's cost in the estimate of the next one. */
const LEARNED = 0.5

interface Owned {
  account: Account
  spending: Spending
  /** Services are metered: what was spent on one still counts when it is configured again. */
  isService: boolean
  /** By task key. */
  needs: Map<string, Need>
  review: Review
}

interface State extends AccountsOptions {
  /** By key. */
  owned: Map<string, Owned>
  /** The accounts that a run pays, in the order in which it waits for them, by task key. */
  payers: ReadonlyMap<string, readonly { one: Owned; need: Need }[]>
  /** By key of the account. */
  costs: ReadonlyMap<string, readonly UpstreamCost[]>
  sources: ReturnType<typeof sourcesOf>
  /** Last published state by source; undefined for a source that is gone and was not withdrawn yet. */
  published: Map<string, string | undefined>
}

export function createAccounts(options: AccountsOptions) {
  const state: State = {
    ...options,
    owned: new Map(),
    payers: new Map(),
    costs: new Map(),
    sources: new Map(),
    published: new Map(),
  }
  replan(state, options.tasks)
  return {
    /**
     * Replaces the tasks. An upstream with the same key as before keeps its account, with all that it has learned; one with
     * another key starts over, except for what was spent.
     */
    replan: (tasks: readonly Task[]) => replan(state, tasks),
    of: (source: Source): Account => ownedBy(state, source).account,
    /** Resolves when the run may begin; `end` must be called after it. */
    async begin(task: Task, signal: AbortSignal): Promise<Allotment> {
      const allotment: Allotment = { rank: rankOf(task), claims: new Map() }
      const latest = state.clock.now().steady + Math.max(LONGEST_WAIT, task.settings.every)
      for (const { one, need } of payersOf(state, task)) await one.account.begin(need.units, allotment, latest, signal)
      return allotment
    },
    /** `isComplete`: the run got all it asked for, so its cost predicts that of the next one. */
    end(task: Task, allotment: Allotment, isComplete: boolean) {
      for (const { one, need } of isComplete ? payersOf(state, task) : []) {
        need.units += LEARNED * ((allotment.claims.get(one.account)?.spent ?? 0) - need.units)
      }
      // Accounts may have changed since the run began.
      for (const account of allotment.claims.keys()) account.end(allotment)
    },
    /** The task with its intervals stretched to what its upstreams allow now. */
    stretched(task: Task): Task {
      const rank = rankOf(task)
      const by = Math.max(1, ...payersOf(state, task).map(({ one }) => reviewed(one, state.clock).stretch[rank]))
      if (by === 1 || task.settings.schedule) return task
      const { every, deadline, ttl } = task.settings
      const longer = (milliseconds: number) => Math.round(milliseconds * by)
      const settings = { ...task.settings, every: longer(every), deadline: longer(deadline), ttl: longer(ttl) }
      return { ...task, settings }
    },
    /** Publications since the last call. */
    changes: (): Change[] => changesOf(state),
  }
}

function ownedBy(state: State, source: Source): Owned {
  return entryOf(state.owned, keyOf(source), () => openAccount(state, source))
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
        credentialsOf(source) === undefined
          ? 'access refused without credentials, pausing requests for 10 minutes'
          : 'credentials rejected, pausing requests for 10 minutes',
      ),
    kept: (rank) => reviewed(one, clock).kept[rank],
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
  for (const [name, { source }] of sources) {
    const old = before.get(name)?.source
    if (old && !isSameUpstream(old, source)) owned.get(keyOf(source))?.account.forgetRefusal()
  }
  const current = new Set(tasks)
  for (const [key, one] of owned) {
    // An account that no source uses now keeps its limits.
    if (used.has(key)) one.account.limit(limitsOf(state.costs.get(key)))
    one.review = noReview()
    // The learned cost of a task holds as long as the task stays the same.
    one.needs = new Map([...one.needs].filter(([, { task }]) => current.has(task)))
  }
  for (const task of tasks) {
    for (const [{ needs }, some] of Map.groupBy(sharesOf(task), ({ source }) => ownedBy(state, source))) {
      if (needs.has(task.key)) continue
      needs.set(task.key, { task, units: some.reduce((sum, { units }) => sum + units, 0) })
    }
  }
  const paid = [...owned.values()].flatMap((one) => [...one.needs.values()].map((need) => ({ one, need })))
  state.payers = Map.groupBy(paid, ({ need }) => need.task.key)
}

const payersOf = ({ payers }: State, { key }: Task) => payers.get(key) ?? []

function permissionOf(state: State, source: Source, operations: readonly string[]): Permission {
  const { circuits, clock } = state
  const one = ownedBy(state, source)
  const { account } = one
  const { ranks, stretch } = reviewed(one, clock)
  return {
    isOpen: circuits.isOpen(source),
    openOperations: operations.filter((operation) => circuits.isOpen(source, operation)),
    isRefusing: source.service === 'node' ? undefined : account.refusal() !== undefined,
    budgets: (['minute', 'day'] as const).flatMap((window) => {
      const budget = account.budget(window)
      return budget ? [{ window, ...budget }] : []
    }),
    // Costs are learned with each run: hundredths are no news.
    stretches: ranks.map((rank) => ({ rank, ratio: Math.round(stretch[rank] * 100) / 100 })),
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
    const samples = permissionSamples({ network: source.network, source: source.name }, permission)
    return [{ kind: 'publish', key: `permission:${key}`, families: renderFamilies(samples), samples, expiresAt: NEVER }]
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
      // Before the wait, as its next run is planned by now: its series must live until then.
      const stretched = accounts.stretched(task)
      const allotment = await accounts.begin(task, signal)
      try {
        await run(stretched, signal, allotment)
      } finally {
        accounts.end(task, allotment, !signal.aborted && result(task) === 'success')
      }
    },
  }
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
  return `budget/${digest(keyOf(source))}`
}

function sourcesOf(tasks: readonly Task[]) {
  const sources = new Map<string, { source: Source; operations: Set<string> }>()
  for (const { sources: asked, collector } of tasks) {
    for (const source of asked) {
      const key = sourceKey(source)
      const one = entryOf(sources, key, () => ({ source, operations: new Set<string>() }))
      for (const { service, name } of collector.uses) if (service === source.service) one.operations.add(name)
    }
  }
  return sources
}

const SECOND = 1_000
const SILENT = { info() {}, warn() {} }

/**
 * For each network with a wallet about which an alert can page: how late it is noticed that one runs low or is drained, as the
 * budgets stretch the intervals.
 */
export function latenessOf(tasks: readonly Task[], clock: Clock): string[] {
  const accounts = createAccounts({ tasks, clock, circuits: { isOpen: () => false }, log: SILENT })
  const first = tasks.filter((task) => rankOf(task) === 'first')
  return [...Map.groupBy(first, ({ network }) => network.name)].map(([network, some]) => {
    const wanted = greatest(some.map(({ settings }) => settings.every))
    const every = greatest(some.map((task) => accounts.stretched(task).settings.every))
    const why = every > wanted ? `, as the budget does not allow every ${textOf(wanted)}` : ''
    return `${network}  a drained wallet is noticed after up to ${textOf(every)}${why}`
  })
}

const textOf = (milliseconds: number) => formatDuration(Math.ceil(milliseconds / SECOND) * SECOND)
