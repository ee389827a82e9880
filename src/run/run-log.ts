// Logs runs: one line for each change, and none for a run that fails only because a source is down, as the source has a line of
// its own.

import type { BaseError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Source } from '../upstream/source.ts'
import type { Task } from '../scheduler/plan.ts'
import type { Standing } from '../self/upstreams.ts'

export type Outcome =
  | { result: 'success' | 'unsupported'; reason: string }
  | { result: 'failure'; reason: string; error: BaseError }

export type RunLog = ReturnType<typeof createRunLog>

interface Held {
  task: Task
  outcome: Outcome
  failing: readonly Source[]
  /** Steady milliseconds. */
  startedAt: number
}

const NOTHING = 'unsupported'

/** The keys of a task in a log line: the labels of its series `stakewatch_collector_...`. */
export function named({ network, subject, collector, labels: { source } }: Task): Record<string, string> {
  return { network: network.name, target: subject.name, collector: collector.name, ...(source && { source }) }
}

export function createRunLog(log: Logger, standing: (source: Source, startedAt: number) => Standing) {
  /** The last line of each task; undefined: that it works. */
  const said = new Map<string, string | undefined>()
  /** Failures of a task or perhaps its source: the next failure of the same task is logged anyway. */
  const held = new Map<string, Held>()

  function write({ task, outcome }: Held): void {
    const before = said.get(task.key)
    const line = lineOf(outcome)
    // The log has said already why the source gets no requests.
    const isLeftAlone = outcome.result === 'failure' && outcome.error.code === 'circuit_open'
    if (before === line || (isLeftAlone && before !== undefined && before !== NOTHING)) return
    said.set(task.key, line)
    if (outcome.result === 'failure') {
      const { code, message, details } = outcome.error
      log.warn({ ...named(task), code, reason: message, details }, 'collector fails')
    } else if (outcome.result === 'unsupported') {
      log.info({ ...named(task), reason: outcome.reason }, 'collector has nothing to collect here')
    } else {
      log.info(named(task), before === NOTHING ? 'collector has something to collect now' : 'collector works again')
    }
  }

  function settle(one: Held, isAgain: boolean): void {
    const { task, outcome, failing, startedAt } = one
    held.delete(task.key)
    // A bootstrapping chain has a line of its node.
    if (outcome.result === 'failure' && outcome.error.code === 'not_ready') return
    if (outcome.result !== 'failure' || failing.length === 0) return write(one)
    const standings = failing.map((source) => standing(source, startedAt))
    if (standings.every((of) => of === 'down')) return
    if (isAgain || standings.includes('up')) return write(one)
    held.set(task.key, one)
  }

  return {
    /** `failing`: the sources that did not answer the run. */
    say(task: Task, outcome: Outcome, failing: readonly Source[], startedAt: number) {
      settle({ task, outcome, failing, startedAt }, held.has(task.key))
      for (const one of Array.from(held.values())) settle(one, false)
    },
    /** The task replaces one with the same key: sources that failed before may be gone. */
    replaced: ({ key }: Task) => void held.delete(key),
    /** The task is gone. */
    forget({ key }: Task) {
      said.delete(key)
      held.delete(key)
    },
  }
}

/** Outcomes with the same line look the same to a reader of the log. */
function lineOf(outcome: Outcome): string | undefined {
  if (outcome.result === 'failure') return `${outcome.error.code}: ${outcome.reason}`
  return outcome.result === 'unsupported' ? NOTHING : undefined
}
