// Whom init asks what: nodes of other people are asked about the network, never about themselves.

import { expect, test } from 'vitest'
import { look } from '../../../src/commands/init/look.ts'
import { BaseError } from '../../../src/errors.ts'
import type { AskBody } from '../../../src/upstream/transports.ts'

const C_OF_MAINNET = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const THEIRS = 'z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA'
const PRIMARY = '11111111111111111111111111111111LpoYY'
const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'

interface Answers {
  validators?: readonly object[]
  /** Options other than the two. */
  blockchains?: readonly object[]
  nodeId?: string
}

/** A network of two blockchains, whose nodes refuse what the test says. */
function createNodes(
  refused: Readonly<Record<string, BaseError>> = {},
  { validators = [{ nodeID: NODE }], blockchains = [], nodeId = NODE }: Answers = {},
) {
  const asked: string[] = []
  const results: Readonly<Record<string, unknown>> = {
    'platform.getBlockchains': {
      blockchains: [
        { id: C_OF_MAINNET, name: 'C-Chain', subnetID: PRIMARY },
        { id: THEIRS, name: 'theirs', subnetID: SUBNET },
        ...blockchains,
      ],
    },
    'platform.getBlockchainStatus': { status: 'Created' },
    'platform.getCurrentValidators': { validators },
    'admin.getLoggerLevel': { loggerLevels: {} },
    'index.getLastAccepted': { id: 'x', bytes: '0x', timestamp: '2026-01-01T00:00:00Z', encoding: 'hex', index: '1' },
  }
  const ask: AskBody = (source, { name }) => {
    asked.push(`${String(source.url)} ${name}`)
    const error = refused[name]
    return error ? Promise.reject(error) : Promise.resolve({ text: '', raw: results[name], nodeId })
  }
  const ended = (urls: readonly string[]) =>
    look(ask, { urls, areChosen: false, subnets: [SUBNET], network: undefined }, () => {})
  return { asked, ended }
}

test('a public node identifies the network, and does not belong to the operator', async () => {
  const { asked, ended } = createNodes()
  const { network, nodes, members, flaws } = await ended(['https://api.avax.network/'])
  expect({ network, nodes, subnets: [...members.keys()], flaws }).toEqual({
    network: 'mainnet',
    nodes: [],
    subnets: [SUBNET],
    flaws: [],
  })
  expect(asked).toEqual([
    'api.avax.network platform.getBlockchains',
    'api.avax.network platform.getCurrentValidators',
    'api.avax.network platform.getCurrentValidators',
  ])
})

test.each([
  [
    'an interface that is off is an answer',
    { 'admin.getLoggerLevel': 'unsupported', 'index.getLastAccepted': 'unsupported' },
    { admin: 'forbidden', index: false },
    [],
  ],
  ['an index that is empty is one', { 'index.getLastAccepted': 'not_found' }, { admin: 'on', index: true }, []],
  [
    'an interface that fails is unknown',
    { 'admin.getLoggerLevel': 'http_status', 'index.getLastAccepted': 'bad_response' },
    { admin: undefined, index: undefined },
    [
      'node 10.0.0.5:9650 did not say whether its admin interface answers: why',
      'node 10.0.0.5:9650 did not say whether it has an index: why',
    ],
  ],
  [
    'of the blockchains none is asked for after one that failed',
    { 'platform.getBlockchainStatus': 'http_status' },
    { runs: [] },
    [`node 10.0.0.5:9650 did not say whether it runs the blockchain ${THEIRS}: why`],
  ],
] as const)('%s', async (_, codes, known, flaws) => {
  const refused = Object.entries(codes).map(([name, code]) => [name, new BaseError(code, 'why')] as const)
  const { ended } = createNodes(Object.fromEntries(refused))
  const looked = await ended(['http://10.0.0.5:9650/a-key'])
  expect(looked.nodes).toEqual([expect.objectContaining(known)])
  expect(looked.flaws).toEqual(flaws)
})

test('a node that is down is asked once', async () => {
  const { asked, ended } = createNodes({ 'platform.getBlockchains': new BaseError('timeout', 'why') })
  const { nodes, validators, flaws } = await ended(['http://10.0.0.5:9650'])
  expect(asked).toEqual(['10.0.0.5:9650 platform.getBlockchains'])
  expect(flaws).toEqual(['node 10.0.0.5:9650 did not answer: why'])
  expect(validators).toBeUndefined()
  expect(nodes).toMatchObject([{ url: 'http://10.0.0.5:9650', runs: [] }])
  expect(nodes.map(({ nodeId, admin, index }) => [nodeId, admin, index])).toEqual([[undefined, undefined, undefined]])
})

test('what is no id and no address is left out: a node cannot write anything else into the file', async () => {
  const evil = 'x\n    data_api: { url: "http://evil.example" }'
  const owner = { addresses: ['P-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9'] }
  const { ended } = createNodes(
    {},
    {
      validators: [
        { nodeID: NODE, validationRewardOwner: owner, delegationRewardOwner: owner },
        { nodeID: evil },
        { nodeID: NODE, remainingBalanceOwner: { addresses: [evil] } },
        { nodeID: NODE, delegationRewardOwner: { addresses: [...owner.addresses, evil] } },
      ],
      blockchains: [{ id: evil, subnetID: SUBNET }, { id: THEIRS, subnetID: evil }, { id: THEIRS }],
      nodeId: evil,
    },
  )
  const looked = await ended(['http://10.0.0.5:9650'])
  expect(JSON.stringify(looked)).not.toContain('evil')
  expect(looked.nodes.map(({ nodeId }) => nodeId)).toEqual([undefined])
  expect(looked.blockchains).toHaveLength(2)
  expect([looked.validators?.length, looked.members.get(SUBNET)?.length]).toEqual([1, 1])
})
