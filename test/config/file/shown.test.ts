import { describe, expect, test } from 'vitest'
import { shownConfig } from '../../../src/config/file/effective.ts'
import { certificate } from '../../support/certificates.ts'
import { example, loadAsExample } from '../../support/example.ts'
import { configFrom } from '../../support/poll.ts'

const MARKER = 'hunter2'

test.each([
  ['http://10.0.0.5:9650', 'http://10.0.0.5:9650'],
  ['https://node.example', 'https://node.example'],
  [`https://node.example/${MARKER}`, 'https://node.example/<secret>'],
  [`https://node.example:444/?key=${MARKER}`, 'https://node.example:444/<secret>'],
  [`https://${MARKER}:${MARKER}@node.example`, 'https://<secret>@node.example'],
  [`https://${MARKER}@node.example/${MARKER}`, 'https://<secret>@node.example/<secret>'],
])('of the URL %s it shows %s', (url, shown) => {
  const text = shownConfig(configFrom(`networks: [{ name: a, nodes: [{ name: b, url: '${url}' }] }]`))
  expect(text).toContain(`url: ${shown}\n`)
  expect(text).not.toContain(MARKER)
})

test('a key that looks like a URL is a key', () => {
  const text = shownConfig(
    configFrom(`networks: [{ name: fuji, data_api: { url: 'https://data.example', key: 'https://${MARKER}' } }]`),
  )
  expect(text).toContain('key: <secret>\n')
  expect(text).not.toContain(MARKER)
})

test('keys are secret, and the names of their headers are not', () => {
  const text = shownConfig(
    configFrom(
      `networks: [{ name: fuji, data_api: { url: 'https://data.example', key: ${MARKER}, key_header: x-a } }]`,
    ),
  )
  expect(text).toContain('key: <secret>\n')
  expect(text).toContain('key_header: x-a\n')
  expect(text).not.toContain(MARKER)
})

const times = `
networks:
  - name: own
    upgrade_time: 2026-07-28T15:00:00Z
    nodes: [{ name: a, url: 'http://10.0.0.5:9650' }]
    delegation: { min_duration: 1h30m }
    chains: [{ id: p-chain, stall_after: 90s }]
    icm: { lookback: 1d12h }
    validators:
      - { node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg, planned_end: '2026-12-24T12:00:00+01:00' }
defaults: { timeout: 2500ms, ttl: 4 }
collectors: { uptime: { every: 30s }, supply: { enabled: false } }
`

describe('what it shows is the configuration in force:', () => {
  test.each([
    ['the example', example],
    ['a preset', 'networks: [{ name: main, preset: mainnet }]'],
    ['durations and times', times],
  ])('%s is read again as it was', (_, yaml) => {
    const config = yaml === example ? loadAsExample(yaml) : configFrom(yaml)
    // A key in PEM form has more lines than the mask.
    const { cert, key } = certificate('client')
    const pem = { ca: cert, cert, key }
    const shown = shownConfig(config).replace(
      /^( {10}(ca|cert|key): )<secret>$/gm,
      (_, start: string, name: keyof typeof pem) => start + JSON.stringify(pem[name]),
    )
    const again = configFrom(shown)
    expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(config)))
  })
})
