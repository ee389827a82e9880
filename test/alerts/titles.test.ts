// What an alert says first: a title that a locked telephone shows in full, and what to do.

import { describe, expect, test } from 'vitest'
import { groupsOf } from '../../src/alerts/rules.ts'
import { parseTemplate, render } from '../../src/alerts/template.ts'

const rules = groupsOf().flatMap((group) => group.rules)

const LONGEST_TITLE = 40
const LONGEST_ACTION = 120

/** One name of the length for which titles are made, in place of every label: an alert has some of them. */
const NAME = 'validator-01'
const SHORT_NAME = 'val-1'
/** A validator without a name of its own has its node id for a name: the title has as much of it as fits. */
const UNNAMED = ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'NodeID-7Xhw…'] as const
const labelsIn = (text: string) => [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!)

/** A text about an object that has the first, the second, … of the labels between which the text chooses, and the one that it asks for. */
function saidOf(text: string, name = NAME): string[] {
  const template = parseTemplate(text)
  const choices = [
    ...[...text.matchAll(/\{\{ or ([^}]+) \}\}/g)].map(([, some]) => labelsIn(some!)),
    ...[...text.matchAll(/\{\{ if ([^}]+) \}\}/g)].map(([, one]) => [...labelsIn(one!), 'none']),
  ]
  const most = Math.max(1, ...choices.map((some) => some.length))
  return Array.from({ length: most }, (_, at) => {
    const missing = choices.flatMap((some) => some.filter((_, one) => one !== Math.min(at, some.length - 1)))
    const named = labelsIn(text).filter((label) => !missing.includes(label))
    const labels = Object.fromEntries(named.map((label) => [label, name]))
    return render(template, { labels, value: 1, query: () => [] })
  })
}

/** The verbs with which an action may begin. */
const VERBS =
  /^(Add|Ask|Bring|Check|Close|Compare|Confirm|Decide|Do|Find|Finish|Get|Install|Keep|Look|Make|Move|Open|Plan|Postpone|Prepare|Put|Raise|Register|Report|Restart|Run|Send|Set|Shorten|Split|Stake|Start|Stop|Take|Tell|Top up|Upgrade) /

describe.each(rules)('$alert', ({ title, action, severity }) => {
  test('has a title that begins with its object and fits on a telephone', () => {
    for (const said of saidOf(title)) {
      expect(said.length).toBeLessThanOrEqual(LONGEST_TITLE)
      expect(said).toMatch(new RegExp(`^(${NAME}|stakewatch)\\b`))
      expect(said).not.toMatch(/\.$/)
    }
  })

  test('fits on a telephone with its severity before it, if the names are short', () => {
    for (const said of saidOf(title, SHORT_NAME)) {
      expect(`${severity.toUpperCase()} ${said}`.length).toBeLessThanOrEqual(LONGEST_TITLE)
    }
  })

  test('says in one sentence what to do first', () => {
    for (const said of saidOf(action)) {
      expect(said.length).toBeLessThanOrEqual(LONGEST_ACTION)
      expect(said).toMatch(VERBS)
      expect(said).toMatch(/^(?:[^.!?]|[.!?](?=\w|-))*\.$/)
    }
  })
})

const aboutValidators = rules.filter(({ title }) => title.includes('$labels.validator'))
test.each(aboutValidators)('$alert has a title as short for a validator without a name', ({ title }) => {
  const [id, shortened] = UNNAMED
  const said = saidOf(title.replaceAll(/\$labels\.(?!validator\b)(\w+)/g, '""'), id).join('\n')
  expect(said).toContain(shortened)
  expect(said).not.toContain(id)
})

test.each([
  ['StakeEndsSoon', 129_492, / ends in 1d 11h$/, / ends in 1d 11h\. /],
  ['L1BalanceRunningOut', 7_379.5, / ends in 2h 2m$/, / runs out in 2h 2m\. /],
  ['L1BalanceRunningOut', 45.12, / ends in 45s$/, / runs out in 45s\. /],
  ['DowntimeBudgetEnding', 779, /./, / another 12m 59s before/],
  ['ClockWrong', -90_061, /./, / slow by 1d 1h, /],
] as const)('Stakewatch%s says in two units at most how long %d s are', (name, value, title, description) => {
  const rule = rules.find(({ alert }) => alert === `Stakewatch${name}`)!
  const said = (text: string) => render(parseTemplate(text), { labels: { validator: NAME }, value, query: () => [] })
  expect(said(rule.title)).toMatch(title)
  expect(said(rule.title).length).toBeLessThanOrEqual(LONGEST_TITLE)
  expect(said(rule.description)).toMatch(description)
})

test('a time in a text has no fractions of a second', () => {
  const { description } = rules.find(({ alert }) => alert === 'StakewatchStakeEndsSoon')!
  const query = (asked: string) => (asked.includes('unknown_since') ? [{ labels: {}, value: 1_435_065_584.128 }] : [])
  const said = render(parseTemplate(description), { labels: {}, value: 1, query })
  expect(said).toMatch(/^There has been no data since 2015-06-23 13:19:44 \+0000 UTC, so/)
})

test('no two alerts have the same title', () => {
  const alerts = Map.groupBy(
    rules.flatMap(({ alert, title }) => [...new Set(saidOf(title))].map((said) => ({ alert, said }))),
    ({ said }) => said,
  )
  expect([...alerts.values()].filter((some) => some.length > 1)).toEqual([])
})

test.each([
  ['OwnNodeUnsteady', 1, ' started once within an hour.'],
  ['OwnNodeUnsteady', 3, ' started 3 times within an hour.'],
  ['LoggerVerbose', 1, /^1 logger of node .* writes at/],
  ['LoggerVerbose', 2, /^2 loggers of node .* write at/],
  ['NodeBehind', 1, ' is 1 block behind '],
  ['NodeBehind', 29, ' is 29 blocks behind '],
  ['DataServiceBehind', 1, ' has not listed the last block of '],
  ['DataServiceBehind', 3, ' has not listed the last 3 blocks of '],
  ['TurnsMissed', 1, ' missed its last turn to '],
  ['TurnsMissed', 8, ' missed its last 8 turns to '],
  ['ValidatorSilent', 1, ' 1 block of '],
  ['ValidatorSilent', 21.5, ' 21.5 blocks of '],
  ['SeriesMissing', 1, ' serves 1 more of the series '],
  ['UpgradeNear', 0, ' that activates now, '],
  ['UpgradeNear', 3_700, ' that activates in 1h 1m, '],
] as const)('the text of Stakewatch%s says of %d: %s', (name, value, text) => {
  const { description } = rules.find(({ alert }) => alert === `Stakewatch${name}`)!
  const said = render(parseTemplate(description), { labels: {}, value, query: () => [] })
  expect(said).toMatch(text)
})

test.each([
  [1, ': 1 token of 1, so it lacks 1.', 'Send at least 1 token to '],
  [0.000_05, ': 0.00005 tokens of 0.00005, so it lacks 0.00005.', 'Send at least 0.00005 tokens to '],
  [1_234_567.5, ': 1234567.5 tokens of 1234567.5, so it lacks 1234567.5.', 'Send at least 1234567.5 tokens to '],
  [2.5, ': 2.5 tokens of 2.5, so it lacks 2.5.', 'Send at least 2.5 tokens to '],
])('of a wallet with %d the text counts tokens', (value, holds, send) => {
  const { description, action } = rules.find(({ alert }) => alert === 'StakewatchWalletLow')!
  const said = (text: string) =>
    render(parseTemplate(text), { labels: {}, value: 0, query: () => [{ labels: {}, value }] })
  expect(said(description)).toContain(holds)
  expect(said(action)).toContain(send)
})
