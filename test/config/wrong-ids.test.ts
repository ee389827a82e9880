// One wrong id blinds everything that is asked together with it, so `check` names each: one configuration in which an id
// stands in every place that takes one, and then with one of them wrong.

import { describe, expect, test } from 'vitest'
import { example, exampleOptions } from '../support/example.ts'
import { runCommand } from '../support/command.ts'

const right = `networks:
  - name: mainnet
    nodes:
      - { name: a, url: "http://10.0.0.5:9650", node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg }
    data_api: { url: "https://data.example" }
    validators:
      - node_id: NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ
        expect:
          reward_addresses: [P-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9]
          bls_public_key: "0x8048109c3da13de0700f9f3590c3270bfc42277417f6d0cc84282947e1a1f8b4980fd3e3fe223acf0f56a5838890814a"
      - node_id: NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu
        subnet: l1
        expect: { remaining_balance_owner: [P-avax1tlexvakea4ahna5f5msszqr4zmuzeqd4twf2pw] }
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: l1 }]
    chains:
      - { id: c-chain, evm_chain_id: 43114 }
      - { id: 2puqrwboxkA5rDHFBiiVPXgP4mD1gTSXK5QH2AgmJmvrjn8Bvc, name: mine, evm_chain_id: 99999 }
    addresses:
      - { name: own, addresses: [X-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9] }
      - name: relayer
        addresses: ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]
        chains: [mine]
        tokens: { "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E": USDC }
    icm:
      routes:
        - name: out
          from: uEnjfoQdeNoEJXrK2bT7XbATBYLr7axFzDGTfra72RvW614sH
          to: "43114"
          address: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
    signature_probes:
      - { name: message, message: "0x00", signing_subnet: 2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC }
      - { name: tx, tx: LDV9xafRo1d8ENJnxgTuA1BV2z27a4bwDs8sxgQejW8eBwHtR }
`

const CHECKSUM = 'its checksum is wrong, so at least one character is mistyped, missing or added'
const CAPITALS = 'its capital letters do not match its checksum (EIP-55), so at least one character is mistyped'
const NO_CHARACTER = 'it has a character that no id has: a sign, 0, O, I or l'
const SHORTER = 'it holds 20 bytes instead of 32, so it is an id of another kind'
const FOREIGN = 'this network is mainnet: expected avax1... or P-avax1...'

/** What stands there, what is written instead, its place, its path, and the end of what is said of it. */
const cases: readonly [what: string, from: string, to: string, place: string, path: string, end: string][] = [
  ['checksum of the id of a node', 'Lg }', 'Lh }', '4:58', 'nodes[0].node_id', CHECKSUM],
  ['node id cut off', '891xXZ', '891xX', '7:18', 'validators[0].node_id', CHECKSUM],
  ['node id with a zero', 'NodeID-MFr', 'NodeID-0Fr', '7:18', 'validators[0].node_id', NO_CHARACTER],
  [
    'the id of a chain as that of a node',
    'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
    'NodeID-LDV9xafRo1d8ENJnxgTuA1BV2z27a4bwDs8sxgQejW8eBwHtR',
    '11:18',
    'validators[1].node_id',
    'it holds 32 bytes instead of 20, so it is an id of another kind',
  ],
  [
    'checksum of an owner',
    '[P-avax1w508',
    '[P-avax1w509',
    '9:30',
    'validators[0].expect.reward_addresses[0]',
    CHECKSUM,
  ],
  [
    'owner of another network',
    '[P-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9',
    '[P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66',
    '9:30',
    'validators[0].expect.reward_addresses[0]',
    `is an address of fuji, and ${FOREIGN}`,
  ],
  [
    'a BLS key one byte short',
    '0x8048109c',
    '0x80109c',
    '10:27',
    'validators[0].expect.bls_public_key',
    'it holds 47 bytes instead of 48',
  ],
  [
    'checksum of the owner of a balance',
    'wf2pw]',
    'wf2pq]',
    '13:45',
    'validators[1].expect.remaining_balance_owner[0]',
    CHECKSUM,
  ],
  [
    'an EVM address as the owner of a balance',
    '[P-avax1tlexvakea4ahna5f5msszqr4zmuzeqd4twf2pw]',
    '["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]',
    '13:45',
    'validators[1].expect.remaining_balance_owner[0]',
    'it is an address of an EVM chain',
  ],
  ['checksum of a subnet', '2DeHa7Qb', '2DeHa7Qc', '14:21', 'subnets[0].id', CHECKSUM],
  [
    'the id of a node as that of a subnet',
    '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof',
    '7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
    '14:21',
    'subnets[0].id',
    SHORTER,
  ],
  ['checksum of a chain', 'mvrjn8Bvc', 'mvrjn8Bvd', '17:15', 'chains[1].id', CHECKSUM],
  [
    'a chain of another network',
    'c-chain,',
    'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp,',
    '16:15',
    'chains[0].id',
    'is the C-Chain of fuji, and this network is mainnet: expected c-chain',
  ],
  ['checksum of a wallet', '[X-avax1w508', '[X-avax1w50q', '19:34', 'addresses[0].addresses[0]', CHECKSUM],
  [
    'a wallet of another network',
    '[X-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9',
    '[X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u',
    '19:34',
    'addresses[0].addresses[0]',
    `is an address of a custom network, and ${FOREIGN}`,
  ],
  ['capitals of an EVM wallet', '"0x5aAeb', '"0x5AAeb', '21:21', 'addresses[1].addresses[0]', CAPITALS],
  [
    'capitals of a token',
    '"0xB97EF',
    '"0xb97EF',
    '23:65',
    `addresses[1].tokens.0xb97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E`,
    CAPITALS,
  ],
  ['checksum of where messages come from', 'from: uEnj', 'from: uEnk', '27:17', 'icm.routes[0].from', CHECKSUM],
  ['capitals of a sender', '"0xfB69', '"0xfb69', '29:20', 'icm.routes[0].address', CAPITALS],
  ['checksum of a signing subnet', 'SJinuwC', 'SJinuwD', '31:59', 'signature_probes[0].signing_subnet', CHECKSUM],
  ['checksum of a transaction', 'tx: LDV9', 'tx: LDV8', '32:25', 'signature_probes[1].tx', CHECKSUM],
]

const check = (yaml: string) => runCommand(['check', '--config.file=my.yml'], { readFile: () => yaml })

describe('check', () => {
  test('takes the configuration with all ids right', async () => {
    const { code, stdout } = await check(right)
    expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/^my\.yml: valid, \d+ tasks$/)])
  })

  test.each(cases)('names the place of one that is wrong: %s', async (_, from, to, place, path, end) => {
    expect(right.split(from)).toHaveLength(2)
    const { code, stdout, stderr } = await check(right.replace(from, to))
    expect([code, stdout]).toEqual([1, ''])
    const [line, ...others] = stderr.split('\n')
    expect(others).toEqual([])
    const start = `my.yml:${place}: networks[0].${path}: `
    expect([line!.slice(0, start.length), line!.slice(-end.length)]).toEqual([start, end])
  })

  test('config.example.yaml holds no id that is wrong', async () => {
    const { code, stderr } = await runCommand(['check', '--config.file=my.yml'], {
      readFile: (path) => (path === 'my.yml' ? example : exampleOptions.readFile(path)),
      env: exampleOptions.env,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})
