import { expect, test, vi } from 'vitest'
import type { Rule } from '../../src/alerts/rule.ts'
import { createEngine, instanceRules, needPrometheus, ownRules, roundOf } from '../../src/firing/engine.ts'
import { parseTemplate } from '../../src/firing/template.ts'
import { type Evaluated, watchRules } from '../../src/firing/evaluate-rules.ts'
import { clockOf } from '../support/clock.ts'
import { MINUTE, seriesOf } from '../support/promql.ts'

const rule = (alert: string, expr: string, more: Partial<Rule> = {}): Rule => ({
  alert,
  panel: 'self: Collectors',
  severity: 'warning',
  expr,
  for: 0,
  hold: 0,
  summary: `${alert} is up`,
  description: `${alert} of {{ $labels.a }}: {{ $value }}`,
  ...more,
})

test('every rule can be evaluated, and every text of an alert rendered', () => {
  const { alerting } = createEngine(ownRules())
  expect(alerting.length).toBeGreaterThan(60)
  for (const { rule: one } of alerting) for (const text of [one.summary, one.description]) parseTemplate(text)
})

test('what needs Prometheus is one of the rules, and no instance evaluates it', () => {
  const alerts = ownRules().map(({ alert }) => alert)
  expect(Object.keys(needPrometheus).filter((one) => !alerts.includes(one))).toEqual([])
  expect(instanceRules().length).toBe(alerts.length - Object.keys(needPrometheus).length)
})

/** One round a minute over these values of `x`. */
function played(rules: Parameters<typeof createEngine>[0], rounds: readonly Record<string, number>[]) {
  const clock = { now: 0 }
  const reports: string[] = []
  let [at, epoch] = [0, 'first']
  const watch = watchRules({
    engine: createEngine(rules),
    *read() {
      yield
      const samples = Object.entries(rounds[at]!).map(([key, value]) => ({ ...seriesOf(key), value }))
      return Map.groupBy(samples, ({ name }) => name)
    },
    labels: { instance: 'here', job: 'stakewatch' },
    clock: { ...clockOf(() => clock.now), after: () => () => {} },
    epoch: () => epoch,
    rest: () => Promise.resolve(),
    tell: (name, problem) => reports.push(`${name}: ${problem ?? 'again'}`),
  })
  return {
    watch,
    reports,
    async next() {
      at += 1
      clock.now += MINUTE
      epoch = `${at}`
      const stale = watch.evaluated()!.isCurrent
      watch.check()
      await Promise.resolve()
      return { stale }
    },
    seen: () =>
      (watch.evaluated() as Evaluated).alerts.map(
        (one) => `${one.severity} ${one.alert} ${one.state}: ${one.description}`,
      ),
  }
}

test('alerts come by urgency and state', async () => {
  const rules = [
    rule('Pending', 'x > 0', { for: 60 }),
    rule('Sticky', 'max_over_time(x[90s]) > 0', { severity: 'critical' }),
    rule('Always', 'vector(1)', { severity: 'none' }),
    rule('Down', 'up == 0'),
  ]
  const { seen, next } = played(rules, [{ 'x{a="1"}': 1 }, {}, {}, {}])
  expect(seen()).toEqual(['critical Sticky firing: Sticky of 1: 1', 'warning Pending pending: Pending of 1: 1'])
  // The input is gone, and was there a minute ago.
  expect((await next()).stale).toBe(false)
  expect(seen()).toEqual(['critical Sticky firing: Sticky of 1: 1'])
  await next()
  expect(seen()).toEqual([])
})

test('a long round is followed by the next while rules still find its samples, and shows the last one until then', async () => {
  const clock = { now: 0 }
  const delays: number[] = []
  let again = () => {}
  const seen: unknown[] = []
  const watch = watchRules({
    engine: createEngine([rule('A', 'x > 0')]),
    *read() {
      yield
      return new Map([['x', [{ name: 'x', labels: {}, value: 7 }]]])
    },
    labels: { instance: 'here', job: 'stakewatch' },
    clock: {
      ...clockOf(() => (clock.now += 1_000)),
      after(delay, work) {
        delays.push(delay)
        again = work
        return () => {}
      },
    },
    epoch: () => 'same',
    async rest() {
      await Promise.resolve()
      seen.push(watch.evaluated()?.alerts.length)
    },
    tell: (_, problem) => expect(problem).toBeUndefined(),
  })
  await vi.waitFor(() => expect(delays).toHaveLength(1))
  seen.length = 0
  clock.now += delays[0]!
  const begun = clock.now
  again()
  await vi.waitFor(() => expect(delays).toHaveLength(2))
  expect(new Set(seen)).toEqual(new Set([1]))
  // Rules look back five minutes.
  const took = clock.now - begun
  expect(took).toBeGreaterThan(10_000)
  expect(took + delays[1]!).toBeLessThan(300_000)
})

test('a rule that cannot be evaluated keeps its alerts, says so once, and does not harm others', async () => {
  const rules = [rule('Clash', 'x == on (a) y'), rule('Fine', 'x > 0')]
  const good = { 'x{a="1"}': 1, 'y{a="1"}': 1 }
  const clash = { ...good, 'y{a="1", b="2"}': 1 }
  const { watch, seen, reports, next } = played(rules, [good, clash, clash, good])
  const both = ['warning Clash firing: Clash of 1: 1', 'warning Fine firing: Fine of 1: 1']
  expect(seen()).toEqual(both)
  await next()
  expect(seen()).toEqual(both)
  expect(watch.evaluated()!.problems.map(({ rule: name }) => name)).toEqual(['Clash'])
  await next()
  await next()
  expect(reports).toEqual([expect.stringMatching(/^Clash: found duplicate series/), 'Clash: again'])
  expect(watch.evaluated()!.problems).toEqual([])
})

test('a round may rest within a rule, after each thousand samples', () => {
  const engine = createEngine([rule('A', 'x unless on (a) x'), rule('B', 'x == on (a) x')])
  const rests = (count: number) => {
    const x = Array.from({ length: count }, (_, at) => ({ name: 'x', labels: { a: String(at) }, value: at }))
    return [...roundOf(engine, 0, new Map([['x', x]]))].length
  }
  const [few, many] = [rests(1), rests(10_000)]
  // Two sides of each comparison.
  expect(many - few).toBe(2 * 2 * 9)
})
