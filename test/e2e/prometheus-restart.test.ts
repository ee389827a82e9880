// A restart of Prometheus with the flags of deploy/compose resolves no page and repeats none; with the default of the flag
// that docs/alerting.md explains it does both. Every critical rule with a `for` takes part, with an expression that always
// holds and needs no scrape: a scrape that the end of Prometheus interrupts marks its series stale, and with these short
// intervals the next one would come after `for` is restored.

import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { groupsOf, rulesYaml } from '../../src/alerts/rules.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { type Notification, exampleText, startAlertmanager } from './support/alertmanager.ts'
import { start, type Started, temporaryFolder } from './support/processes.ts'
import { hastened } from './support/prometheus.ts'
import { eventually } from './support/scrape.ts'

/** Milliseconds that a minute takes. */
const MINUTE = 2_000
const scaled = (time: string) => `${(parseDuration(time)! * MINUTE) / 60_000}ms`
const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const [, SHIPPED = ''] = /--rules\.alert\.for-grace-period=(\w+)/.exec(text('deploy/compose/compose.yml')) ?? []
/** As `prometheus --help` says. */
const DEFAULT = '10m'

const waiting = groupsOf()
  .flatMap(({ rules }) => rules)
  .filter(({ severity, for: waits }) => severity === 'critical' && waits > 0)
/** The longest: its gap is longer than Prometheus vouches for an alert, four minutes after it last sent it. */
const slow = waiting.filter(({ for: waits }) => waits === 300).map(({ alert }) => alert)

interface Rules {
  groups: { name: string; rules: { alert?: string; expr: string; keep_firing_for?: string }[] }[]
}

/** Ours, but that each always fires. */
function firingRules(): string {
  const { groups } = parse(rulesYaml()) as Rules
  const names = new Set(waiting.map(({ alert }) => alert))
  const rules = groups.flatMap((group) => group.rules.filter(({ alert }) => alert !== undefined && names.has(alert)))
  const firing = rules.map((rule) => ({ ...rule, expr: 'vector(1)' }))
  return hastened(stringify({ groups: [{ name: 'firing', rules: firing }] }), 60_000 / MINUTE)
}

/**
 * Evaluations for which an alert may be missing: Prometheus vouches for it for four minutes and may have sent it a minute
 * before. It restores `for` in the second evaluation.
 */
const MAY_MISS = 6 - 2

interface Life {
  sent: { alert: string; status: string }[]
  restart(): Promise<void>
  /** By alert, the evaluations since the restart that left it in a state. None is written before `for` is restored. */
  evaluations(state: 'pending' | 'firing'): Promise<ReadonlyMap<string, number>>
}

const endings: (() => Promise<unknown>)[] = []

async function prometheusWith(gracePeriod: string): Promise<Life> {
  const sent: Life['sent'] = []
  const hear = ({ alerts }: Notification) => {
    for (const { labels, status } of alerts) sent.push({ alert: labels['alertname']!, status })
  }
  const soon = exampleText.replaceAll(/group_(wait|interval): \w+/g, 'group_$1: 10s')
  const alertmanager = await startAlertmanager(MINUTE, hear, soon)
  endings.push(alertmanager.end)
  const folder = await temporaryFolder()
  endings.push(folder.remove)
  const file = join(folder.path, 'prometheus.yml')
  await writeFile(join(folder.path, 'rules.yml'), firingRules())
  await writeFile(
    file,
    `global: { evaluation_interval: ${scaled('30s')} }
rule_files: [rules.yml]
alerting: { alertmanagers: [{ static_configs: [{ targets: ["${alertmanager.address}"] }] }] }
`,
  )
  const run = () =>
    start('prometheus', [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      `--rules.alert.resend-delay=${scaled('1m')}`,
      `--rules.alert.for-grace-period=${scaled(gracePeriod)}`,
    ])
  let prometheus: Started = run()
  let restarted = 0
  endings.push(() => prometheus.end())
  async function query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    const address = await prometheus.said(/msg="Listening on" address=(\S+)/)
    const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`)
    return ((await answer.json()) as { data: { result: [] } }).data.result
  }
  return {
    sent,
    async restart() {
      expect(await prometheus.end()).toBe(0)
      restarted = Date.now()
      prometheus = run()
      await prometheus.said(/msg="(Server is ready) to receive web requests/)
    },
    async evaluations(state) {
      const since = `${Date.now() - restarted}ms`
      const found = await query(`count_over_time(ALERTS{alertstate="${state}"}[${since}])`)
      return new Map(found.map(({ metric, value }) => [metric['alertname']!, Number(value[1])]))
    },
  }
}

const namesOf = (sent: Life['sent'], status: string) =>
  sent.filter((one) => one.status === status).map((one) => one.alert)

describe('a restart of Prometheus', () => {
  let shipped: Life
  let usual: Life

  beforeAll(async () => {
    ;[shipped, usual] = await Promise.all([prometheusWith(SHIPPED), prometheusWith(DEFAULT)])
    for (const { sent } of [shipped, usual]) {
      await eventually('every rule fires', async () => new Set(namesOf(sent, 'firing')).size === waiting.length)
    }
    await Promise.all([shipped.restart(), usual.restart()])
    // Once the page was resolved and has come again there, it would have been here as well.
    await eventually('the pages come again with the default', async () =>
      slow.every((alert) => namesOf(usual.sent, 'firing').filter((one) => one === alert).length > 1),
    )
  })

  afterAll(async () => {
    for (const end of endings.toReversed()) await end()
  })

  // Counted in evaluations, not seconds: how fast this machine starts Prometheus decides nothing.
  test('resolves no page and repeats none with the flags of deploy/compose', async () => {
    await eventually('all fire again', async () => (await shipped.evaluations('firing')).size === waiting.length)
    expect(Math.max(0, ...(await shipped.evaluations('pending')).values())).toBeLessThan(MAY_MISS)
    const late = await usual.evaluations('pending')
    expect(slow.filter((alert) => (late.get(alert) ?? 0) < MAY_MISS)).toEqual([])
  })

  test('resolves pages with the default of Prometheus, and sends them again', () => {
    expect(slow.length).toBeGreaterThan(5)
    expect(namesOf(usual.sent, 'resolved')).toEqual(expect.arrayContaining(slow))
  })
})

test('no rule waits for less than the grace period, unless it fires at once', () => {
  const short = groupsOf()
    .flatMap(({ rules }) => rules)
    .filter(({ for: waits }) => waits > 0 && waits * 1_000 < parseDuration(SHIPPED)!)
  expect(short.map(({ alert }) => alert)).toEqual([])
})
