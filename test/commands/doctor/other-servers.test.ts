// doctor with servers that speak the API of Prometheus with an accent, as real ones were seen to: VictoriaMetrics 1.130 with its
// vmalert, vmalert alone, and the ruler of Mimir.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseDuration } from '../../../src/lib/duration.ts'
import type { Io } from '../../../src/commands/io.ts'
import { bare } from '../../support/bare-server.ts'
import { inPackage, runCommand } from '../../support/command.ts'

interface Rule {
  alert?: string
  record?: string
  expr: string
  for?: string
  keep_firing_for?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

const file = readFileSync(new URL('../../../alerts/stakewatch.rules.yaml', import.meta.url), 'utf8')
const { groups } = parse(file) as { groups: { name: string; rules: Rule[] }[] }

const EMPTY = 'networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://127.0.0.1:1" }] }]\n'

const secondsOf = (text: string | undefined) => (parseDuration(text ?? '') ?? 0) / 1_000

/** Go leaves out what is empty. */
function asVmalert({ alert, record, expr, for: waits, keep_firing_for: holds, labels, annotations }: Rule) {
  const common = { state: 'inactive', name: alert ?? record, query: expr, labels, annotations, health: 'ok' }
  const keeps = secondsOf(holds)
  const alerting = { type: 'alerting', duration: secondsOf(waits), ...(keeps > 0 && { keep_firing_for: keeps }) }
  return { ...common, ...(alert === undefined ? { type: 'recording', duration: 0 } : alerting) }
}

/** The ruler of Mimir says null where there are no labels. */
function asMimir({ alert, record, expr, for: waits, keep_firing_for: holds, labels, annotations }: Rule) {
  const common = { name: alert ?? record, query: expr, labels: labels ?? null, health: 'ok', lastError: '' }
  return alert === undefined
    ? { ...common, type: 'recording' }
    : { ...common, annotations, type: 'alerting', duration: secondsOf(waits), keepFiringFor: secondsOf(holds) }
}

const rulesAs = (form: (rule: Rule) => object) => ({
  groups: groups.map(({ name, rules }) => ({ name, file: 'rules', interval: 60, rules: rules.map(form) })),
})

const success = (data: unknown) => ({ body: JSON.stringify({ status: 'success', data }) })
const missing = { status: 400, body: 'unsupported path requested: "/api/v1/x"' }
const now = () => Date.now() / 1_000

async function findings(
  answer: (path: string) => { status?: number; body: string },
  more: readonly string[] = [],
  io: Partial<Io> = {},
) {
  const { url } = await bare((asked) => answer(asked.url))
  const { stdout } = await runCommand(['doctor', `--prometheus=${url}`, '--json', ...more], { ...inPackage, ...io })
  const all = (JSON.parse(stdout) as { findings: { check: string; level: string; found: string }[] }).findings
  return Object.fromEntries(
    all.map(({ check, level, found }) => [check, `${level}: ${found.replace(/^\S+:\d+/, 'it')}`]),
  )
}

test('VictoriaMetrics answers time() with a vector, and its configuration has no global part', async () => {
  const found = await findings((path) => {
    if (path.includes('time()')) {
      return success({ resultType: 'vector', result: [{ metric: {}, value: [now(), String(now())] }] })
    }
    if (path.includes('/rules')) return success(rulesAs(asVmalert))
    if (path.includes('/config')) return success({ yaml: 'scrape_configs:\n- job_name: stakewatch\n' })
    if (path.includes('/targets')) return success({ activeTargets: [] })
    return path.includes('/query') ? success({ resultType: 'vector', result: [] }) : missing
  })
  expect(found).toMatchObject({
    'prometheus/clock': 'ok: the clock of Prometheus agrees with the one here',
    'prometheus/rules': expect.stringMatching(/^ok: \d+ rules/) as string,
    'prometheus/replica-label': 'ok: no label of a replica is in the alerts',
    'prometheus/retention': 'unknown: it does not have this part of the API',
  })
})

test('vmalert alone answers no query, and its rules are compared all the same', async () => {
  const found = await findings((path) => (path.includes('/rules') ? success(rulesAs(asVmalert)) : missing))
  expect(found).toMatchObject({
    'prometheus/rules': expect.stringMatching(/^ok: \d+ rules/) as string,
    'prometheus/clock': 'unknown: it does not have this part of the API',
  })
})

test('Mimir', async () => {
  const found = await findings((path) => {
    if (path.includes('time()')) return success({ resultType: 'scalar', result: [now(), String(now())] })
    if (path.includes('/rules')) return success(rulesAs(asMimir))
    return path.includes('/query') ? success({ resultType: 'vector', result: [] }) : { status: 404, body: '404' }
  })
  expect(found).toMatchObject({ 'prometheus/rules': expect.stringMatching(/^ok: \d+ rules/) as string })
})

test('a difference is found in each of these forms', async () => {
  const changed = (rule: Rule): Rule =>
    rule.alert === 'StakewatchNodesDown' ? { ...rule, keep_firing_for: '1m' } : rule
  for (const form of [asVmalert, asMimir]) {
    const found = await findings((path) =>
      path.includes('/rules') ? success(rulesAs((rule) => form(changed(rule)))) : missing,
    )
    expect(found['prometheus/rules']).toMatch(
      /^failed: StakewatchNodesDown was changed: it keeps firing for 1m instead/,
    )
  }
})

test('rules with the limits and the waiting times of a configuration are those of this version', async () => {
  const yaml = `${EMPTY}limits: { restarts: 5 }\nalerts: { StakewatchNodesDown: { for: 9m } }\n`
  const readFile = (path: string) => (path === 'own.yml' ? yaml : inPackage.readFile(path))
  const flags = ['--config.file=own.yml']
  const { stdout } = await runCommand(['alerts', ...flags], { ...inPackage, readFile })
  const printed = (parse(stdout) as { groups: { name: string; rules: Rule[] }[] }).groups
  const loaded = { groups: printed.map(({ name, rules }) => ({ name, interval: 60, rules: rules.map(asMimir) })) }
  const answer = (path: string) => (path.includes('/rules') ? success(loaded) : missing)
  expect((await findings(answer))['prometheus/rules']).toMatch(/^failed: /)
  expect(await findings(answer, flags, { readFile })).toMatchObject({
    'prometheus/rules': expect.stringMatching(/^ok: \d+ rules/) as string,
  })
})
