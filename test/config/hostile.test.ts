// Configurations that are not what they seem: too large once they are read, in another encoding, with words that mean
// something to the language or to HTTP, or with numbers beyond all reason.

import { describe, expect, test, vi } from 'vitest'
import { Document, parseDocument, Scalar, YAMLSeq } from 'yaml'
import { z } from 'zod'
import { readDocument } from '../../src/config/file/read-yaml.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Config } from '../../src/config/schema.ts'
import { BaseError } from '../../src/errors.ts'
import { plainCollectors, withValue } from '../support/schema-keys.ts'

const load = (yaml: string) => loadConfig(yaml, { file: 'c', env: {}, readFile: () => '', collectors: plainCollectors })

function reportOf(yaml: string): string[] {
  try {
    load(yaml)
  } catch (error) {
    if (error instanceof BaseError && error.code === 'config') return error.message.split('\n')
    throw error
  }
  return []
}

const withKey = (path: string, value: unknown) =>
  JSON.stringify(
    withValue(
      path.split('.').map((step) => (step === '0' ? 0 : step)),
      value,
    ),
  )

/** What is said of the value at a path of the plain configuration. */
const saidOf = (path: string, value: unknown) =>
  reportOf(withKey(path, value)).map((line) => line.replace(/^.*?: .*?: /, ''))

const sources = { env: {}, readFile: () => '', lineOf: () => 1, reading: () => {} }

// The parser would take longer for such a file than a test may.
test('more values than any configuration needs are refused', () => {
  const [list, one] = [new YAMLSeq(), new Scalar(1)]
  list.items = Array.from({ length: 1_000_001 }, () => one)
  const document = new Document()
  document.contents = list
  const { problems, isComplete } = readDocument(document, z.array(z.number()), sources)
  expect(isComplete).toBe(false)
  expect(problems).toEqual([expect.objectContaining({ message: expect.stringMatching(/^more than 1000000 values: /) })])
})

describe('aliases', () => {
  const levels = (count: number, width: number) =>
    Array.from({ length: count }, (_, at) => {
      const of = at === 0 ? 'x' : `*a${at - 1}`
      return `  - &a${at} [${Array.from({ length: width }, () => of).join(', ')}]`
    }).join('\n')

  test.each([
    ['nine levels of nine', 9, 9],
    ['thirty levels of one', 30, 1],
  ])('%s are refused before they use up the memory', (_, count, width) => {
    const report = reportOf(`networks:\n${levels(count, width)}\n`)
    expect(report).toHaveLength(1)
    expect(report[0]).toMatch(
      /^c:\d+:\d+: networks\S+: (aliases repeat more than 500000 values: repeat less|more than 20 maps and lists inside each other: nothing here is so deep)$/,
    )
  })

  test('are resolved in one walk, however many they are', () => {
    const document = parseDocument('[&a {}, *a, *a, *a]')
    const { contents } = document
    const walked = vi.fn<() => typeof contents>(() => contents)
    Object.defineProperty(document, 'contents', { get: walked })
    expect(readDocument(document, z.array(z.object({})), sources).value).toEqual([{}, {}, {}, {}])
    // The other one reads the values.
    expect(walked).toHaveBeenCalledTimes(2)
  })

  test('stand for the last node of their name above them', () => {
    const { networks } = load(
      'networks:\n  - &a { name: one }\n  - &b { name: two }\n  - { name: x, network: &a fuji }\n',
    )
    expect(networks.map(({ name }) => name)).toEqual(['one', 'two', 'x'])
    const report = reportOf(
      'networks:\n  - { name: &a one }\n  - { name: *a }\n  - { name: &a two }\n  - { name: *a }\n',
    )
    expect(report).toEqual([
      'c:2:16: networks[1].name: networks[0] has this name already: choose another',
      'c:4:16: networks[3].name: networks[2] has this name already: choose another',
    ])
  })
})

describe('problems without end', () => {
  test('two thousand of them: the first hundred and how many more', () => {
    const report = reportOf(`networks:\n${'  - nam: x\n'.repeat(1_000)}`)
    expect(report).toHaveLength(101)
    expect(report.slice(0, 2)).toEqual([
      'c:2:5: networks[0].nam: unknown key; did you mean name?',
      'c:2:5: networks[0].name: is missing: expected a name of letters, digits, dots, dashes and underscores',
    ])
    expect(report.at(-1)).toBe('c: and 1900 more')
  })

  test.each([
    ['brackets', `networks: ${'['.repeat(20_000)}`],
    ['closing brackets', ']'.repeat(20_000)],
    ['commas', `[${','.repeat(20_000)}`],
    ['indentation', Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['tags', 'a: !x 1\n'.repeat(10_000)],
    ['a key of 200 KB', `${'k'.repeat(200_000)}: 1`],
    ['a key of control characters', `"${'\\e[31m'.repeat(1_000)}": 1`],
  ])('%s are refused soon, in a report of bounded length', (_, yaml) => {
    const report = reportOf(yaml)
    expect(report.length).toBeGreaterThan(0)
    expect(report.length).toBeLessThanOrEqual(101)
    expect(report.filter((line) => line.length > 300 || /\p{Cc}/u.test(line))).toEqual([])
  })
})

describe('encodings', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1').toString('utf8')
  const utf16 = (text: string) => Buffer.from(text, 'utf16le')
  const IS_UTF16 = 'c:1:1: this looks like UTF-16: save the file as UTF-8'
  const unseen = (at: string, code: string) => `c:${at}: a character that cannot be seen (${code}): remove it`
  const NO_UTF8 = 'c:1:31: a character that is not UTF-8: save the file as UTF-8'
  test.each([
    ['UTF-16 with a mark', utf16('\uFEFFnetworks: []').toString(), IS_UTF16],
    ['UTF-16 without', utf16('networks: []').toString(), IS_UTF16],
    ['UTF-16, big end first', utf16('networks: []').swap16().toString(), IS_UTF16],
    ['Latin-1', latin1('networks: [{ name: fuji }] # für'), NO_UTF8],
    ['a zero byte', 'networks:\n  - name: fu\0ji', unseen('2:13', 'U+0000')],
    ['an escape', 'networks:\n  - name: \u001b[31mfuji', unseen('2:11', 'U+001B')],
    ['two marks', '\uFEFF\uFEFFnetworks: [{ name: fuji }]', unseen('1:2', 'U+FEFF')],
  ])('%s', (_, yaml, report) => {
    expect(reportOf(yaml)).toEqual([report])
  })

  test('a comment may hold any language and any picture', () => {
    expect(reportOf('networks: [{ name: fuji }] # für 監視 👩‍💻')).toEqual([])
  })
})

describe('other YAML features', () => {
  const named = (value: string) => `networks: [{ name: fuji }]\ndefaults: { ttl: ${value} }`
  test.each([
    ['0x10', 16],
    ['0o10', 8],
    ['010', 10],
    ['1e2', 100],
    ['!!int "3"', 3],
    ['2.5', 2.5],
  ])('%s is a number', (written, ttl) => {
    expect(load(named(written)).defaults.ttl).toBe(ttl)
  })

  const TTL = 'defaults.ttl: expected a number of intervals, at least 1, such as 3'
  const TAGS = 'tags have no meaning here: remove the !..., or put a text that begins with ! in quotes'
  test.each([
    ['infinity', named('.inf'), `c:2:18: ${TTL}`],
    ['no number', named('.nan'), `c:2:18: ${TTL}`],
    ['a number with underscores', named('1_000'), `c:2:18: ${TTL}; this is text`],
    ['a time of day', named('1:30'), `c:2:18: ${TTL}; this is text`],
    ['a date', named('2026-01-01'), `c:2:18: ${TTL}; this is text`],
    ['a boolean', named('true'), `c:2:18: ${TTL}; this is a boolean`],
    ['bytes', 'networks: [{ name: !!binary ZnVqaQ== }]', `c:1:29: networks[0].name: ${TAGS}`],
    ['a set', 'networks: !!set { a, b }', `c:1:17: networks: ${TAGS}`],
    ['code', 'networks: !!js/function "function () {}"', `c:1:11: not valid YAML: ${TAGS}`],
    ['a tag of its own', 'networks: [{ name: !x fuji }]', `c:1:20: not valid YAML: ${TAGS}`],
    [
      'an older version',
      '%YAML 1.1\n---\nnetworks: [{ name: fuji }]',
      'c:1:1: not valid YAML: a directive has no meaning here: remove the lines that begin with %, and the ---',
    ],
    [
      'merging',
      'networks:\n  - &a { name: fuji }\n  - { <<: *a, name: mainnet }',
      'c:3:7: networks[1].<<: merging has no meaning here: repeat the keys, or use an alias for the whole map',
    ],
    ['a list as a key', 'networks: [{ name: fuji }]\n? [a, b]\n: 1', 'c:2:3: ?: expected a text as a key'],
    [
      'a key twice',
      'networks: [{ name: fuji }]\nnetworks: []',
      'c:2:1: networks: is already on line 1: keep one of the two',
    ],
  ])('%s', (_, yaml, report) => {
    expect(reportOf(yaml)).toEqual([report])
  })

  test.each(['yes', 'on', '2026-01-01', 'null-1', 'Infinity', 'NaN'])('%s is a name', (name) => {
    expect(load(`networks: [{ name: ${name} }]`).networks[0]!.name).toBe(name)
  })
})

describe('words that every object has', () => {
  const words = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'prototype']

  test.each(words)('%s is no key', (word) => {
    const places: [string, (config: string) => string][] = [
      ['', (entry) => `networks: [{ name: fuji }]\n${entry}`],
      ['collectors.', (entry) => `networks: [{ name: fuji }]\ncollectors: { ${entry} }`],
      ['networks[0].', (entry) => `networks: [{ name: fuji, ${entry} }]`],
      [
        'networks[0].addresses[0].tokens.',
        (entry) =>
          `networks: [{ name: fuji, addresses: [{ name: a, addresses: ["0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"], chains: [c-chain], tokens: { ${entry} } }], chains: [{ id: c-chain, evm_chain_id: 43113 }] }]`,
      ],
    ]
    for (const [path, yaml] of places) {
      const report = reportOf(yaml(`${word}: X`))
      expect(report).toHaveLength(1)
      expect(report[0]).toMatch(
        new RegExp(
          `^c:\\d:\\d+: ${path.replace(/[[\].]/g, '\\$&')}${word}: (unknown key|expected tokens|cannot be a key)`,
        ),
      )
    }
  })

  test.each(words.filter((word) => word !== '__proto__'))('%s is a name like any other', (word) => {
    const yaml = `networks: [{ name: ${word}, nodes: [{ name: ${word}, url: "http://10.0.0.5" }], chains: [{ id: c-chain, name: ${word} }], addresses: [{ name: ${word}, addresses: [P-custom18jma8ppw3nhx5r4ap8clazz0dps7rv5u9xde7p] }] }]`
    const [network] = load(yaml).networks as [Config['networks'][number]]
    expect([network.name, network.network, network.upgrade_time]).toEqual([word, 'custom', undefined])
    expect([network.nodes, network.chains, network.addresses].map(([one]) => one!.name)).toEqual([word, word, word])
  })

  test.each(words)('%s is no network, no data network and no alias of a chain', (word) => {
    expect(saidOf('networks.0.network', word)).toEqual(['expected mainnet, fuji or custom'])
    expect(saidOf('networks.0.data_api.network', word)).toEqual(['expected mainnet, fuji or testnet'])
    expect(saidOf('networks.0.chains.0.id', word)[0]).toMatch(/^expected p-chain, x-chain, c-chain or a blockchain id/)
  })
})

describe('the header of a key', () => {
  const said = (name: string) => saidOf('networks.0.data_api.key_header', name)
  const HEADER = 'expected the name of an HTTP header, such as x-data-api-key'
  const OF_HTTP = `${HEADER}: HTTP itself uses this header, so a key in it breaks the request`
  const OF_OURS = `${HEADER}: stakewatch sets this header itself`
  test.each([
    ...[
      'host',
      'Connection',
      'content-length',
      'Transfer-Encoding',
      'te',
      'TE',
      'upgrade',
      'keep-alive',
      'trailer',
    ].map((name) => [name, OF_HTTP]),
    ...['proxy-connection', 'Proxy-Authorization', 'proxy-anything', 'expect', 'via'].map((name) => [name, OF_HTTP]),
    ...['user-agent', 'Accept-Encoding', 'content-type', 'Accept'].map((name) => [name, OF_OURS]),
    ...['', ' ', 'x y', 'x:y', 'x\ny', 'é', 'x\u0000'].map((name) => [name, HEADER]),
    ['x'.repeat(129), `${HEADER}, of 128 characters at most`],
  ] as [string, string][])('cannot be %j', (name, message) => {
    expect(said(name).map((line) => line.replace('is empty: ', ''))).toEqual([message])
  })

  test.each(['x-data-api-key', 'x-glacier-api-key', 'Authorization', 'x-host', 'cookie', 'hosts', 'x'.repeat(128)])(
    'may be %s',
    (name) => {
      expect(said(name)).toEqual([])
    },
  )

  test.each(['a\u0001b', 'a\nb', 'a\r\nx: y', 'aéb', ' a', 'a\t', 'k'.repeat(4_097)])(
    'has no value such as %j',
    (key) => {
      expect(saidOf('networks.0.data_api.key', key)[0]).toMatch(/^expected the key as one line of printable characters/)
    },
  )
})

describe('a URL has the host that is written', () => {
  test.each([
    'http:///path',
    'http:////path',
    'http://?x',
    'http://@/path',
    'http://:80/path',
    'http://\\\\h/path',
    'http:\\\\h',
    'http://h\\path',
    'http://0/',
    'http://1.2',
    'http://0x7f000001',
    'http://h%41',
    'http://h\u200b.example',
    'http://h/\u0007',
    'http://[::1',
    'http://[x]',
    'http://a:99999',
    `http://h/${'x'.repeat(2_048)}`,
  ])('%j is refused', (url) => {
    expect(saidOf('networks.0.nodes.0.url', url)[0]).toMatch(/^expected a URL such as http:\/\/10.0.0.5:9650/)
  })

  test.each([
    ['http://10.0.0.5:9650', '10.0.0.5:9650'],
    ['HTTPS://Node.Example/key/', 'node.example'],
    ['http://user:p%40ss@node_1:9650/?k=1', 'node_1:9650'],
    ['http://user@name:p@ss@node', 'node'],
    ['http://[::1]:9650', '[::1]:9650'],
    ['http://[2001:db8:0::1]/k', '[2001:db8::1]'],
    ['http://knoten.münchen.example', 'knoten.xn--mnchen-3ya.example'],
  ])('%s is taken', (url, host) => {
    expect(String(load(withKey('networks.0.nodes.0.url', url)).networks[0]!.nodes[0]!.url)).toBe(host)
  })
})

describe('numbers and durations beyond reason', () => {
  const NUMBER =
    /^expected (a (whole )?number of at most \d+|at most 1000 intervals|a (whole )?number (from|above) 0 .*|a whole number from 0 to .*)$/
  const numbers: [string, number, number][] = [
    ['defaults.ttl', 1_000, 1_000.5],
    ['collectors.uptime.max_series', 10_000_000, 10_000_001],
    ['networks.0.data_api.budget.per_minute', 1_000_000_000, 1_000_000_001],
    ['networks.0.data_api.budget.per_day', 1_000_000_000, 1_000_000_001],
    ['networks.0.metrics_api.budget.per_minute', 1_000_000_000, 1_000_000_001],
    ['networks.0.metrics_api.budget.per_day', 1_000_000_000, 1_000_000_001],
    ['networks.0.l1_fee.target', 1_000_000_000, 1_000_000_001],
    ['networks.0.l1_fee.excess_constant', 1e15, 1e15 + 1],
    ['networks.0.l1_fee.min_price', 1e15, 1e15 + 1],
    ['networks.0.delegation.factor', 1_000, 1_001],
    ['networks.0.delegation.max_stake', 1e15, 1e15 + 1],
    ['networks.0.delegation.min_delegation', 1e15, 1e15 + 1],
    ['networks.0.validators.0.required_uptime', 1, 1.000_001],
    ['networks.0.validators.0.expect.delegation_fee', 1, 1.000_001],
    ['networks.0.validators.0.expect.min_stake', 1e15, 1e15 + 1],
    ['networks.0.chains.0.evm_chain_id', 2 ** 53 - 1, 2 ** 53],
    ['networks.0.chains.0.decimals', 36, 37],
    ['networks.0.chains.0.expect.gas_limit', 1e15, 1e15 + 1],
    ['networks.0.chains.0.expect.target_gas', 1e15, 1e15 + 1],
    ['networks.0.chains.0.expect.min_base_fee', 1e15, 1e15 + 1],
    ['networks.0.addresses.0.min_balance', 1e15, 1e15 + 1],
    ['networks.0.signature_probes.0.quorum', 100, 101],
  ]
  test.each(numbers)('%s: at most %d', (path, most, more) => {
    expect(saidOf(path, most)).toEqual([])
    for (const value of [more, 1e300]) expect(saidOf(path, value)).toEqual([expect.stringMatching(NUMBER)])
    expect(saidOf(path, -1)).toHaveLength(1)
  })

  const durations: [string, string, string][] = [
    ['defaults.timeout', '10m', '601s'],
    ['collectors.uptime.every', '7d', '7d1s'],
    ['networks.0.chains.0.stall_after', '7d', '7d1s'],
    ['networks.0.delegation.min_duration', '366d', '366d1s'],
    ['networks.0.icm.lookback', '30d', '30d1s'],
  ]
  test.each(durations)('%s: from 1s to %s', (path, most, more) => {
    expect(saidOf(path, '1s')).toEqual([])
    expect(saidOf(path, most)).toEqual([])
    expect(saidOf(path, '999ms')).toEqual(['expected a duration of at least 1s'])
    for (const value of [more, '99999999999999999999d', `${'9'.repeat(400)}d`]) {
      expect(saidOf(path, value)).toEqual([`expected a duration of at most ${most}`])
    }
  })

  test.each([['0999-01-01T00:00:00Z'], ['2100-01-01T00:00:00Z'], ['9999-12-31T23:59:59Z'], ['2026-02-30T00:00:00Z']])(
    'a time is not %s',
    (time) => {
      for (const path of ['networks.0.upgrade_time', 'networks.0.validators.0.planned_end']) {
        expect(saidOf(path, time)[0]).toMatch(/^expected a time such as 2026-07-28T15:00:00Z/)
      }
    },
  )

  test('a name is at most 128 characters long, and a message 64 KB', () => {
    expect(saidOf('networks.0.name', 'n'.repeat(128))).toEqual([])
    expect(saidOf('networks.0.name', 'n'.repeat(129))).toEqual([
      'expected a name of letters, digits, dots, dashes and underscores, at most 128',
    ])
    expect(saidOf('networks.0.signature_probes.0.message', '00'.repeat(65_536))).toEqual([])
    expect(saidOf('networks.0.signature_probes.0.message', '00'.repeat(65_537))).toHaveLength(1)
  })
})
