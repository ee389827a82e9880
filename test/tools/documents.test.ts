// What the documents for people say of metrics, scripts and the configuration is true.

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { configFrom } from '../support/poll.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const readme = read('README.md')

const found = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))]

test('every metric that the README names is in the reference', () => {
  const reference = found(read('docs/metrics.md'), /^\| `(stakewatch_\w+)`/gm)
  const named = found(readme, /\b(stakewatch_\w+)/g)
  expect(named).toContain('stakewatch_validator_uptime_ratio')
  expect(named.filter((name) => !reference.includes(name))).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md'])('every script that %s names exists', (path) => {
  const scripts: string[] = Object.keys(packageFile.scripts)
  const named = found(read(path), /npm run (?:--silent )?([\w:]+)/g)
  expect(named).toContain('demo')
  expect(named.filter((name) => !scripts.includes(name!))).toEqual([])
})

test('the configuration in the README is valid', () => {
  const [yaml = ''] = found(readme, /```yaml\n(networks:[^`]+)```/g)
  expect(configFrom(yaml).networks).toMatchObject([
    { name: 'mainnet', nodes: [{ name: 'node-a' }], validators: [{ name: 'val-1' }] },
  ])
})

test.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/container.md'])(
  'every file that %s links to exists',
  (path) => {
    const links = found(read(path), /\]\((?!http)([^)#]+)\)/g)
    expect(links.filter((link) => !existsSync(new URL(link!, new URL(`../../${path}`, import.meta.url))))).toEqual([])
  },
)
