// The judge where a condition has a defect, and where a round is interrupted.

import { expect, test } from 'vitest'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { createBoard } from '../../src/conditions/board.ts'
import { type Condition, OK, onlyParts, problem } from '../../src/conditions/condition.ts'
import { createJudge } from '../../src/conditions/judge.ts'

const BAD = 'stakewatch_a'
const EFFECT = 'stakewatch_b'

function conditionOf(alert: string, metric: string, more: Partial<Condition> = {}): Condition {
  const texts = { title: '', summary: '', action: '', description: '' }
  return {
    alert,
    panel: 'fleet: A',
    severity: 'critical',
    for: 0,
    reads: [metric],
    judge: {
      node(view) {
        const value = view.value(metric)
        if (value === -1) throw new Error('a defect')
        return value === 1 ? problem(value) : OK
      },
    },
    ...texts,
    ...more,
  }
}

const cause = conditionOf('StakewatchCause', BAD)
const effect = conditionOf('StakewatchEffect', EFFECT, { explainedBy: ['cause'] })

function judging() {
  const board = createBoard()
  const judge = createJudge([cause, effect])
  return (now: number, values: Readonly<Record<string, number>>) => {
    const labels = { network: 'fuji', source: 'node-a' }
    board.replace(
      'unit',
      Object.entries(values).map(([name, value]) => ({ name, labels, value })),
    )
    const { judged, failed, counts } = judge.judge(board, now, thresholds)
    return {
      states: judged.map(({ condition: { alert }, state, since }) => `${alert} ${state} ${since}`),
      failed: Array.from(failed, ([{ alert }, why]) => `${alert} ${why}`),
      counted: [...(counts.get('fuji')?.keys() ?? [])],
    }
  }
}

test('a condition with a defect keeps what was a problem, still explains others, and is judged again', () => {
  const judge = judging()
  expect(judge(60, { [BAD]: 1, [EFFECT]: 1 }).states).toEqual([
    'StakewatchCause problem 60',
    'StakewatchEffect explained 60',
  ])
  expect(judge(120, { [BAD]: -1, [EFFECT]: 1 })).toEqual({
    states: ['StakewatchCause problem 60', 'StakewatchEffect explained 120'],
    failed: ['StakewatchCause Error: a defect'],
    counted: ['effect'],
  })
  expect(judge(180, { [BAD]: 0, [EFFECT]: 1 })).toEqual({
    states: ['StakewatchEffect problem 180'],
    failed: [],
    counted: ['cause', 'effect'],
  })
})

test('a defect before there was a problem makes none', () => {
  expect(judging()(60, { [BAD]: -1, [EFFECT]: 1 }).states).toEqual(['StakewatchEffect problem 60'])
})

const byCheck = conditionOf('StakewatchByCheck', BAD, {
  parts: ['check'],
  judge: {
    node: (view) =>
      onlyParts(
        view
          .all(BAD)
          .filter(({ value }) => value === 1)
          .map(({ labels }) => ({ labels: { check: labels['check']! }, verdict: problem(1) })),
      ),
  },
})

test.each([
  ['the object is not known', []],
  ['the object is known, and its parts are not', [EFFECT]],
])('a restart keeps since when a part has been a problem, until it is polled: %s', (_, known) => {
  const node = { network: 'fuji', source: 'node-a' }
  const board = createBoard()
  const before = createJudge([byCheck])
  board.replace('unit', [{ name: BAD, labels: { ...node, check: 'P' }, value: 1 }])
  before.judge(board, 60, thresholds)

  const after = createJudge([byCheck])
  after.resume({ problems: before.problems(), tracks: before.tracks() })
  const judgedAt = (now: number, names: readonly string[]) => {
    board.replace(
      'unit',
      names.map((name) => ({ name, labels: { ...node, ...(name === BAD && { check: 'P' }) }, value: 1 })),
    )
    return after.judge(board, now, thresholds).judged.map(({ state, since }) => `${state} ${since}`)
  }
  expect(judgedAt(70, known)).toEqual(['problem 60'])
  expect(judgedAt(80, [BAD])).toEqual(['problem 60'])
  expect(judgedAt(70 + 119, known)).toEqual(['problem 60'])
  expect(judgedAt(70 + 120, known)).toEqual([])
})

test('what is held after a restart ends two minutes later, also where the clock is set by hours meanwhile', () => {
  const board = createBoard()
  const before = createJudge([byCheck])
  board.replace('unit', [{ name: BAD, labels: { network: 'fuji', source: 'node-a', check: 'P' }, value: 1 }])
  before.judge(board, 60, thresholds)
  const after = createJudge([byCheck])
  after.resume({ problems: before.problems(), tracks: before.tracks() })
  board.replace('unit', [])
  const problemsAt = (now: number, steady: number) =>
    after.judge(board, now, thresholds, undefined, steady).judged.length
  const found = [problemsAt(36_000, 10), problemsAt(100, 12), problemsAt(72_000, 129), problemsAt(100, 130)]
  expect(found).toEqual([1, 1, 1, 0])
})

const explainedByCause = conditionOf('StakewatchEffect', EFFECT, { explainedBy: ['cause'], for: 300 })
const ofInstance = conditionOf('StakewatchOwn', BAD, {
  judge: { instance: (view) => (view.value(BAD) === 1 ? problem(1) : OK) },
})

test.each([
  ['it is fine', explainedByCause, { [EFFECT]: 0 }, ['effect']],
  ['another condition explains it', explainedByCause, { [EFFECT]: 1, [BAD]: 1 }, ['effect']],
  ['it goes on', explainedByCause, { [EFFECT]: 1 }, []],
  ['nothing is known of the object any more', explainedByCause, {}, []],
  ['its part is fine', byCheck, { [EFFECT]: 1 }, ['by_check']],
  ['nothing is known of the object of the part any more', byCheck, {}, []],
  ['it was one of the instance itself', ofInstance, { [BAD]: 0 }, []],
])('a problem has ended for other replicas, or not: %s', (_, condition, later, ended) => {
  const labels = { network: 'fuji', source: 'node-a' }
  const board = createBoard()
  const judge = createJudge([cause, condition])
  const overAfter = (now: number, values: Readonly<Record<string, number>>) => {
    board.replace(
      'unit',
      Object.entries(values).map(([name, value]) => ({
        name,
        labels: {
          ...(condition !== ofInstance && labels),
          ...(condition === byCheck && name === BAD && { check: 'P' }),
        },
        value,
      })),
    )
    return judge.judge(board, now, thresholds).over.map(({ name }) => name)
  }
  expect(overAfter(60, condition === explainedByCause ? { [EFFECT]: 1 } : { [BAD]: 1 })).toEqual([])
  expect(overAfter(120, later).filter((name) => name !== 'cause')).toEqual(ended)
})
