import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { configSchema } from '../../src/config/schema.ts'
import { BaseError } from '../../src/errors.ts'
import { keyPaths, plainCollectors, plainConfig, withValue } from '../support/schema-keys.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const BARE = 'fuji1378cxtyt3zmyaku6tm5028wj0lphlycxxtzcjz'
const WALLET = `P-${BARE}`
const OTHER_L1 = '2CnY2biBmC4qy9GCYoBaQw3U8rbAqFwLX9TuG6GzXKdaMq5tqe'
const CHAIN = 'z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA'
const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'

const env = { KEY: 'k3y', HOST: '10.0.0.5', NESTED: 'a${KEY}', DIGITS: '123', NO: 'false', DIRECTORY: '/run/secrets' }
const files: Readonly<Record<string, string>> = {
  key: 'k3y\n',
  'windows-key': '\uFEFFk3y\r\n',
  'nested-key': 'a${KEY}',
  'quoted-key': '"k3y"',
  '/run/secrets/key': 'mounted',
}

function missing(path: string): never {
  throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' })
}

const load = (yaml: string) =>
  loadConfig(yaml, {
    file: 'config.yaml',
    env,
    readFile: (path) => files[path] ?? missing(path),
    collectors: plainCollectors,
  })

function reportOf(yaml: string): string[] {
  try {
    load(yaml)
    return []
  } catch (error) {
    if (error instanceof BaseError) return error.message.split('\n')
    throw error
  }
}

describe('a configuration', () => {
  test('needs little: the rest has defaults', () => {
    const config = load(`
networks:
  - name: fuji
    upgrade_time: 2026-07-28T17:00:00+02:00
    nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }]
    data_api: { url: "https://data.example" }
    metrics_api: { url: "https://metrics.example" }
    validators: [{ node_id: ${ONE} }]
    subnets: [{ id: ${L1} }]
    chains: [{ id: p-chain }]
    addresses: [{ name: treasury, addresses: [${WALLET}] }]
`)
    // The URLs by their hosts, as JSON shows them.
    expect(JSON.parse(JSON.stringify(config))).toEqual({
      networks: [
        {
          name: 'fuji',
          network: 'fuji',
          network_id: 5,
          // 2026-07-28T15:00:00Z: 56 years of 365 days, 14 leap days, and 208 days of 2026, plus 15 hours.
          upgrade_time: (56 * 365 + 14 + 208) * 86_400 + 15 * 3_600,
          nodes: [{ name: 'node-a', url: '10.0.0.5:9650', index: false, admin: 'off' }],
          data_api: { url: 'data.example', network: 'fuji', key_header: 'x-data-api-key' },
          metrics_api: { url: 'metrics.example' },
          validators: [{ node_id: ONE, name: ONE, subnet: 'primary', expect: {} }],
          subnets: [
            { id: '11111111111111111111111111111111LpoYY', name: 'primary', validators: 'tracked' },
            { id: L1, name: L1, validators: 'tracked' },
          ],
          chains: [{ id: 'p-chain', name: 'p-chain', decimals: 18, expect: {} }],
          addresses: [{ name: 'treasury', addresses: [WALLET], chains: [], tokens: {}, expect: {} }],
          l1_fee: { target: 10_000, excess_constant: 51_937_021, min_price: 512 },
          // A day of 86,400 seconds.
          delegation: { factor: 5, max_stake: 3_000_000, min_duration: 86_400_000, min_delegation: 1 },
          currency: 'usd',
          icm: { routes: [], lookback: 86_400_000 },
          signature_probes: [],
          maintenance: [],
        },
      ],
      defaults: { timeout: 10_000, ttl: 3 },
      collectors: {},
      limits: {},
      alerts: {},
    })
  })

  test('of a network alone is one with nothing to watch', () => {
    const [network] = load('networks: [{ name: fuji }]').networks
    const nothing = { nodes: [], validators: [], chains: [], addresses: [] }
    expect(network).toMatchObject({ ...nothing, data_api: undefined })
    expect(network).not.toHaveProperty('metrics_api')
  })

  test('may repeat a part by its anchor', () => {
    const { networks } = load(`
networks:
  - name: mainnet
    validators: &mine [{ node_id: ${ONE}, name: one }]
  - name: fuji
    validators: *mine
`)
    expect(networks.map(({ validators }) => validators)).toEqual([
      [{ node_id: ONE, name: 'one', subnet: 'primary', expect: {} }],
      [{ node_id: ONE, name: 'one', subnet: 'primary', expect: {} }],
    ])
  })

  test('may name a validator in each of its subnets, and an address in each of its wallets', () => {
    const [network] = load(`
networks:
  - name: fuji
    subnets: [{ id: ${L1} }, { id: ${OTHER_L1}, name: my-l1 }]
    validators:
      - { node_id: ${ONE}, name: one }
      - { node_id: ${ONE}, name: one, subnet: my-l1 }
      - { node_id: ${ONE}, subnet: ${L1} }
    addresses:
      - { name: all, addresses: [${WALLET}, fuji1xzdwu7ghljxlzqwywwhxknsn3ksq89xr3c5n72] }
      - { name: cold, addresses: [${WALLET}] }
`).networks
    expect(network?.validators.map(({ name, subnet }) => [name, subnet])).toEqual([
      ['one', 'primary'],
      ['one', 'my-l1'],
      [ONE, L1],
    ])
    expect(network?.addresses.map(({ addresses }) => addresses.length)).toEqual([2, 1])
  })

  test('takes addresses with the prefix of any chain or none, as they are written; owners are those of the P-Chain', () => {
    const [network] = load(`
networks:
  - name: local
    data_api: { url: "https://data.example", network: testnet }
    validators: [{ node_id: ${ONE}, expect: { reward_addresses: [X-${BARE}, ${BARE}], auto_renew: false } }]
    addresses:
      - { name: p, addresses: [P-${BARE}] }
      - { name: x, addresses: [X-${BARE}] }
      - { name: c, addresses: [C-${BARE}] }
      - { name: any, addresses: [${BARE}] }
`).networks
    expect(network?.addresses.map(({ addresses }) => addresses)).toEqual([
      [`P-${BARE}`],
      [`X-${BARE}`],
      [`C-${BARE}`],
      [BARE],
    ])
    expect(network?.validators[0]?.expect).toEqual({ reward_addresses: [WALLET, WALLET], auto_renew: false })
  })

  test('says where a wallet of 0x addresses is looked for, and for which tokens', () => {
    const [network] = load(`
networks:
  - name: fuji
    data_api: { url: "https://data.example" }
    chains: [{ id: c-chain, evm_chain_id: 43113 }, { id: ${CHAIN}, name: mine, evm_chain_id: 99999 }]
    addresses:
      - name: relayer
        addresses: ["0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"]
        chains: [c-chain, mine]
        # Also a key is text, whatever YAML makes of it.
        tokens: { 0x5425890298aed601595a70AB815c96711a31Bc65: USDC }
        min_balance: 0.5
        expect: { outgoing: none }
`).networks
    expect(network?.addresses[0]).toMatchObject({
      chains: ['c-chain', 'mine'],
      tokens: { '0x5425890298aed601595a70AB815c96711a31Bc65': 'USDC' },
      min_balance: 0.5,
      expect: { outgoing: 'none' },
    })
  })

  test('says which messages to watch, and which to have signed', () => {
    const [network] = load(`
networks:
  - name: fuji
    currency: chf
    icm: { routes: [{ name: there, from: "43113", to: ${CHAIN} }, { name: back, from: ${CHAIN}, to: "43113" }], lookback: 30d }
    signature_probes:
      - { name: message, message: "0x0a", quorum: 0 }
      - { name: justified, justification: 0A0b }
      - { name: both, message: "0a", justification: "0b", signing_subnet: ${L1} }
      - { name: transaction, tx: ${CHAIN} }
`).networks
    expect(network?.currency).toBe('chf')
    // 30 days of 86,400 seconds.
    expect(network?.icm).toMatchObject({ routes: [{ from: '43113', to: CHAIN }, {}], lookback: 2_592_000_000 })
    const probes = network?.signature_probes.map(({ name: _, ...rest }) => rest)
    expect(probes).toEqual([
      { message: '0x0a', quorum: 0 },
      { justification: '0A0b', quorum: 67 },
      { message: '0a', justification: '0b', signing_subnet: L1, quorum: 67 },
      { tx: CHAIN, quorum: 67 },
    ])
  })

  test('knows a key of a validator by its digits, whatever their case', () => {
    const key = `0x${'aB'.repeat(48)}`
    const yaml = `networks: [{ name: fuji, validators: [{ node_id: ${ONE}, expect: { bls_public_key: "${key}" } }] }]`
    expect(load(yaml).networks[0]?.validators[0]?.expect).toEqual({ bls_public_key: `0x${'ab'.repeat(48)}` })
  })

  test('says what the services allow', () => {
    const [network] = load(`
networks:
  - name: fuji
    data_api: { url: "https://data.example", budget: { per_minute: 6000, per_day: 1200000 } }
    metrics_api: { url: "https://metrics.example", budget: { per_day: 1 } }
`).networks
    expect(network?.data_api?.budget).toEqual({ per_minute: 6_000, per_day: 1_200_000 })
    expect(network?.metrics_api?.budget).toEqual({ per_day: 1 })
  })

  test('has the same lines with a byte order mark and Windows line ends', () => {
    expect(reportOf('\uFEFFnetworks:\r\n  - name: fuji\r\n    node: []\r\n')).toEqual([
      'config.yaml:3:5: networks[0].node: unknown key; did you mean nodes?',
    ])
  })
})

describe('the environment and files', () => {
  test.each([
    ['a variable', 'key: ${KEY}', 'k3y'],
    ['variables inside a longer text', 'key: a-${KEY}-${DIGITS}.', 'a-k3y-123.'],
    ['a variable in quotes', `key: '\${KEY}'`, 'k3y'],
    ['text of digits stays text', 'key: ${DIGITS}', '123'],
    ['a literal ${', 'key: $${KEY}', '${KEY}'],
    ['a literal $ before a variable is a literal ${ after a $', 'key: $$${KEY}', '$${KEY}'],
    ['a $ alone', 'key: a$KEY$', 'a$KEY$'],
    ['what a variable holds is not expanded again', 'key: ${NESTED}', 'a${KEY}'],
    ['a file, without its line end', 'key_file: key', 'k3y'],
    ['a file from Windows', 'key_file: windows-key', 'k3y'],
    ['what a file holds is not expanded', 'key_file: nested-key', 'a${KEY}'],
    ['what a file holds is no YAML', 'key_file: quoted-key', '"k3y"'],
    ['a file in a directory that a variable names', 'key_file: ${DIRECTORY}/key', 'mounted'],
  ])('%s', (_, line, expected) => {
    const [network] = load(`
networks:
  - name: fuji
    data_api:
      url: https://data.example
      ${line}
`).networks
    expect(network?.data_api?.key?.reveal()).toBe(expected)
  })

  test('give numbers and booleans where those belong', () => {
    const config = load(`
networks:
  - name: \${DIGITS}
    nodes: [{ name: node-a, url: "http://\${HOST}:9650" }]
    chains: [{ id: c-chain, evm_chain_id: "\${DIGITS}" }]
defaults: { ttl: "\${DIGITS}" }
collectors: { uptime: { enabled: "\${NO}", every: "\${DIGITS}s" } }
`)
    expect(config.networks[0]?.name).toBe('123')
    expect(config.networks[0]?.nodes[0]?.url.reveal()).toBe('http://10.0.0.5:9650')
    expect(config.networks[0]?.chains[0]?.evm_chain_id).toBe(123)
    expect(config.defaults.ttl).toBe(123)
    expect(config.collectors).toEqual({ uptime: { enabled: false, every: 123_000 } })
  })

  test('have no say over keys', () => {
    expect(reportOf('networks: [{ name: fuji }]\n${KEY}: {}')).toEqual([
      'config.yaml:2:1: ${KEY}: unknown key; known here: networks, public, defaults, collectors, limits, alerts',
    ])
  })
})

describe('messages', () => {
  const paths = keyPaths(configSchema(plainCollectors))

  test('the base of the cases below is valid', () => {
    expect(reportOf(JSON.stringify(plainConfig()))).toEqual([])
  })

  test.each(paths.map((path) => [path.join('.'), path] as const))('say what is expected of %s', (_, path) => {
    const shown = path
      .map((step) => (step === 0 ? '[0]' : `.${step}`))
      .join('')
      .slice(1)
    const wrong = [null, '', -1, 1e21, true, [], [[]], {}, { x: 1 }, '~ ~']
    const reports = wrong.map((value) => reportOf(JSON.stringify(withValue(path, value))))
    // Nothing takes a number and a boolean and a list, so most of them are refused.
    expect(reports.filter((lines) => lines.length > 0).length).toBeGreaterThanOrEqual(5)
    for (const line of reports.flat()) {
      expect(line).toMatch(
        /^config\.yaml:1:\d+: [\w.[\]-]+: (is empty: |is missing: )?(expected |unknown key|the file cannot be read: there is no such file)/,
      )
      expect(line).toContain(shown.replace(/_file$/, ''))
      expect(line).not.toMatch(/invalid|undefined|\bNaN\b|too (small|big)|unrecognized|received|string|array|object/i)
    }
  })
})
