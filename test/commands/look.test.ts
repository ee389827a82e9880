// Whom init asks what: nodes of other people are asked about the network, never about themselves.

import { expect, test } from 'vitest'
import { look } from '../../src/commands/look.ts'
import { BaseError } from '../../src/errors.ts'
import type { AskBody } from '../../src/upstream/client.ts'

const C_OF_MAINNET = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const PRIMARY = '11111111111111111111111111111111LpoYY'
const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'

/** A network of two blockchains, whose nodes refuse what the test says. */
function createNodes(refused: Readonly<Record<string, BaseError>> = {}) {
  const asked: string[] = []
  const results: Readonly<Record<string, unknown>> = {
    'platform.getBlockchains': {
      blockchains: [
        { id: C_OF_MAINNET, name: 'C-Chain', subnetID: PRIMARY },
        { id: 'theirs', name: 'theirs', subnetID: SUBNET },
      ],
    },
    'platform.getBlockchainStatus': { status: 'Created' },
    'platform.getCurrentValidators': { validators: [{ nodeID: NODE }] },
    'admin.getLoggerLevel': { loggerLevels: {} },
    'index.getLastAccepted': { id: 'x', bytes: '0x', timestamp: '2026-01-01T00:00:00Z', encoding: 'hex', index: '1' },
  }
  const ask: AskBody = (source, { name }) => {
    asked.push(`${String(source.url)} ${name}`)
    const error = refused[name]
    return error ? Promise.reject(error) : Promise.resolve({ text: '', raw: results[name], nodeId: NODE })
  }
  const ended = (urls: readonly string[]) => look(ask, { urls, subnets: [SUBNET], network: undefined }, () => {})
  return { asked, ended }
}

test("a public node tells of the network, and is nobody's", async () => {
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
      'node 10.0.0.5:9650: whether its admin interface answers: why',
      'node 10.0.0.5:9650: whether it has an index: why',
    ],
  ],
  [
    'of the blockchains none is asked for after one that failed',
    { 'platform.getBlockchainStatus': 'http_status' },
    { runs: [] },
    ['node 10.0.0.5:9650: whether it runs the blockchain theirs: why'],
  ],
  [
    'a node that is down is asked once',
    { 'platform.getBlockchains': 'timeout' },
    { nodeId: undefined, admin: undefined, index: undefined },
    ['node 10.0.0.5:9650: why'],
  ],
] as const)('%s', async (_, codes, known, flaws) => {
  const refused = Object.entries(codes).map(([name, code]) => [name, new BaseError(code, 'why')] as const)
  const { asked, ended } = createNodes(Object.fromEntries(refused))
  const looked = await ended(['http://10.0.0.5:9650/a-key'])
  expect(looked.nodes).toEqual([expect.objectContaining({ shown: '10.0.0.5:9650', ...known })])
  expect(looked.flaws).toEqual(flaws)
  if (flaws[0] === 'node 10.0.0.5:9650: why') expect(asked).toHaveLength(1)
})
