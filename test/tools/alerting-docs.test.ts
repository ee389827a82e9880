// What docs/alerting.md, the chart, the compose files and the runbooks say of rules, flags and files is what is there.

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DASHBOARDS, RUNBOOKS } from '../../src/alerts/links.ts'
import { JOB } from '../../src/alerts/groups.ts'
import { groupsOf } from '../../src/alerts/rules.ts'
import { withFacts } from '../../tools/alerts.ts'
import { runCommand } from '../support/command.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const found = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))]

const alerting = read('docs/alerting.md')
const rules = groupsOf().flatMap((group) => group.rules)
const pages = ['docs/alerting.md', 'docs/install.md', 'deploy/compose/README.md', 'deploy/helm/stakewatch/README.md']

describe('docs/alerting.md', () => {
  test('names files that exist', () => {
    const named = found(alerting, /`((?:src|test|tools|docs|alerts|dashboards|deploy)\/[\w./-]*)`/g)
    expect(named).toContain('src/alerts/thresholds.ts')
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  })

  test('names alerts that exist', () => {
    const names = rules.map(({ alert }) => alert)
    expect(found(alerting, /\b(Stakewatch[A-Z]\w+)/g).filter((name) => !names.includes(name))).toEqual([])
  })

  test('names metrics that exist', () => {
    const reference = read('docs/metrics.md')
    const named = found(alerting, /\b(stakewatch_\w+)/g)
    expect(named.filter((name) => !reference.includes(`- \`${name}`))).toEqual([])
  })

  test('has the line of the example that chooses the pager', () => {
    const example = read('alerts/alertmanager.example.yml')
    const [line] = found(alerting, /^(- <<: \*.*)$/gm)
    expect(line).toBeDefined()
    expect(example).toContain(`  ${line}\n`)
  })
})

test('every flag of stakewatch alerts that a page names exists', async () => {
  const { stdout } = await runCommand(['alerts', '--help'])
  for (const page of pages) {
    const flags = found(read(page), /stakewatch alerts((?: --[\w-]+=\S+)+)/g).flatMap((text) =>
      found(text, /(--[\w-]+)=/g),
    )
    expect(flags.filter((flag) => !stdout.includes(flag))).toEqual([])
  }
})

describe('the compose files, the chart and the pages agree', () => {
  const { services } = parse(read('deploy/compose/compose.yml')) as { services: Record<string, { command: string[] }> }
  const [grace = ''] = found(services['prometheus']!.command.join('\n'), /^(--rules\.alert\.for-grace-period=\w+)$/gm)
  const [, period = ''] = grace.split('=')

  test('on the grace period of Prometheus, which no rule undercuts', () => {
    expect(period).toBe('1m')
    for (const page of ['docs/alerting.md', 'docs/install.md']) expect(read(page)).toContain(grace)
    for (const page of ['docs/alerting.md', 'deploy/helm/stakewatch/README.md']) {
      expect(read(page)).toContain(`forGracePeriod: ${period}`)
    }
    expect(rules.filter(({ for: waits }) => waits > 0 && waits < 60)).toEqual([])
  })

  test('on the job', () => {
    const job = `job_name: ${JOB}`
    for (const path of ['docs/alerting.md', 'docs/install.md', 'README.md', 'deploy/compose/prometheus.yml']) {
      expect(read(path)).toContain(job)
    }
    expect(read('deploy/helm/stakewatch/templates/servicemonitor.yaml')).toContain(
      `targetLabel: job, replacement: ${JOB}`,
    )
  })

  test('on where links lead until someone sets them', () => {
    expect(alerting).toContain(RUNBOOKS)
    expect(alerting).toContain(DASHBOARDS)
    expect(read('deploy/compose/compose.yml')).toContain(`127.0.0.1:${new URL(DASHBOARDS).port}:`)
  })
})

const WORDS = ['no', 'a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
/** The waiting time with which a sentence begins, in minutes. */
function statedIn(text: string): number | undefined {
  const [, count = '', unit = ''] = /\bFor (an?|a quarter of an|\d+|\w+) (minute|hour)s?\b/.exec(text) ?? []
  if (count === 'a quarter of an') return 15
  const number = count === 'an' ? 1 : WORDS.includes(count) ? WORDS.indexOf(count) : { fifteen: 15, twenty: 20 }[count]
  const amount = number ?? Number(count || Number.NaN)
  return Number.isNaN(amount) ? undefined : amount * (unit === 'hour' ? 60 : 1)
}

test.each([
  ['For five minutes the node', 5],
  ['For a quarter of an hour less', 15],
  ['For an hour it has been so.', 60],
  ['For 25 minutes', 25],
  ['For some minutes', undefined],
  ['no sign of life for a minute', undefined],
])('%j states %s minutes', (text, minutes) => {
  expect(statedIn(text)).toBe(minutes)
})

describe.each(rules)('the runbook of $alert', ({ alert, severity, for: waits }) => {
  const page = read(`docs/runbooks/${alert}.md`)

  test('has the severity, the waiting time and the metrics of its rule, as npm run generate writes them', () => {
    expect(page).toBe(withFacts(page))
    const level = severity === 'own' ? 'that of the drill' : `\`${severity}\``
    expect(page.split('\n')[2]).toContain(`Severity ${level}, fires ${waits > 0 ? 'after' : 'at once'}`)
  })

  test('means no other waiting time', () => {
    const [, meaning = ''] = page.split(/^## .*$/m)
    expect([undefined, waits / 60]).toContain(statedIn(meaning))
  })
})
