import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentSecurityPolicy, type Landing, landingPage } from '../../src/server/landing.ts'

const landing: Landing = {
  version: '1.2.3',
  prefix: '',
  telemetryPath: '/metrics',
  now: 100_000,
  tasks: [
    {
      network: 'fuji',
      key: 'supply/fuji/primary',
      result: 'success',
      reason: '',
      source: 'node-a',
      finishedAt: 88_000,
    },
    {
      network: 'fuji',
      key: 'uptime/fuji/primary/node-a',
      result: 'failure',
      reason: 'no answer',
      source: '',
      finishedAt: 101_000,
    },
    {
      network: 'fuji',
      key: 'avg-tps/fuji/c-chain',
      result: 'success',
      reason: '',
      source: 'metrics-api',
      finishedAt: 99_000,
    },
  ],
}

test('shows where the metrics are and how each task ended', () => {
  const page = landingPage(landing)
  expect(page).toContain('Version 1.2.3.')
  expect(page).toContain('<a href="/metrics">')
  const rows = [...page.matchAll(/<tr class="(\w+)">(.*)<\/tr>/g)].map(([, result, cells]) => [
    result,
    ...[...cells!.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell),
  ])
  expect(rows).toEqual([
    // What fails comes first. The clock was set back in between.
    ['failure', 'uptime/fuji/primary/node-a', 'failure', 'no answer', '', '0 s ago'],
    ['success', 'avg-tps/fuji/c-chain', 'success', '', 'metrics-api', '1 s ago'],
    ['success', 'supply/fuji/primary', 'success', '', 'node-a', '12 s ago'],
  ])
  expect(page).toContain('3 attempted, 1 of them failing.')
})

test('escapes whatever configuration and upstreams put into it', () => {
  const hostile = `</td><script>alert("1" + '2')</script>&amp;`
  const escaped = '&#60;/td&#62;&#60;script&#62;alert(&#34;1&#34; + &#39;2&#39;)&#60;/script&#62;&#38;amp;'
  const row = {
    network: 'fuji',
    key: hostile,
    result: 'failure',
    reason: hostile,
    source: hostile,
    finishedAt: 0,
  } as const
  const page = landingPage({ version: hostile, prefix: '', telemetryPath: hostile, now: 0, tasks: [row] })
  expect(page.split(escaped)).toHaveLength(6)
  expect(page).not.toContain('<script')
})

test('the policy lets the page have its one style sheet and nothing else', () => {
  const sheets = [...landingPage(landing).matchAll(/<style>([^]*?)<\/style>/g)].map(([, sheet]) => sheet!)
  expect(sheets).toHaveLength(1)
  const hash = createHash('sha256').update(sheets[0]!).digest('base64')
  expect(contentSecurityPolicy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ])
})
