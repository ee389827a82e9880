// What docs/alerting.md, the chart, the compose files and the runbooks say of rules, flags and files is what is there.

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DASHBOARDS, RUNBOOKS } from '../../src/alerts/links.ts'
import { duration, groupsOf, JOB } from '../../src/alerts/rules.ts'
import { runCommand } from '../support/command.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const found = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))]

const alerting = read('docs/alerting.md')
const rules = groupsOf().flatMap((group) => group.rules)
const pages = ['docs/alerting.md', 'docs/operating.md', 'deploy/compose/README.md', 'deploy/helm/stakewatch/README.md']

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
    expect(named.filter((name) => !reference.includes(`\`${name}\``) && !reference.includes(name))).toEqual([])
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
    for (const page of ['docs/alerting.md', 'docs/operating.md']) expect(read(page)).toContain(grace)
    for (const page of ['docs/alerting.md', 'deploy/helm/stakewatch/README.md']) {
      expect(read(page)).toContain(`forGracePeriod: ${period}`)
    }
    expect(rules.filter(({ for: waits }) => waits > 0 && waits < 60)).toEqual([])
  })

  test('on the job', () => {
    const job = `job_name: ${JOB}`
    for (const path of ['docs/alerting.md', 'docs/operating.md', 'README.md', 'deploy/compose/prometheus.yml']) {
      expect(read(path)).toContain(job)
    }
    expect(read('deploy/helm/stakewatch/templates/servicemonitor.yaml')).toContain('jobLabel')
  })

  test('on where links lead until someone sets them', () => {
    expect(alerting).toContain(RUNBOOKS)
    expect(alerting).toContain(DASHBOARDS)
    expect(read('deploy/compose/compose.yml')).toContain(`127.0.0.1:${new URL(DASHBOARDS).port}:`)
  })
})

const WORDS: Readonly<Record<number, string>> = {
  2: 'two',
  3: 'three',
  5: 'five',
  10: 'ten',
  15: 'fifteen',
  20: 'twenty',
}

describe.each(rules.filter(({ for: waits }) => waits > 0))('the runbook of $alert', ({ alert, for: waits }) => {
  test('states no other waiting time than that of the rule', () => {
    const [meaning = ''] = read(`docs/runbooks/${alert}.md`).split('## Impact')
    const stated = /\bFor (?:at least |more than )?(\w+|\d+) (minutes?|hours?)\b/.exec(meaning)
    if (stated === null) return
    const [, count = '', unit = ''] = stated
    const minutes = waits / 60
    const amount = unit.startsWith('hour') ? minutes / 60 : minutes
    const allowed = [String(amount), WORDS[amount], duration(waits), amount === 1 ? 'a' : '', amount === 1 ? 'an' : '']
    expect(allowed).toContain(count)
  })
})
