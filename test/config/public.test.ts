// What the public page may name, and what is said of the rest.

import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { publicValidators } from '../../src/config/public-validators.ts'
import { configFrom } from '../support/poll.ts'

const ID = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const OTHER = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const ONE = `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }]
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: acre }]
    validators: [{ node_id: ${ID}, name: val-1 }, { node_id: ${OTHER} }, { node_id: ${OTHER}, name: val-1, subnet: acre }]
`
const TWO = `${ONE}  - { preset: mainnet, validators: [{ node_id: ${ID}, name: val-1 }] }\n`

function refusalOf(yaml: string, page: string): string[] {
  try {
    configFrom(`${yaml}public: ${page}\n`)
    return []
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return error.message.split('\n').map((line) => line.replace(/^test\.yaml:\d+:\d+: (public\.?)?/, ''))
  }
}

describe('the validators of the page', () => {
  test.each([
    ['by name, of the only network', ONE, '[{ validator: val-1 }]', [`fuji primary ${ID}`]],
    ['by node id, where it has no name', ONE, `[{ validator: ${OTHER} }]`, [`fuji primary ${OTHER}`]],
    ['of a subnet', ONE, '[{ validator: val-1, subnet: acre }]', [`fuji acre ${OTHER}`]],
    [
      'of two networks, in the order of the page',
      TWO,
      '[{ validator: val-1, network: mainnet }, { validator: val-1, network: fuji }]',
      [`mainnet primary ${ID}`, `fuji primary ${ID}`],
    ],
  ])('%s', (_, yaml, list, expected) => {
    const found = publicValidators(configFrom(`${yaml}public: { validators: ${list} }\n`))
    expect(found.map(({ network, validator }) => `${network.name} ${validator.subnet} ${validator.node_id}`)).toEqual(
      expected,
    )
  })

  const LIST = 'expected the name of a validator that is listed under networks[0].validators'
  const EMPTY = 'expected a list with at least one validator, or no public at all'
  test.each([
    [
      'close to a name',
      ONE,
      '[{ validator: val-2 }]',
      [`validators[0].validator: ${LIST}; did you mean that of networks[0].validators[0]?`],
    ],
    ['unknown', ONE, '[{ validator: harbour }]', [`validators[0].validator: ${LIST}: add it there, or remove it here`]],
    [
      'of another subnet',
      ONE,
      `[{ validator: ${OTHER}, subnet: acre }]`,
      [`validators[0].validator: ${LIST}, of this subnet; set subnet to that of networks[0].validators[1]`],
    ],
    [
      'without its network',
      TWO,
      '[{ validator: val-1 }]',
      ['validators[0].network: is missing: expected the name of a network, as there are several'],
    ],
    [
      'of an unknown network',
      TWO,
      '[{ validator: val-1, network: x }]',
      ['validators[0].network: expected the name of an entry of networks'],
    ],
    [
      'there twice, once with the default of its keys',
      ONE,
      '[{ validator: val-1 }, { validator: val-1, network: fuji, subnet: primary }]',
      ['validators[1].validator: public.validators[0] is the same: remove one of the two'],
    ],
    ['an empty list', ONE, '[]', [`validators: ${EMPTY}`]],
  ])('%s: an error with a remedy', (_, yaml, list, expected) => {
    expect(refusalOf(yaml, `{ validators: ${list} }`)).toEqual(expected)
  })

  test('no list at all', () => {
    expect(refusalOf(ONE, '{}')).toEqual([`validators: is missing: ${EMPTY}`])
    expect(refusalOf(ONE, '')).toEqual([': is empty: expected a map with the keys title, validators'])
  })

  test('what is wrong elsewhere is reported once, and not as an unknown name', () => {
    const wrong = TWO.replace(`${ID}, name: val-1 }] }`, 'nonsense, name: val-1 }] }')
    const found = refusalOf(wrong, '{ validators: [{ validator: val-1, network: mainnet }] }')
    expect(found).toEqual([expect.stringMatching(/^networks\[1\]\.validators\[0\]\.node_id: expected a node id/)])
  })
})

describe('the words of the page', () => {
  const taken = (words: string) => {
    const text = JSON.stringify(words)
    return refusalOf(ONE, `{ title: ${text}, validators: [{ validator: val-1, name: ${text} }] }`)
  }

  test.each(['A', 'Ätna & Söhne <Staking> #1', '株式会社', '100', 'x'.repeat(100)])('%s', (words) => {
    expect(taken(words)).toEqual([])
  })

  test.each([
    ['a blank', ' '],
    ['a blank at the end', 'a '],
    ['two lines', 'a\nb'],
    ['a control character', 'a\u0007b'],
    ['a character that reverses the text', 'a\u202eb'],
    ['too many', 'x'.repeat(101)],
  ])('%s is refused', (_, words) => {
    const problem = 'expected one line of at most 100 printable characters, such as Example Staking'
    expect(taken(words)).toEqual([`title: ${problem}`, `validators[0].name: ${problem} 1`])
  })
})
