// What the documents for people say of metrics, scripts and the configuration is true.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { exitCodes } from '../../src/commands/failure.ts'
import { configFrom } from '../support/poll.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const readme = read('README.md')

const found = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))]

test('every metric that the README names is in the reference', () => {
  const reference = found(read('docs/metrics.md'), /^- `(stakewatch_\w+)/gm)
  const named = found(readme, /\b(stakewatch_\w+)/g)
  expect(named).toContain('stakewatch_validator_uptime_ratio')
  expect(named.filter((name) => !reference.includes(name))).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md'])('every script that %s names exists', (path) => {
  const scripts: string[] = Object.keys(packageFile.scripts)
  const named = found(read(path), /npm run (?:--silent )?([\w:]+(?:-\w+)*)/g)
  expect(named).toContain('demo')
  expect(named.filter((name) => !scripts.includes(name!))).toEqual([])
})

test('the configuration in the README is valid', () => {
  const [yaml = ''] = found(readme, /```yaml\n(networks:[^`]+)```/g)
  expect(configFrom(yaml).networks).toMatchObject([
    { name: 'mainnet', nodes: [{ name: 'node-a' }, { name: 'public' }], validators: [{ name: 'val-1' }] },
  ])
})

test('docs/configure.md lists the exit codes of commands', () => {
  const [, list = ''] = /^## Exit codes\n([^]*?)^## /m.exec(read('docs/configure.md')) ?? []
  const listed = found(list, /^- (\d+)(?=:|,)/gm).map(Number)
  expect(listed).toEqual([...new Set([0, ...Object.values(exitCodes), 10])].toSorted((a, b) => a - b))
})

const root = new URL('../../', import.meta.url)
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'deploy/compose/README.md',
  'deploy/helm/stakewatch/README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
]

test.each(pages)('every file that %s links to exists', (path) => {
  const links = found(read(path), /\]\((?!http)([^)#]+)\)/g)
  expect(links.filter((link) => !existsSync(new URL(link!, new URL(path, root))))).toEqual([])
})

test.each(['CONTRIBUTING.md', 'docs/design.md', 'docs/decisions.md', 'docs/how-it-is-tested.md'])(
  'every folder and file that %s names exists',
  (path) => {
    const named = found(read(path), /`((?:src|test|tools|docs|alerts|dashboards|\.ci)\/[\w./*-]*)`/g)
    expect(named).not.toEqual([])
    expect(named.filter((one) => !isThere(one!))).toEqual([])
  },
)

/** `*` stands for a part of a file's name. */
function isThere(path: string): boolean {
  const [, folder = '', file = ''] = /^(.*\/)([^/]*)$/.exec(path)!
  if (!file.includes('*')) return existsSync(new URL(path, root))
  const pattern = new RegExp(`^${file.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  return readdirSync(new URL(folder, root)).some((one) => pattern.test(one))
}

test('docs/design.md is read in a quarter of an hour, and a decision takes three lines at most', () => {
  expect(read('docs/design.md').length).toBeLessThan(15_000)
  const decisions = read('docs/decisions.md').split(/^(?=- |## )/m)
  const long = decisions.filter((one) => one.startsWith('- ') && one.trim().split('\n').length > 3)
  expect(long).toEqual([])
})
