// Configuration text: the example, a plain one and the broken ones, changed as text and as values.

import { array, constantFrom, nat, oneof, tuple } from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'
import { type Config, configSchema } from '../../src/config/schema.ts'
import { BaseError } from '../../src/errors.ts'
import { pemFiles } from '../support/pem-files.ts'
import { keyPaths, plainCollectors, plainConfig, withValue } from '../support/schema-keys.ts'
import { edited, editedText, edits, hostileValues, pieces, textEdit } from '../support/fuzz/json.ts'
import { fuzzed, promise } from '../support/fuzz/fuzzed.ts'

const broken = new URL('broken/', import.meta.url)
const example = readFileSync(new URL('../../config.example.yaml', import.meta.url), 'utf8')
const files = readdirSync(broken).filter((file) => file.endsWith('.yaml'))
/** All that a network can hold, with ids that are right. */
const rich = readFileSync(new URL('rich.yaml', import.meta.url), 'utf8')

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
  'primary',
  'other',
  '-1',
  '[]',
  '{}',
  '*none',
  '!!binary x',
]
const swaps = array(tuple(nat(1_000), constantFrom(...words)), { maxLength: 3 })
const ofRich = swaps.map((some) =>
  some.reduce((text, [at, word]) => {
    const places = [...text.matchAll(/[\w.:"/-]{2,}/g)]
    const place = places[at % Math.max(1, places.length)]
    return place ? text.slice(0, place.index) + word + text.slice(place.index + place[0].length) : text
  }, rich),
)

const ofText = tuple(constantFrom(...texts), changes).map(([text, some]) => editedText(text, some))
const ofExample = changes.map((some) => editedText(example, some))
const ofValues = tuple(
  array(tuple(constantFrom(...paths), constantFrom(...values)), { minLength: 1, maxLength: 2 }),
  edits,
).map(([[first], some]) => JSON.stringify(edited(withValue(...first!), some.slice(0, 1))) ?? '')

fuzzed<string>('a configuration', {
  inputs: oneof(
    { weight: 8, arbitrary: ofText },
    { weight: 1, arbitrary: ofExample },
    { weight: 8, arbitrary: ofValues },
    { weight: 12, arbitrary: ofRich },
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
  found: {
    'a network called `constructor`, as each object has a member of this name': 'networks: [{ name: constructor }]',
    'a token with the address `__proto__` is not left out without a word':
      'networks: [{ name: fuji, addresses: [{ name: a, addresses: ["0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"], tokens: { __proto__: X } }] }]',
    'a key of control characters': 'networks: [{ name: fuji, "\\e[2J": 1 }]',
    'a map with a key `toString` in the place of a chain':
      'networks: [{ name: fuji, icm: { routes: [{ name: a, from: { toString: x }, to: "1" }] } }]',
  },
})

/** What an operator wrote goes into labels, paths and logs: texts are well-formed. */
function promiseTexts(value: unknown): void {
  promise(value)
  JSON.stringify(value, (key, member: unknown) => {
    if (!key.isWellFormed() || (typeof member === 'string' && !member.isWellFormed()))
      throw new Error(`the text at ${JSON.stringify(key)} is not well-formed`)
    return member
  })
}

function checkReport(text: string, { code, message }: BaseError): void {
  if (code !== 'config') throw new Error(`refused with ${code}`)
  const lines = message.split('\n')
  if (message.includes(MARKER) && !text.includes(MARKER)) throw new Error(`an error shows a secret: ${message}`)
  if (lines.length > 101) throw new Error(`a report of ${lines.length} lines`)
  const odd = lines.find((line) => !/^c:(\d+:\d+: |\d+:\d+:|( and \d+ more$))/.test(line) || line.length > 1_000)
  if (odd !== undefined) throw new Error(`a line of another form: ${odd}`)
  const written = text.split('\n')
  const nowhere = lines.find((line) => {
    const [, row, column] = /^c:(\d+):(\d+):/.exec(line) ?? []
    return row !== undefined && (written[Number(row) - 1]?.length ?? -1) < Number(column) - 1
  })
  if (nowhere !== undefined) throw new Error(`a place that is not in the text: ${nowhere}`)
}
