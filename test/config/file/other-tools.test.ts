// Configurations as other tools write them: YAML 1.1, templates of Helm and Ansible, dumps of Python, Go and Ruby. What has one
// meaning is taken; what has two is refused with a remedy.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { itemOf, keysOf, unwrap } from '../../../src/config/file/keys.ts'
import { switchOf, words } from '../../../src/config/file/typed.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { configSchema, type Config } from '../../../src/config/schema.ts'
import { loadWebConfig } from '../../../src/config/web/web-config.ts'
import { BaseError } from '../../../src/errors.ts'
import { keyPaths, plainCollectors, plainConfig } from '../../support/schema-keys.ts'

const NODE_ID = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const load = (yaml: string, env: Record<string, string> = {}): Config =>
  loadConfig(yaml, { file: 'c', env, readFile: () => '', collectors: plainCollectors })

function refusalOf(yaml: string): string {
  try {
    load(yaml)
  } catch (error) {
    if (error instanceof BaseError) return error.message.replace(/^c:\d+:\d+: /, '')
    throw error
  }
  return 'taken'
}

const node = (line: string) => `networks: [{ name: fuji, nodes: [{ name: a, url: "http://h", ${line} }] }]`
const validator = (line: string) => `networks: [{ name: fuji, validators: [{ node_id: ${NODE_ID}, ${line} }] }]`
const network = (line: string) => `networks: [{ name: fuji, ${line} }]`

describe('true and false', () => {
  test.each([
    ['true', 'on'],
    ['false', 'off'],
    ['on', 'on'],
    ['off', 'off'],
    ['yes', 'on'],
    ['No', 'off'],
    ['"True"', 'on'],
    ['"FALSE"', 'off'],
    ['"on"', 'on'],
    ['${ADMIN}', 'on'],
    ['forbidden', 'forbidden'],
  ])('admin: %s is %s', (written, expected) => {
    expect(
      load(node(`admin: "${written}"`.replaceAll('""', '"')), { ADMIN: 'true' }).networks[0]!.nodes[0]!.admin,
    ).toBe(expected)
    const plain = node(`admin: ${written.includes('$') ? `"${written}"` : written}`)
    expect(load(plain, { ADMIN: 'true' }).networks[0]!.nodes[0]!.admin).toBe(expected)
  })

  test.each(['1', '0', 'null', '', '"1"', 'enabled', 'yEs', 'constructor', '__proto__'])(
    'admin: %s is refused',
    (written) => {
      expect(refusalOf(node(`admin: ${written}`))).toMatch(
        /^networks\[0\]\.nodes\[0\]\.admin: (is empty: )?expected off, on or forbidden/,
      )
    },
  )

  test.each([...words])('index: %s is %s, in quotes as well', (written, expected) => {
    for (const text of [written, `"${written}"`]) {
      expect(load(node(`index: ${text}`)).networks[0]!.nodes[0]!.index).toBe(expected)
    }
  })

  test.each(['1', '"1"', '"0"', 'oui', 'tRUE', '~'])('index: %s is refused', (written) => {
    expect(refusalOf(node(`index: ${written}`))).toMatch(
      /^networks\[0\]\.nodes\[0\]\.index: (is empty: )?expected true or false/,
    )
  })

  test('no enumeration has a word of YAML 1.1 for which a tool writes true or false, but for those that take both', () => {
    const schema = configSchema(plainCollectors)
    const enumerations = keyPaths(schema).flatMap((path) => {
      const form = path.reduce<z.ZodType | undefined>(
        (inner, step) => inner && (step === 0 ? itemOf(inner) : keysOf(inner)?.get(step)?.schema),
        schema,
      )
      const plain = form && unwrap(form)
      return plain instanceof z.ZodEnum ? [{ path: path.join('.'), options: plain.options.map(String) }] : []
    })
    const mangled = enumerations.filter(({ options }) => options.some((word) => words.has(word)))
    expect(mangled.map(({ path, options }) => [path, switchOf(options)])).toEqual([
      ['networks.0.nodes.0.admin', ['on', 'off']],
    ])
    expect(enumerations.length).toBeGreaterThan(5)
  })

  test('a web configuration takes the same words', () => {
    const http2 = (word: string) =>
      loadWebConfig(`{ basic_auth_users: {}, http_server_config: { http2: ${word} } }\n`, {
        file: 'web.yml',
        env: {},
        readFile: () => '',
      }).http2
    expect(['yes', 'on', 'y', 'true', '"True"'].map(http2)).toEqual([true, true, true, true, true])
    expect(['no', 'off', 'n', 'false', '"False"'].map(http2)).toEqual([false, false, false, false, false])
    expect(() => http2('1')).toThrow('expected true or false')
  })
})

describe('times', () => {
  // 2026-12-01T00:00:00Z: 56 years of 365 days, 14 leap days, and 334 days of 2026.
  const MIDNIGHT = (56 * 365 + 14 + 334) * 86_400
  const times = (written: string) => [
    load(validator(`planned_end: ${written}`)).networks[0]!.validators[0]!.planned_end,
    load(network(`upgrade_time: ${written}`)).networks[0]!.upgrade_time,
  ]
  test.each([
    ['Go', '2026-12-01T00:00:00Z', 0],
    ['Python', '2026-12-01 00:00:00+00:00', 0],
    ['Python, as a quoted text', '"2026-12-01 02:00:00+02:00"', 0],
    ['Python, with microseconds', '2026-12-01 00:00:00.500000+00:00', 0.5],
    ['Ruby', '2026-12-01 00:00:00.000000000 Z', 0],
    ['Ruby, with an offset', '2026-12-01 02:00:00.000000000 +02:00', 0],
    ['an offset without a colon', '2026-12-01T05:30:00+0530', 0],
    ['an offset of hours', '2026-12-01T02:00:00+02', 0],
    ['the examples of YAML', '2026-11-30t19:00:00.10-05:00', 0.1],
    ['the examples of YAML, with blanks', '2026-11-30 19:00:00 -5', 0],
    ['no seconds', '2026-12-01 00:00Z', 0],
    ['a small z', '2026-12-01t00:00:00z', 0],
  ])('%s: %s', (_, written, beyond) => {
    expect(times(written)).toEqual([MIDNIGHT + beyond, MIDNIGHT + beyond])
  })

  const EXPECTED = 'expected a time such as 2026-07-28T15:00:00Z'
  test.each([
    [
      'a time of no zone, as Python writes it',
      '2026-12-01 00:00:00',
      `${EXPECTED}, with Z or an offset such as +02:00`,
    ],
    ['a time of no zone', '2026-12-01T00:00', `${EXPECTED}, with Z or an offset such as +02:00`],
    ['a day', '2026-12-01', EXPECTED],
    ['seconds, or are these milliseconds', '1785250800', `${EXPECTED}; this is a number`],
    ['seconds in quotes', '"1785250800"', EXPECTED],
    ['a day that does not exist', '2026-02-30 00:00:00Z', EXPECTED],
    ['an hour that does not exist', '2026-12-01 24:00:00Z', EXPECTED],
    ['an offset that does not exist', '2026-12-01 00:00:00+25:00', EXPECTED],
    ['an offset of three digits', '2026-12-01 00:00:00+530', EXPECTED],
    ['the name of a zone', '2026-12-01 00:00:00 CET', EXPECTED],
    ['days and months in the American way', '12/01/2026 00:00:00Z', EXPECTED],
    ['nothing', 'null', `is empty: ${EXPECTED}`],
  ])('%s is refused', (_, written, expected) => {
    expect(refusalOf(validator(`planned_end: ${written}`))).toBe(`networks[0].validators[0].planned_end: ${expected}`)
    expect(refusalOf(network(`upgrade_time: ${written}`))).toBe(`networks[0].upgrade_time: ${expected}`)
  })
})

describe('numbers', () => {
  const max = (written: string, env: Record<string, string> = {}) =>
    load(`${network('')}\ncollectors: { uptime: { max_series: ${written} } }`, env).collectors['uptime']!.max_series

  test.each([
    ['30', 30],
    ['"30"', 30],
    ["'30'", 30],
    ['30.0', 30],
    ['"30.0"', 30],
    ['"+30"', 30],
    ['3e+06', 3_000_000],
    // As Helm writes great numbers.
    ['1.2e+06', 1_200_000],
    ['"1.2e+06"', 1_200_000],
    ['"${SERIES}"', 30],
  ])('max_series: %s is %d', (written, expected) => {
    expect(max(written, { SERIES: '30' })).toBe(expected)
  })

  test.each(['"030"', '1_000', '"1,000"', '"0x1E"', '"30 "', '""', '"3e99"', '"-1"', '"30.5"', 'true', '1:30', '.inf'])(
    'max_series: %s is refused',
    (written) => {
      expect(refusalOf(`${network('')}\ncollectors: { uptime: { max_series: ${written} } }`)).toMatch(
        /^collectors\.uptime\.max_series: (is empty: )?expected (a whole number from 1 on, such as 100000|a number of at most 10000000)/,
      )
    },
  )

  test('a share and an amount may be in quotes', () => {
    const yaml = validator('expect: { delegation_fee: "0.02", min_stake: "2000" }')
    const expected = load(yaml).networks[0]!.validators[0]!.expect
    expect(expected).toEqual({ delegation_fee: 0.02, min_stake: 2_000 })
  })

  // Nothing says whether these are seconds or milliseconds.
  test.each(['30', '"30"', '0', '1.5h', 'PT30S', '30 s', 'null'])('a duration of %s is refused', (written) => {
    expect(refusalOf(`${network('')}\ndefaults: { timeout: ${written} }`)).toMatch(
      /^defaults\.timeout: (is empty: )?expected a duration such as 30s, 5m or 1h30m/,
    )
  })

  test.each([
    ['1h0m0s', 3_600_000],
    ['"90s"', 90_000],
  ])('a duration of %s, as Go writes it, is taken', (written, expected) => {
    expect(load(`${network('')}\ncollectors: { uptime: { every: ${written} } }`).collectors['uptime']!.every).toBe(
      expected,
    )
  })

  test.each(['5', 'on', '2026', '1e3'])('a name that a tool took out of quotes is refused: %s', (written) => {
    const form = 'expected a name of letters, digits, dots, dashes and underscores'
    const said = refusalOf(`networks: [{ name: ${written} }]`)
    // YAML 1.2 has no such word.
    expect(said).toBe(written === 'on' ? 'taken' : `networks[0].name: ${form}, in quotes; this is a number`)
  })
})

describe('an empty list or map', () => {
  /** Keys of lists and maps, whose absence is the same as an empty one. */
  const keys = [
    'nodes',
    'validators',
    'subnets',
    'chains',
    'addresses',
    'l1_fee',
    'delegation',
    'icm',
    'signature_probes',
    'maintenance',
  ]
  test.each(keys.flatMap((key) => ['null', '~', '[]', '{}'].map((written) => [key, written] as const)))(
    '%s: %s means what leaving it out means',
    (key, written) => {
      expect(JSON.stringify(load(network(`${key}: ${written}`)))).toBe(JSON.stringify(load(network(''))))
    },
  )

  test.each([
    ['defaults', 'null'],
    ['defaults', '[]'],
    ['collectors', 'Null'],
    ['collectors', '[]'],
  ])('%s: %s as well', (key, written) => {
    expect(JSON.stringify(load(`${network('')}\n${key}: ${written}`))).toBe(JSON.stringify(load(network(''))))
  })

  test.each(['expect: null', 'expect: []'])('%s of a validator as well', (line) => {
    expect(load(validator(line)).networks[0]!.validators[0]!.expect).toEqual({})
  })

  test('nothing behind a colon is refused: a file that was cut off ends like that', () => {
    for (const key of keys)
      expect(refusalOf(`networks:\n  - name: fuji\n    ${key}:\n`)).toContain('is empty: expected')
  })

  test.each([
    // Leaving it out covers the whole network.
    [
      'windows',
      network('maintenance: [{ name: w, schedule: "@daily", for: 1h, validators: null }]'),
      'is empty: expected a list of names of validators',
    ],
    [
      'windows, as a map',
      network('maintenance: [{ name: w, schedule: "@daily", for: 1h, nodes: {} }]'),
      'expected a list of names of nodes; this is a map',
    ],
    ['owners', validator('expect: { reward_addresses: null }'), 'is empty: expected a list of addresses'],
    ['owners, as a map', validator('expect: { reward_addresses: {} }'), 'expected a list of addresses'],
    ['networks', 'networks: null', 'is empty: expected a list with at least one network'],
    ['networks, as a map', 'networks: {}', 'expected a list with at least one network; this is a map'],
    ['the data service', network('data_api: null'), 'is empty: expected a map with the keys url'],
    ['the public page', `${network('')}\npublic: null`, 'is empty: expected a map with the keys title, validators'],
    ['a collector', `${network('')}\ncollectors: { uptime: null }`, 'is empty: expected a map with the keys enabled'],
    ['an entry', network('validators: [null]'), 'is empty: expected a map with the keys node_id'],
    ['a word', network('currency: null'), 'is empty: expected usd'],
    [
      'nodes of a preset',
      'networks: [{ preset: fuji, nodes: null }]',
      'null may mean none or those of the preset: write [], or remove the key',
    ],
    [
      'chains of a preset',
      'networks: [{ chains: ~, preset: fuji }]',
      'null may mean none or those of the preset: write [], or remove the key',
    ],
  ])('is refused where leaving it out means something else: %s', (_, yaml, expected) => {
    expect(refusalOf(yaml)).toContain(expected)
  })

  test('a preset is replaced by an empty list of either form', () => {
    for (const written of ['[]', '{}']) {
      expect(load(`networks: [{ preset: fuji, nodes: ${written} }]`).networks[0]!.nodes).toEqual([])
    }
  })

  test('a web configuration says by {} alone that a check is gone', () => {
    const web = (yaml: string) => () => loadWebConfig(`${yaml}\n`, { file: 'w', env: {}, readFile: () => '' })
    for (const written of ['null', '~', '[]']) {
      expect(web(`{ basic_auth_users: ${written} }`)).toThrow('expected a map from users')
    }
    expect(web('{ basic_auth_users: {} }')().users.size).toBe(0)
  })

  test('twice is refused as any other key is', () => {
    expect(refusalOf('networks:\n  - name: fuji\n    nodes: null\n    nodes: []\n')).toContain('is already on line 3')
  })
})

test('a whole configuration with its values in quotes is the same', () => {
  const plain = plainConfig()
  const quoted = JSON.parse(
    JSON.stringify(plain, (_, value: unknown) =>
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ),
  ) as unknown
  expect(JSON.stringify(load(JSON.stringify(quoted)))).toBe(JSON.stringify(load(JSON.stringify(plain))))
})
