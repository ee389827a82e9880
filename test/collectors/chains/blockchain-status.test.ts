import { describe, expect, test } from 'vitest'
import { blockchainStatus } from '../../../src/collectors/chains/blockchain-status.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    chains: [{ id: p-chain, name: p-chain }, { id: ${L1}, name: my-l1 }]
`
const all = ['validating', 'created', 'preferred', 'syncing', 'unknown', 'other']
const lines = (chain: string, source: string, current: string) =>
  all.map(
    (state) =>
      `stakewatch_blockchain_status{network="fuji",chain="${chain}",source="${source}",state="${state}"} ${state === current ? 1 : 0}`,
  )

describe('blockchain-status (document 2, States)', () => {
  test('each node is asked for each chain, in the words that nodes know, and has its own opinion', async () => {
    const poller = createPoller(yaml, blockchainStatus, 0)
    const asked: unknown[] = []
    await poller.poll((operation, { body }, source) => {
      asked.push([operation, source, body['blockchainID']])
      return source === 'node-a' ? fixture('node/platform.getBlockchainStatus.document') : { status: 'Syncing' }
    })
    expect(asked).toEqual([
      ['platform.getBlockchainStatus', 'node-a', 'P'],
      ['platform.getBlockchainStatus', 'node-b', 'P'],
      ['platform.getBlockchainStatus', 'node-a', L1],
      ['platform.getBlockchainStatus', 'node-b', L1],
    ])
    expect(poller.lines(/blockchain_status/)).toEqual([
      ...lines('p-chain', 'node-a', 'validating'),
      ...lines('p-chain', 'node-b', 'syncing'),
      ...lines('my-l1', 'node-a', 'validating'),
      ...lines('my-l1', 'node-b', 'syncing'),
    ])
  })

  test.each([
    ['Validating', 'validating'],
    ['Created', 'created'],
    ['Preferred', 'preferred'],
    ['Syncing', 'syncing'],
    ['Unknown', 'unknown'],
    ['Hibernating', 'other'],
  ])('%s is the state %s, and only that', async (status, state) => {
    const poller = createPoller(yaml, blockchainStatus, 0)
    await poller.poll(() => ({ status }))
    expect(poller.lines(/blockchain_status.*my-l1.*node-b/)).toEqual(lines('my-l1', 'node-b', state))
  })

  test.each([
    ['as declared', 'validating', 'my-l1', 'Validating', [1]],
    ['another one', 'validating', 'my-l1', 'Created', [0]],
    ['one that is not known', 'created', 'my-l1', 'Hibernating', [0]],
    ['Syncing of another chain than the P-Chain', 'syncing', 'my-l1', 'Syncing', [1]],
    // As a live node says whatever it does.
    ['Syncing of the P-Chain', 'syncing', 'p-chain', 'Syncing', [1]],
    ['Validating of the P-Chain, as the document has it', 'syncing', 'p-chain', 'Validating', [0]],
    ['of which nothing is declared', undefined, 'my-l1', 'Validating', []],
  ])('the declared status: %s', async (_, declared, chain, status, expected) => {
    const keys = declared === undefined ? '' : `, expect: { status: ${declared} }`
    const poller = createPoller(yaml.replace(`name: ${chain}`, `name: ${chain}${keys}`), blockchainStatus, 0)
    await poller.poll((__, { body }) => ({
      status: body['blockchainID'] === (chain === 'my-l1' ? L1 : 'P') ? status : '?',
    }))
    const met = ['node-a', 'node-b'].flatMap((source) =>
      expected.map(
        (value) =>
          `stakewatch_blockchain_status_expectation_met{network="fuji",chain="${chain}",source="${source}",expectation="status"} ${value}`,
      ),
    )
    expect(poller.lines(/expectation_met/)).toEqual(met)
  })

  test.each([
    ['an error of the node', new BaseError('rpc_error', 'problem parsing blockchainID')],
    ['a status that is no text', { status: 7 }],
    ['an answer without status', {}],
    ['nothing', null],
    ['no answer', new BaseError('timeout', 'late')],
  ])('%s is a failure and no state: what was known stays until it expires', async (_, answer) => {
    const poller = createPoller(yaml, blockchainStatus, 0)
    await poller.poll(() => answer)
    expect(poller.lines(/blockchain_status\{/)).toEqual([])
    await poller.poll(() => ({ status: 'Created' }))
    poller.clock.now = 299_999
    await poller.poll(() => answer)
    expect(poller.lines(/blockchain_status.*my-l1.*node-b/)).toEqual(lines('my-l1', 'node-b', 'created'))
    expect(poller.lines(/collector_success/).map((line) => line.at(-1))).toEqual(['0', '0', '0', '0'])
    poller.clock.now = 300_000
    expect(poller.lines(/blockchain_status\{/)).toEqual([])
  })

  test('a node without the method is unsupported: success, nothing known, and the others have their say', async () => {
    const poller = createPoller(yaml, blockchainStatus, 0)
    await poller.poll(() => ({ status: 'Created' }))
    poller.clock.now += 1_000
    await poller.poll((_, __, source) =>
      source === 'node-a' ? new BaseError('unsupported', 'no method') : { status: 'Syncing' },
    )
    expect(poller.lines(/blockchain_status\{/)).toEqual([
      ...lines('p-chain', 'node-b', 'syncing'),
      ...lines('my-l1', 'node-b', 'syncing'),
    ])
    expect(poller.lines(/collector_success/).map((line) => line.at(-1))).toEqual(['1', '1', '1', '1'])
  })
})
