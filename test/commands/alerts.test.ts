// alerts: the committed rules, with other links and another job.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'

const committed = readFileSync(new URL('../../alerts/stakewatch.rules.yaml', import.meta.url), 'utf8')
const OWN = 'https://wiki.example.org/stakewatch/'

const printed = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCommand(['alerts', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}
const linksIn = (rules: string) => [...rules.matchAll(/runbook_url: (.*\/)(\w+)\.md$/gm)].map(([, base]) => base)
const jobsIn = (rules: string) => [...rules.matchAll(/\bjob="([^"]*)"/g)].map(([, job]) => job)

test('prints the committed rules by default', async () => {
  expect(await printed()).toBe(committed)
})

test.each([
  ['as it is', OWN, OWN],
  ['with the slash that its end lacks', 'https://wiki.example.org/stakewatch', OWN],
  ['with one slash at its end', 'https://wiki.example.org/stakewatch//', OWN],
  ['without a path', 'http://10.0.0.7:8080', 'http://10.0.0.7:8080/'],
  ['with its spaces escaped', 'https://wiki.example.org/on call/', 'https://wiki.example.org/on%20call/'],
  // Prometheus would take them for a template.
  ['with its braces escaped', 'https://wiki.example.org/{{on_call}}/', 'https://wiki.example.org/%7B%7Bon_call%7D%7D/'],
])('each alert links to the given base of runbooks, %s', async (_, given, base) => {
  const links = linksIn(await printed(`--runbook-base=${given}`))
  expect(links).toHaveLength(committed.match(/^ +- alert: /gm)!.length)
  expect(new Set(links)).toEqual(new Set([base]))
})

test('each alert links to the given Grafana, below its path', async () => {
  const links = [
    ...(await printed('--dashboard-base=https://grafana.example.org/ops')).matchAll(/dashboard_url: '?(\S*?)d\//g),
  ]
  expect(links).toHaveLength(committed.match(/^ +- alert: /gm)!.length)
  expect(new Set(links.map(([, base]) => base))).toEqual(new Set(['https://grafana.example.org/ops/']))
})

test.each(['stakewatch-mainnet', "the nodes' exporter", 'réseau {{ 1 }}'])(
  'each expression that selects a job selects %j, and nothing else changes',
  async (job) => {
    const rules = await printed(`--job=${job}`)
    const jobs = jobsIn(rules)
    expect(jobs.length).toBeGreaterThan(0)
    expect(jobs).toHaveLength(jobsIn(committed).length)
    expect(new Set(jobs)).toEqual(new Set([job]))
    expect(rules.replaceAll(`job="${job}"`, 'job="stakewatch"')).toBe(committed)
  },
)

test('--config.file prints the rules with its waiting times, and changes nothing else', async () => {
  const yaml = 'networks: [{ name: fuji }]\nalerts: { StakewatchNodeBehind: { for: 90s } }\n'
  const { code, stdout: rules } = await runCommand(['alerts', '--config.file=a.yml'], { readFile: () => yaml })
  expect(code).toBe(0)
  const lines = committed.split('\n')
  const changed = rules
    .split('\n')
    .flatMap((line, at) => (line === lines[at] ? [] : [[lines[at]!.trim(), line.trim()]]))
  expect(changed).toEqual([['for: 10m', 'for: 90s']])
})
