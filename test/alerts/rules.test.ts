// The alert rules name only what exists, and each comes with its runbook, its tests and its row in the docs.

import { metricsOf, type Rule } from '../../src/alerts/rule.ts'
import { conditions } from '../../src/conditions/index.ts'
import { nameOf } from '../../src/conditions/condition.ts'
import { metricsIn } from '../../src/conditions/view.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { HELD_VALUE, heldValue, labelsOf, ruleOf } from '../../src/alerts/condition-rule.ts'
import { RUNBOOKS } from '../../src/alerts/links.ts'
import { alertingMetrics, groupsOf, rulesYaml } from '../../src/alerts/rules.ts'
import { definitions } from '../../src/metrics/catalogue.ts'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { chainStates } from '../../src/collectors/answers/chain-state.ts'
import { collectors } from '../../src/collectors/index.ts'
import { chain, validator, wallet } from '../../src/config/targets.ts'
import { rewardStates } from '../../src/judgements/reward.ts'
import { daemonMetrics } from '../../src/self/daemon-metrics.ts'
import { storageMetrics } from '../../src/storage/storage-metrics.ts'
import { conditionEnded } from '../../src/self/judge-metrics.ts'
import { createSelf } from '../../src/self/instance.ts'
import { configurationMetrics } from '../../src/self/known.ts'
import { incidents, long } from '../../tools/incidents/scripts/index.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('.'))

const rules = groupsOf().flatMap((group) => group.rules)
const names = rules.map(({ alert }) => alert)

/** What Prometheus adds to all that it scrapes; `pod` where that is in Kubernetes. */
const target = ['job', 'instance', 'pod']
const catalogue = new Map<string, readonly string[]>([
  ...[
    ...collectors.flatMap(({ metrics }) => metrics),
    ...configurationMetrics,
    ...daemonMetrics,
    ...storageMetrics,
    ...createSelf('1.2.3').metrics,
  ].map(({ name, labels }): [string, readonly string[]] => [name, labels]),
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity']],
])
catalogue.set(HELD_VALUE, catalogue.get('stakewatch_condition_value')!)
const declarable = (kind: { shape: { expect: { unwrap(): { shape: object } } } }) =>
  Object.keys(kind.shape.expect.unwrap().shape)
const ofWallets = ['min_balance', ...declarable(wallet)]

/** Labels whose values are ours and closed. */
const values: Readonly<Record<string, readonly string[]>> = {
  collector: collectors.map(({ name }) => name),
  expectation: [...ofWallets, ...declarable(validator), ...declarable(chain)],
}

const states: Readonly<Record<string, readonly string[]>> = {
  stakewatch_validator_reward_state: rewardStates,
  stakewatch_l1_chain_state: chainStates,
  stakewatch_node_evm_chain_state: chainStates,
}

/** Lines of a runbook: it must fit on a screen. */
const SECTIONS = ['Meaning', 'Impact', 'Diagnosis', 'Mitigation', 'Safe to ignore']
const MOST_LINES = 42

interface Read {
  metrics: string[]
  faults: string[]
}

/** The metrics of an expression, and whatever in it nothing would ever match. */
function readExpression(expression: string): Read {
  const metrics: string[] = []
  const faults: string[] = []
  const grouping: string[] = []
  parser.parse(expression).iterate({
    enter(node) {
      const text = expression.slice(node.from, node.to)
      const within = node.node.parent?.name
      if (node.type.isError) faults.push(`does not parse at ${node.from}`)
      if (node.name === 'Identifier' && within === 'VectorSelector') {
        metrics.push(text)
        if (!catalogue.has(text)) faults.push(`no metric ${text}`)
      }
      if (node.name === 'LabelName' && within === 'GroupingLabels') grouping.push(text)
      if (node.name === 'UnquotedLabelMatcher') faults.push(...matcherFaults(text, metrics.at(-1) ?? ''))
    },
  })
  const carried = [...target, ...metrics.flatMap((metric) => catalogue.get(metric) ?? [])]
  faults.push(
    ...grouping.filter((label) => !carried.includes(label)).map((label) => `no metric has the label ${label}`),
  )
  return { metrics, faults }
}

/** Of `a|b_(c|d)`: a, b_c and b_d. */
const namesIn = (pattern: string): string[] =>
  (pattern.match(/\w+\([^)]*\)|\w+/g) ?? []).flatMap((part) => {
    const [, start = '', ends] = /^(\w+)\((.*)\)$/.exec(part) ?? []
    return ends === undefined ? [part] : ends.split('|').map((end) => start + end)
  })

function matcherFaults(matcher: string, metric: string): string[] {
  const [, label = '', , value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(matcher) ?? []
  // The name of a metric is a label that each has.
  if (label === '__name__') return namesIn(value).flatMap((one) => (catalogue.has(one) ? [] : [`no metric ${one}`]))
  if (![...target, ...(catalogue.get(metric) ?? [])].includes(label)) return [`${metric} has no label ${label}`]
  const known = label === 'state' ? states[metric] : values[label]
  return known ? value.split('|').flatMap((one) => (known.includes(one) ? [] : [`${label} is never ${one}`])) : []
}

describe('an expression', () => {
  test.each([
    ['stakewatch_validator_conected == 0', 'no metric stakewatch_validator_conected'],
    ['up{jobs="stakewatch"}', 'up has no label jobs'],
    ['max without (sauce) (stakewatch_validator_connected)', 'no metric has the label sauce'],
    ['up and on (chain) up', 'no metric has the label chain'],
    ['stakewatch_validator_reward_state{state=~"safe|fine"}', 'state is never fine'],
    ['stakewatch_l1_chain_state{state="lost"}', 'state is never lost'],
    ['stakewatch_validator_expectation_met{expectation!~"auto_renew|min_stakes"}', 'expectation is never min_stakes'],
    ['stakewatch_validator_connected ==', 'does not parse at 33'],
  ])('%s is found out: %s', (expression, fault) => {
    expect(readExpression(expression).faults).toEqual([fault])
  })

  test.each(rules)('of $alert names only what exists', ({ expr, severity }) => {
    const { metrics, faults } = readExpression(expr)
    expect(metrics.length > 0).toBe(severity !== 'none')
    expect(faults).toEqual([])
  })
})

test('what is recorded reads what exists', () => {
  expect(readExpression(heldValue.expr)).toMatchObject({ faults: [] })
})

test('what is recorded is missed if it is dropped on the way', () => {
  expect([...alertingMetrics().metrics]).toContain(conditionEnded.name)
})

// An operator may add a data centre or a region to each target: what drops labels by name would keep those.
test.each(rules)('$alert drops no labels by name that a target may have', ({ expr }) => {
  const dropped = [...expr.matchAll(/without \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '))
  expect(dropped.filter((label) => target.includes(label))).toEqual([])
})

describe('a condition', () => {
  const explainedBy = new Map(conditions.map((one) => [nameOf(one), one.explainedBy ?? []]))
  /** What explains it, and what explains that. */
  const causesOf = (name: string): readonly string[] =>
    explainedBy.get(name)!.flatMap((cause) => [cause, ...causesOf(cause)])

  test.each(conditions)('$alert has its rule, which carries its labels', (condition) => {
    const rule = rules.find(({ alert }) => alert === condition.alert)
    expect(rule?.reads).toEqual(metricsIn(condition.reads))
    expect(rule?.expr).toContain(`by (${['job', ...labelsOf(condition)].join(', ')})`)
  })

  test.each(conditions)('$alert reads metrics that exist', ({ reads, details }) => {
    expect([...metricsIn(reads), ...(details?.reads ?? [])].filter((name) => !catalogue.has(name))).toEqual([])
  })

  test.each(conditions)('$alert says only what was published with its verdict', (condition) => {
    const { title, description, action } = ruleOf(condition)
    const queried = [title, description, action].flatMap((text) => text.match(/\bstakewatch_\w+(?=\{)/g) ?? [])
    expect(queried.filter((metric) => !metric.startsWith('stakewatch_condition_'))).toEqual([])
  })

  test.each(conditions)('$alert is explained by other conditions, and not by itself in the end', (condition) => {
    expect(causesOf(nameOf(condition))).not.toContain(nameOf(condition))
  })
})

describe('unknown is not resolved', () => {
  /** Critical alerts that end when nothing reports their problem, and why. */
  const ends: Readonly<Record<string, string>> = {
    StakewatchSubnetChanged: 'it is about an increase within the hour, which stays for that hour',
    StakewatchNodesDown: 'it is itself the alert that nothing is known',
    StakewatchOwnNodeUnsteady: 'whether a configured node answers is always known',
    StakewatchNodesUnsteady: 'it reads an hour of samples, which stay when newer ones are missing',
    StakewatchSchedulerStalled: 'an instance that is gone is StakewatchDown',
    StakewatchDown: 'it reads what Prometheus itself knows',
    StakewatchShardMissing: 'an instance that is gone is StakewatchDown',
    StakewatchSeriesMissing: 'it is itself the alert that series are missing',
  }

  test('every critical alert names what reports its problem, or why it need not', () => {
    const critical = rules.filter(({ severity }) => severity === 'critical')
    const isHeld = ({ condition: name }: Rule) => conditions.find((one) => nameOf(one) === name)?.heldBy !== undefined
    expect(critical.filter((rule) => isHeld(rule) === rule.alert in ends)).toEqual([])
    expect(Object.keys(ends).filter((alert) => !critical.some((rule) => rule.alert === alert))).toEqual([])
  })

  test.each(conditions.flatMap(({ alert, heldBy = [], reads }) => heldBy.map((one) => ({ alert, one, reads }))))(
    '$alert is held for $one, which reports what decides it',
    ({ one, reads }) => {
      const reported = definitions.find(({ name }) => name === one)!.metrics.map(({ name }) => name)
      expect(reported.filter((metric) => reads.includes(metric))).not.toEqual([])
    },
  )
})

describe('the limits', () => {
  const code = ['src/alerts/self.ts', ...filesIn('src/conditions').map((file) => `src/conditions/${file}`)].map(read)

  test.each(Object.keys(thresholds))('%s decides something', (limit) => {
    expect(code.filter((text) => new RegExp(`\\b${limit}\\b`).test(text))).not.toEqual([])
    expect(read('docs/alerting.md')).toContain(`\`${limit}\``)
  })
})

describe('nothing is left out', () => {
  const judged = [...catalogue.keys()].filter((name) => /_(expectation_met|chain_mismatch)$/.test(name))
  const used = rules.flatMap(metricsOf)

  test.each(judged)('%s has an alert', (metric) => {
    expect(used).toContain(metric)
  })

  // Those of validators and chains have one that is for all that is left.
  test.each(ofWallets)('what is declared of wallets as %s has one of its own', (expectation) => {
    const code = read('src/conditions/wallets/wallets.ts')
    expect(code.split(`  expectation: '${expectation}',`)).toHaveLength(2)
  })
})

/** Alerts whose begin, end and text an incident has: promtool judges them there. */
const inIncidents = new Set(
  incidents
    .filter((one) => !long.includes(one))
    .flatMap(({ alerts }) => alerts.filter(({ says, until }) => says && until !== undefined))
    .map(({ alert }) => alert),
)

/** They go by collectors that run once an hour. */
const HOURLY = [
  'StakewatchSignaturesMissing',
  'StakewatchSourcesDisagree',
  'StakewatchExpectationUnknown',
  'StakewatchMessagesUnknown',
]

interface TestFile {
  tests: { alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[] }[]
}

const ruleTests = filesIn('alerts/tests')
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => (parseYaml(read(`alerts/tests/${file}`)) as TestFile).tests)
  .flatMap((one) => one.alert_rule_test ?? [])

describe.each(rules)('$alert', ({ alert, severity, expr, reads, for: waits, ...texts }) => {
  const { title, summary, action, description } = texts

  test('has the form that receivers expect', () => {
    expect(alert).toMatch(/^Stakewatch([A-Z][a-z0-9]*)+$/)
    expect(['critical', 'warning', 'info', 'none', 'own']).toContain(severity)
    expect(summary).toMatch(/^[^{}]+\.$/)
    expect(description).toMatch(/\.(\{\{ end \}\})*$/)
    // A page within five minutes of what shows it, a warning within half an hour: pollings are up to five minutes apart.
    const longest = { critical: 5, warning: 25, info: 25, none: 0, own: 0 }[severity]
    expect(waits <= longest * 60).toBe(!HOURLY.includes(alert))
  })

  test('shows labels that it has', () => {
    const carried = [...target, ...readExpression(expr).metrics.flatMap((metric) => catalogue.get(metric)!)]
    const shown = [...[title, description, action].join('').matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label)
    // The watchdog is about nothing that has labels.
    expect(shown.length > 0).toBe(severity !== 'none')
    expect(carried).toEqual(expect.arrayContaining(shown))
  })

  test('has a runbook that is about its own metrics, of one screen', () => {
    const path = `docs/runbooks/${alert}.md`
    expect(existsSync(new URL(path, root)), `add ${path}, see "Add an alert" in CONTRIBUTING.md`).toBe(true)
    const page = read(path)
    expect(page.match(/^#+ .+$/gm)).toEqual([`# ${alert}`, ...SECTIONS.map((title) => `## ${title}`)])
    for (const section of page.split(/^#+ .+$/m).slice(2)) expect(section.trim().length).toBeGreaterThan(40)
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES)
    const diagnosis = page.split(/^#+ .+$/m)[4]
    // The watchdog reads no metric.
    if (severity === 'none') return
    const own = metricsOf({ expr, ...(reads && { reads }) })
    expect(
      own.some((metric) => diagnosis!.includes(metric)),
      `Diagnosis names none of ${own.join(', ')}`,
    ).toBe(true)
  })

  test('has tests in both directions', () => {
    const cases = ruleTests.filter(({ alertname }) => alertname === alert)
    const directions = new Set<string>([
      ...cases.map(({ exp_alerts: expected }) => (expected.length > 0 ? 'fires' : 'is silent')),
      ...(inIncidents.has(alert) ? ['fires', 'is silent'] : []),
    ])
    // The watchdog is never silent.
    const wanted = severity === 'none' ? ['fires'] : ['fires', 'is silent']
    const missing = wanted.filter((direction) => !directions.has(direction))
    expect(
      missing.map(
        (direction) =>
          `add \`says\` and \`until\` to an incident, or a test to alerts/tests in which ${alert} ${direction}`,
      ),
    ).toEqual([])
  })
})

/** The sentences of a page, without their form and the generated line; not those of one word or two, such as "Since when?". */
function sentencesOf(page: string): string[] {
  return page
    .replace(/^(#+|Severity) .*$/gm, '')
    .split(/\n\s*\n|\n\s*(?:-|\d+\.) /)
    .flatMap((part) => part.replace(/^\s*(?:-|\d+\.) /, '').split(/(?<=[.?!])\s+/))
    .map((sentence) =>
      sentence
        .replace(/\*/g, '')
        .replace(/\s+/g, ' ')
        .replace(/[.?!]+$/, '')
        .trim()
        .toLowerCase(),
    )
    .filter((sentence) => sentence.split(' ').length > 2)
}

describe('the pages', () => {
  test('each alert has its runbook, and each runbook its alert', () => {
    const pages = filesIn('docs/runbooks').map((file) => file.replace(/\.md$/, ''))
    expect([
      ...names.filter((alert) => !pages.includes(alert)).map((alert) => `add docs/runbooks/${alert}.md`),
      ...pages.filter((page) => !names.includes(page)).map((page) => `remove docs/runbooks/${page}.md`),
    ]).toEqual([])
    expect(names).toHaveLength(new Set(names).size)
  })

  test('no sentence is in two runbooks', () => {
    const pagesOf = new Map<string, string[]>()
    for (const file of filesIn('docs/runbooks')) {
      for (const sentence of new Set(sentencesOf(read(`docs/runbooks/${file}`)))) {
        pagesOf.set(sentence, [...(pagesOf.get(sentence) ?? []), file])
      }
    }
    expect([...pagesOf].filter(([, files]) => files.length > 1)).toEqual([])
  })

  test.each([
    ['## Impact\n\nNone yet. All are\nawake now.', ['all are awake now']],
    ['1. Is it well? `up{job="a.b"}` shows: all of it.', ['is it well', '`up{job="a.b"}` shows: all of it']],
    ['- **Top up**: by a day.\n- See the [Other](Other.md).', ['top up: by a day', 'see the [other](other.md)']],
  ])('%j has the sentences %j', (page, sentences) => {
    expect(sentencesOf(page)).toEqual(sentences)
  })

  test('docs/alerting.md names the base of the runbooks', () => {
    expect(read('docs/alerting.md')).toContain(RUNBOOKS)
  })

  test.each(['docs/alerting.md', ...filesIn('docs/runbooks').map((file) => `docs/runbooks/${file}`)])(
    '%s names only metrics that exist',
    (path) => {
      const named = [...read(path).matchAll(/\bstakewatch_[a-z0-9_]+/g)].map(([name]) => name)
      expect(named).not.toEqual([])
      expect(named.filter((name) => !catalogue.has(name))).toEqual([])
    },
  )
})

describe('the file of rules', () => {
  const written = (text: string) =>
    (parseYaml(text) as { groups: { rules: Record<string, unknown>[] }[] }).groups.flatMap((group) => group.rules)

  test('has no time to wait for what fires at once', () => {
    const outflow = written(rulesYaml()).find(({ alert }) => alert === 'StakewatchUnexpectedOutflow')
    expect(outflow).not.toHaveProperty('for')
    expect(outflow).toMatchObject({ keep_firing_for: '10m' })
  })
})
