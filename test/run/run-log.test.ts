import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { createRunLog, type Outcome } from '../../src/run/run-log.ts'
import type { Task } from '../../src/scheduler/plan.ts'
import type { Standing } from '../../src/self/upstreams.ts'
import type { Source } from '../../src/upstream/source.ts'

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
    say(taskOf(key), outcome, failing)
  }
  return lines
}

describe('the log says of a task', () => {
  test.each<[string, Step[], string[]]>([
    ['nothing when it works from the start', [['t', works, [], []]], []],
    [
      'that it fails, once for each reason, and that it works again',
      [
        ['t', failure('late'), [], []],
        ['t', failure('late'), [], []],
        ['t', failure('worse'), [], []],
        ['t', works, [], []],
        ['t', works, [], []],
      ],
      ['t: collector fails: late', 't: collector fails: worse', 't: collector works again'],
    ],
    [
      'that it has nothing to collect, and then something: it never failed',
      [
        ['t', nothing, [], []],
        ['t', nothing, [], []],
        ['t', works, [], []],
      ],
      ['t: collector has nothing to collect here: no such API', 't: collector has something to collect now'],
    ],
    [
      'nothing while it fails because its source is down, and nothing when that is back',
      [
        ['t', failure('late'), [a], ['down']],
        ['t', failure('refused'), [a], ['down']],
        ['t', works, [], ['up']],
      ],
      [],
    ],
    [
      'that it fails on when its source is back',
      [
        ['t', failure('late'), [a], ['down']],
        ['t', failure('HTTP 500'), [a], ['up']],
      ],
      ['t: collector fails: HTTP 500'],
    ],
    [
      'that it fails where one of its sources is up',
      [['t', failure('late'), [a, b], ['down', 'up']]],
      ['t: collector fails: late'],
    ],
    [
      'nothing as long as it may be the source, and nothing when it was',
      [
        ['t', failure('late'), [a], ['suspect']],
        ['u', failure('late'), [a], ['down']],
      ],
      [],
    ],
    [
      'that it fails when the source has answered others',
      [
        ['t', failure('late'), [a], ['suspect']],
        ['u', works, [], ['up']],
      ],
      ['t: collector fails: late'],
    ],
    [
      'that it fails when it fails again, though it may be the source',
      [
        ['t', failure('late'), [a], ['suspect']],
        ['t', failure('late'), [a], ['suspect']],
      ],
      ['t: collector fails: late'],
    ],
    [
      'nothing of a failure that is over before it was clear whose it was',
      [
        ['t', failure('late'), [a], ['suspect']],
        ['t', works, [], ['up']],
      ],
      [],
    ],
  ])('%s', (_, steps, lines) => {
    expect(said(steps)).toEqual(lines)
  })
})

test.each<[string, Task['labels'], object]>([
  ['without a source, as any may answer', { network: 'fuji', subnet: 't' }, {}],
  ['with the source whose opinion it asks', { network: 'fuji', source: 'a' }, { source: 'a' }],
])('a task is named as the series of its runs are: %s', (_, labels, source) => {
  const lines: object[] = []
  const { say } = createRunLog({ info: () => {}, warn: (details) => lines.push(details) }, () => 'up')
  say(taskOf('t', labels), failure('late'), [])
  const why = { code: 'timeout', reason: 'late', details: undefined }
  expect(lines).toEqual([{ network: 'fuji', target: 't', collector: 'probe', ...source, ...why }])
})
