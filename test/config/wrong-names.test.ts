// A list of which every name is wrong, of any length: how many known names it is compared with.

import { afterEach, expect, test, vi } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { configFrom } from '../support/poll.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const COUNT = 1_000
const many = (of: (at: number) => string) => Array.from({ length: COUNT }, (_, at) => of(at)).join(', ')
const HEX = '0123456789abcdef'
/** The checks of addresses and ids are others. */
const ADDRESS = `0x${HEX}${HEX}01234567`

const nodes = 'nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }]'
const others = (list: string) => `networks: [{ name: fuji, ${nodes}, ${list} }]\n`
const named = many((at) => `{ name: known-${at}, url: "http://10.0.0.5:${at + 1}" }`)
const subnets = many((at) => `{ id: s${at}, name: known-${at} }`)
const chains = many((at) => `{ id: s${at}, name: known-${at}, evm_chain_id: ${at + 1} }`)

test.each([
  [
    'nodes of a window',
    `networks: [{ name: fuji, nodes: [${named}], maintenance: [{ name: w, nodes: [${many((at) => `x${at}`)}] }] }]`,
  ],
  [
    'nodes, each in a window',
    `networks: [{ name: fuji, nodes: [${named}], maintenance: [${many((at) => `{ name: w${at}, nodes: [x${at}] }`)}] }]`,
  ],
  [
    'subnets of validators',
    others(`subnets: [${subnets}], validators: [${many((at) => `{ node_id: n${at}, subnet: x${at} }`)}]`),
  ],
  [
    'chains of wallets',
    others(
      `chains: [${chains}], addresses: [${many((at) => `{ name: w${at}, addresses: ["${ADDRESS}"], chains: [x${at}] }`)}]`,
    ),
  ],
])('%s: 50,000 at most', (_, yaml) => {
  // A comparison makes both names lower-case; checks of ids and addresses do so a few times for each entry.
  const made = vi.spyOn(String.prototype, 'toLowerCase')
  expect(() => configFrom(yaml)).toThrow(BaseError)
  expect(made.mock.calls.length).toBeGreaterThanOrEqual(2 * COUNT)
  expect(made.mock.calls.length).toBeLessThanOrEqual(2 * 50_000 + 5 * COUNT)
})
