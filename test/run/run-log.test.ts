import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { createRunLog, type Outcome } from '../../src/run/run-log.ts'
import type { Task } from '../../src/scheduler/plan.ts'
import type { Standing } from '../../src/self/upstreams.ts'
import type { Source } from '../../src/upstream/source.ts'
import { rowsOf } from '../support/rows.ts'

const failure = (reason: string): Outcome => ({ result: 'failure', reason, error: new BaseError('timeout', reason) })
const works: Outcome = { result: 'success', reason: '' }
const nothing: Outcome = { result: 'unsupported', reason: 'no such API' }
const a = { name: 'a' } as Source
const b = { name: 'b' } as Source

function taskOf(key: string, labels: Task['labels'] = {}): Task {
  return { key, network: { name: 'fuji' }, subject: { name: key }, collector: { name: 'probe' }, labels } as Task
}

/** One run after the other: task, how it ended, the sources that failed, and how these stand by then. */
type Step = [task: string, Outcome, failing: readonly Source[], standings: readonly Standing[]]

function said(steps: readonly Step[]): string[] {
  const lines: string[] = []
  const standings = new Map<Source, Standing>()
  const note = (details: object, message: string) => {
    const { target, reason } = details as { target: string; reason?: string }
    lines.push([target, message, ...(reason === undefined ? [] : [reason])].join(': '))
  }
  const { say } = createRunLog({ info: note, warn: note }, (source) => standings.get(source)!)
  for (const [key, outcome, failing, now] of steps) {
    for (const [at, source] of [a, b].entries()) standings.set(source, now[at] ?? 'up')
    say(taskOf(key), outcome, failing, 0)
  }
  return lines
}

/** `t late a=down b=up`: the task works, has nothing, or fails for a reason; the sources that failed, as they stand by then. */
function stepsOf(text: string): Step[] {
  return text.split(', ').map((step) => {
    const [key = '', ended = '', ...failed] = step.split(' ')
    const outcome = { works, nothing }[ended] ?? failure(ended)
    const standings = failed.map((one) => one.split('=')[1] as Standing)
    return [key, outcome, [a, b].slice(0, standings.length), standings]
  })
}

describe('the log says of a task', () => {
  test.each(
    rowsOf(`
      nothing when it works from the start     | t works                                       |
      that it fails, once for each reason | t late, t late, t worse, t works, t works | fails: late, fails: worse, works again
      that it idles, and then works | t nothing, t nothing, t works | has nothing to collect here, has something to collect now
      nothing while its source is down         | t late a=down, t refused a=down, t works      |
      that it fails on when its source is back | t late a=down, t worse a=up                   | fails: worse
      that it fails where a source is up       | t late a=down b=up                            | fails: late
      nothing as long as it may be the source  | t late a=suspect, u late a=down               |
      that it fails when the source has answered others | t late a=suspect, u works            | fails: late
      that it fails when it fails again        | t late a=suspect, t late a=suspect            | fails: late
      nothing of a failure that is over before it was clear whose it was | t late a=suspect, t works |
    `),
  )('%s', (_, steps, lines = '') => {
    const seen = said(stepsOf(steps)).map((line) => line.replace('t: collector ', '').replace(': no such API', ''))
    expect(seen.join(', ')).toBe(lines)
  })
})

test('it says nothing of a run in which its source came back', () => {
  const lines: object[] = []
  const log = { info: () => {}, warn: (details: object) => lines.push(details) }
  const { say } = createRunLog(log, (_, startedAt) => (startedAt < 60 ? 'down' : 'up'))
  say(taskOf('t'), failure('refused'), [a], 50)
  expect(lines).toEqual([])
  say(taskOf('t'), failure('refused'), [a], 70)
  expect(lines).toHaveLength(1)
})

test.each<[string, Task['labels'], object]>([
  ['without a source, as any may answer', { network: 'fuji', subnet: 't' }, {}],
  ['with the source whose opinion it asks', { network: 'fuji', source: 'a' }, { source: 'a' }],
])('a task is named as the series of its runs are: %s', (_, labels, source) => {
  const lines: object[] = []
  const { say } = createRunLog({ info: () => {}, warn: (details) => lines.push(details) }, () => 'up')
  say(taskOf('t', labels), failure('late'), [], 0)
  const why = { code: 'timeout', reason: 'late', details: undefined }
  expect(lines).toEqual([{ network: 'fuji', target: 't', collector: 'probe', ...source, ...why }])
})
