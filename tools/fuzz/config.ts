// Configuration text: the example, a plain one and the broken ones, changed as text and as values.

import { array, constant, constantFrom, nat, oneof, tuple } from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'
import { type Config, configSchema } from '../../src/config/schema.ts'
import { BaseError } from '../../src/errors.ts'
import { pemFiles, pemPaths } from '../../test/support/pem-files.ts'
import { keyPaths, plainCollectors, plainConfig, withValue } from '../../test/support/schema-keys.ts'
import { edited, editedText, edits, hostileValues, pieces, textEdit } from './json.ts'
import { defineParser, promiseTexts } from './parser.ts'

const root = new URL('../../', import.meta.url)
const broken = new URL('test/config/broken/', root)
const example = readFileSync(new URL('config.example.yaml', root), 'utf8')
const files = readdirSync(broken).filter((file) => file.endsWith('.yaml'))
/** All that a network can hold, with ids that are right. */
const rich = readFileSync(new URL('tools/fuzz/rich.yaml', root), 'utf8')

const texts = [
  ...files.map((file) => readFileSync(new URL(file, broken), 'utf8')),
  ...Array.from({ length: 12 }, () => stringify(plainConfig())),
  ...Array.from({ length: 6 }, () => rich),
  JSON.stringify(plainConfig()),
  'networks:\n  - &a { name: one, nodes: [&n { name: a, url: "${NODE}" }] }\n  - { name: two, nodes: [*n, *n] }\n',
  'networks: [{ name: fuji, data_api: { url_file: ${FILE}, key_file: key } }]\n',
  `networks:\n  - &a [x, x]\n${Array.from({ length: 6 }, (_, at) => `  - &${'bcdefghijklmnopqrstuv'[at]} [*${'abcdefghijklmnopqrstu'[at]}, *${'abcdefghijklmnopqrstu'[at]}]\n`).join('')}`,
]

const MARKER = 'MARKER-of-a-secret'
const env = {
  NODE: `http://10.0.0.5:9650/${MARKER}`,
  FILE: 'url',
  KEY: MARKER,
  EMPTY: '',
  DIGITS: '7',
  NO: 'false',
  ODD: `\ud800\0${MARKER}`,
}
const secrets: Readonly<Record<string, string>> = {
  ...pemFiles,
  key: MARKER,
  url: `https://data.example/${MARKER}`,
  empty: '',
  odd: `\0\ud800${MARKER}`,
}

function readFile(path: string): string {
  if (Object.hasOwn(secrets, path)) return secrets[path]!
  if (path.length > 30) throw new Error('no code')
  throw Object.assign(new Error(`no ${path}`), { code: ['ENOENT', 'EACCES', 'EISDIR', 'EIO'][path.length % 4] })
}

const changes = array(
  textEdit([
    ...pieces,
    ...Array.from('\ufffd\r>'),
    ': ',
    '| ',
    '*n',
    '&n ',
    '!!binary ',
    '!!str ',
    '${KEY}',
    '${EMPTY}',
    '${ODD}',
    '${NODE}',
    '$${',
    '${none}',
    '0x10',
    '.inf',
    '1e300',
    '"\\u0000"',
    '%YAML 1.1\n---\n',
    '---\n',
    '...\n',
    '__proto__: ',
    'constructor: 1\n',
    'key_file: odd\n',
    'url_file: empty\n',
    '  ',
    '- '.repeat(500),
    'a'.repeat(5_000),
  ]),
  { maxLength: 3 },
)
const paths = keyPaths(configSchema(plainCollectors))
/** Words that are right elsewhere. */
const elsewhere = ['fuji', 'testnet', 'custom', '5m', '999d', 'http:///x', 'host']
const values = [
  ...hostileValues.filter((value) => typeof value !== 'object' || value === null || Array.isArray(value)),
  '${KEY}',
  '${ODD}',
  ...elsewhere,
  '7d',
  'http://10.0.0.5',
  'mainnet',
  'key',
  'odd',
  0.5,
  100,
]

/** Words of the rich one in the places of others, and words that are right elsewhere. */
const words = [
  ...(rich.match(/[\w."-]{2,}/g) ?? []),
  ...elsewhere,
  'p-chain',
  'x-chain',
  'primary',
  'data-api',
  'tracked',
  'all',
  'other',
  'validating',
  'syncing',
  'none',
  '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
  'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  '11111111111111111111111111111111LpoYY',
  'fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66',
  'C-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9',
  'P-custom18jma8ppw3nhx5r4ap8clazz0dps7rv5u9xde7p',
  'avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9',
  '0',
  '-1',
  '1.5',
  'true',
  '~',
  '[]',
  '{}',
  '[mine, mine]',
  '{ outgoing: none }, x: 1',
  'x, expect: { status: validating, gas_limit: 1 }',
  'x, min_balance: 1, expect: { outgoing: none }',
  'x, network: fuji',
  'x, network: custom',
  'x, budget: { per_day: 5 }',
  'http://h/ext',
  'http://h/v1/x',
  '2026-07-28T15:00:00Z',
  ...Array.from({ length: 4 }, () => [
    'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
    'fuji',
    'custom',
    'P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66',
  ]).flat(),
  '5m5h',
  '10ms',
  '1e300',
  'http://[::1]:9650',
  'http://knoten.münchen',
  'http://h%41',
  'accept',
  '!!binary x',
  '!!str x',
  '"${DIGITS}"',
  '"${NO}"',
  '? [a]',
  '*none',
  '2100-01-01T00:00:00Z',
]
const swaps = array(tuple(nat(1_000), constantFrom(...words)), { maxLength: 3 })
const ofRich = swaps.map((some) =>
  some.reduce((text, [at, word]) => {
    const places = [...text.matchAll(/[\w.:"/-]{2,}/g)]
    const place = places[at % Math.max(1, places.length)]
    return place ? text.slice(0, place.index) + word + text.slice(place.index + place[0].length) : text
  }, rich),
)

/** Values that have the form and not the meaning. */
const refusedForms = (
  [
    [['collectors', 'uptime', 'every'], '999d'],
    [['collectors', 'uptime', 'every'], '10ms'],
    [['collectors', 'uptime', 'every'], '5m5h'],
    ...[
      { name: 'w' },
      { name: 'w', schedule: '0 22 * * *' },
      { name: 'w', schedule: '0 22 * * *', for: '2d' },
      { name: 'w', schedule: '0 22 * * *', for: '2h', from: '2026-12-05T08:00', to: '2026-12-05T09:00' },
      { name: 'w', from: '2026-12-05T08:00', to: '2026-12-05T07:00' },
      { name: 'w', from: '2026-12-05T08:00', to: '2027-12-05T07:00', for: '2h' },
      { name: 'w', schedule: '0 22 * * *', for: '2h', nodes: ['b', 1], chains: ['min'] },
    ].map((window) => [['networks', 0, 'maintenance', 0], window] as const),
    ...['2026-12-01 02:00:00 +02', '2026-12-01t05:30:00+0530', '2026-12-01 00:00', '2026-02-30 00:00Z'].map(
      (time) => [['networks', 0, 'upgrade_time'], time] as const,
    ),
    ...[
      { cert_file: 'server.crt', key_file: 'server.key', ca_file: 'ca.crt', server_name: 'a' },
      { cert_file: 'ca.crt', key_file: 'other.key' },
      ...pemPaths.flatMap((path) => [{ ca_file: path }, { cert_file: path }, { key_file: path }]),
    ].map((tls) => [['networks', 0, 'nodes', 0, 'tls_config'], tls] as const),
    [['networks', 0, 'data_api', 'key_header'], 'host'],
    [['networks', 0, 'data_api', 'key_header'], 'accept'],
    [['networks', 0, 'nodes', 0, 'url'], 'http://[::1]:9650'],
    [['networks', 0, 'nodes', 0, 'url'], 'http://knoten.münchen'],
    [['networks', 0, 'nodes', 0, 'url'], 'http://0/'],
    [['networks', 0, 'nodes', 0, 'url'], 'http://a:b@:9/'],
    [['networks', 0, 'nodes', 0, 'url'], 'http://h/ext/x'],
    [['networks', 0, 'chains', 0, 'id'], 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp2'],
    [['networks', 0, 'chains', 0, 'id'], '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'],
    [['networks', 0, 'icm', 'routes', 0, 'from'], '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'],
    [['networks', 0, 'nodes', 0, 'index'], '${NO}'],
    [['networks', 0, 'chains', 0, 'evm_chain_id'], '${DIGITS}'],
    [['networks', 0, 'data_api', 'key_file'], 'x'.repeat(40)],
  ] as const
).map(([path, value]) => JSON.stringify(withValue(path as readonly (string | 0)[], value)))

/** Stands in the rich one. */
const OWN = 'X-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9'

const unusual = [
  Buffer.from(rich, 'utf16le').toString('utf8'),
  Buffer.from(rich, 'utf16le').swap16().toString('utf8'),
  `? [a]\n: 1\n${rich}`,
  'networks: *a',
  'networks: [{ name: &a fuji }, *a, *b]',
  'networks: &a [*a]',
  rich.replace('name: mainnet', 'name: !!binary x'),
  rich.replace('chains: [mine] }', 'chains: [mina] }'),
  rich.replace("url: 'https://data.example'", "url: 'http://data.example', tls_config: { ca_file: ca.crt }"),
  // More problems than are shown.
  `networks: [{ name: a, nodes: [${'1, '.repeat(120)}] }]`,
  `networks: [{ name: a, nodes: 1 }]\ndefaults: 1\ncollectors: { uptime: { enabled: 1 } }`,
  // Of another network than the one that it is watched in.
  ...['P-custom18jma8ppw3nhx5r4ap8clazz0dps7rv5u9xde7p', 'P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66'].map((other) =>
    rich.replace(OWN, other),
  ),
  ...['custom', 'fuji'].map((network) => rich.replace('    network: mainnet\n', `    network: ${network}\n`)),
  rich
    .replace('name: mainnet', 'name: mine')
    .replace('    network: mainnet\n', '')
    .replace(/    data_api: .*\n/, ''),
  // A wallet with two forms of one address, or with addresses of both kinds.
  ...[
    [OWN, OWN],
    [OWN, OWN.slice(2)],
    [OWN.slice(2), OWN],
    [OWN, 'C-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9'],
    [OWN, '"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"'],
    [OWN, '1'],
  ].map((both) => rich.replace(OWN, both.join(', '))),
]
/** Of a few lines half a million values. */
const bomb = `networks:\n  - &a0 [x, x]\n${Array.from({ length: 18 }, (_, at) => `  - &a${at + 1} [*a${at}, *a${at}]\n`).join('')}`

const ofText = tuple(constantFrom(...texts), changes).map(([text, some]) => editedText(text, some))
const ofExample = changes.map((some) => editedText(example, some))
const ofValues = tuple(
  array(tuple(constantFrom(...paths), constantFrom(...values)), { minLength: 1, maxLength: 2 }),
  edits,
).map(([[first], some]) => JSON.stringify(edited(withValue(...first!), some.slice(0, 1))) ?? '')

export const configParser = defineParser<string>({
  name: 'configuration',
  inputs: oneof(
    { weight: 800, arbitrary: ofText },
    { weight: 100, arbitrary: ofExample },
    { weight: 800, arbitrary: ofValues },
    { weight: 1_200, arbitrary: ofRich },
    { weight: 120, arbitrary: constantFrom(...unusual) },
    { weight: 60, arbitrary: constantFrom(...refusedForms) },
    { weight: 1, arbitrary: constant(bomb) },
  ),
  // Half of the time the parser of YAML spends on what is nested or without end.
  sizeOf: (text) => text.length * 100,
  run(text) {
    let config
    try {
      config = loadConfig(text, { file: 'c', env, readFile, collectors: plainCollectors })
    } catch (thrown) {
      if (thrown instanceof BaseError) checkReport(text, thrown)
      throw thrown
    }
    const shown = JSON.parse(JSON.stringify(config)) as Config
    promiseTexts(shown)
    for (const { nodes, data_api: data, metrics_api: metrics } of shown.networks) {
      // Elsewhere, such as in a name, an operator who writes a variable wants its value to be seen.
      const hidden = [...nodes.map(({ url }) => url), data?.url, data?.key, metrics?.url]
      if (JSON.stringify(hidden).includes(MARKER)) throw new Error('the configuration shows a secret')
    }
    for (const { nodes, data_api: data, metrics_api: metrics } of config.networks) {
      for (const { url } of [...nodes, ...(data ? [data] : []), ...(metrics ? [metrics] : [])]) {
        if (!URL.canParse(url.reveal())) throw new Error('a URL that is none')
        promiseTexts(url.reveal())
      }
      promiseTexts(data?.key?.reveal())
    }
    const names = config.networks.map(({ name }) => name)
    if (new Set(names).size < names.length) throw new Error('two networks of one name')
    return shown
  },
})

function checkReport(text: string, { code, message }: BaseError): void {
  if (code !== 'config') throw new Error(`refused with ${code}`)
  const lines = message.split('\n')
  if (message.includes(MARKER) && !text.includes(MARKER)) throw new Error(`an error shows a secret: ${message}`)
  if (lines.length > 101) throw new Error(`a report of ${lines.length} lines`)
  const odd = lines.find((line) => !/^c:(\d+:\d+: |\d+:\d+:|( and \d+ more$))/.test(line) || line.length > 1_000)
  if (odd !== undefined) throw new Error(`a line of another form: ${odd}`)
}
