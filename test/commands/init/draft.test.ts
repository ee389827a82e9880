// The text of a draft configuration: it is valid, and contains the given values.

import { expect, test } from 'vitest'
import { type Draft, textOf } from '../../../src/commands/init/draft.ts'
import { configFrom } from '../../support/poll.ts'

const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const CHAIN = 'z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA'
const OTHER = 'p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz'
const OWNER = 'P-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9'
const RELAYER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

test.each<[string, Draft, string]>([
  [
    'flags alone',
    { name: 'mainnet', preset: 'mainnet', validators: [{ nodeId: NODE }], subnets: [{ id: SUBNET }], wallets: [OWNER] },
    `\
networks:
  - name: mainnet
    preset: mainnet # its addresses, chains and budgets; each key that is written wins
    validators:
      - node_id: ${NODE}
    subnets:
      - id: ${SUBNET}
        validators: all # series of every validator in the set
    addresses:
      - name: ${OWNER}
        addresses: ["${OWNER}"]
`,
  ],
  [
    'all that can be found out',
    {
      head: ['First line.', '', 'Third line.'],
      name: 'mainnet',
      preset: 'mainnet',
      nodes: [
        { name: 'node-1', url: 'http://10.0.0.5:9650', nodeId: NODE, index: true, admin: 'on', note: 'yours' },
        { name: 'node-2', url: 'http://10.0.0.6:9650/a"b${c}', index: false, admin: 'forbidden' },
      ],
      validators: [
        { nodeId: NODE, note: 'this one', expect: { reward_addresses: [OWNER], delegation_fee: 0.02 } },
        { nodeId: NODE, subnet: 'lantern', expect: { remaining_balance_owner: [OWNER], delegation_fee: undefined } },
        { nodeId: NODE, subnet: 'other', expect: {} },
      ],
      subnets: [
        { id: SUBNET, name: 'lantern', note: 'an L1' },
        { id: OTHER, name: 'other' },
      ],
      chains: [
        { id: 'c-chain', evmChainId: 43_114 },
        { id: CHAIN, name: 'lantern', note: 'its chain' },
      ],
      wallets: [RELAYER],
    },
    `\
# First line.
#
# Third line.
networks:
  - name: mainnet
    preset: mainnet # its addresses, chains and budgets; each key that is written wins
    nodes:
      - name: node-1 # yours
        url: "http://10.0.0.5:9650"
        node_id: ${NODE} # as it says itself; its view of itself is left out
        index: true # it answers
      - name: node-2
        url: "http://10.0.0.6:9650/a\\"b$\${c}"
        admin: forbidden # it does not answer, and must not
    validators:
      - node_id: ${NODE} # this one
        expect: { reward_addresses: [${OWNER}], delegation_fee: 0.02 }
      - node_id: ${NODE}
        subnet: lantern
        expect: { remaining_balance_owner: [${OWNER}] }
      - node_id: ${NODE}
        subnet: other
    subnets:
      - id: ${SUBNET} # an L1
        name: lantern
        validators: all # series of every validator in the set
      - id: ${OTHER}
        name: other
        validators: all # series of every validator in the set
    chains:
      - id: c-chain
        evm_chain_id: 43114
      - id: ${CHAIN} # its chain
        name: lantern
    addresses:
      - name: "${RELAYER}"
        addresses: ["${RELAYER}"]
        chains: [c-chain]
`,
  ],
])('%s', (_, draft, text) => {
  expect(textOf(draft)).toBe(text)
  const [network] = configFrom(text).networks
  expect(network!.validators.map(({ node_id }) => node_id)).toEqual(draft.validators!.map(({ nodeId }) => nodeId))
  const urls = network!.nodes.map(({ url }) => url.reveal())
  expect(urls.slice(-(draft.nodes?.length ?? 0))).toEqual(draft.nodes?.map(({ url }) => url) ?? urls)
  expect(network!.addresses.map(({ addresses }) => addresses)).toEqual(draft.wallets!.map((one) => [one]))
})
