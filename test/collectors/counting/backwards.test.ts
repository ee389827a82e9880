// Answers that go backwards, be they of a height, of a total or of a list: a replica that lags takes nothing back, and an
// upstream that has restarted is accepted in time.

import { expect, test } from 'vitest'
import { avgTps } from '../../../src/collectors/chains/avg-tps.ts'
import type { AnyCollector } from '../../../src/collectors/define.ts'
import { erc20Transfers } from '../../../src/collectors/wallets/erc20-transfers.ts'
import { evmBlocks } from '../../../src/collectors/chains/evm-blocks.ts'
import { evmTransactions } from '../../../src/collectors/chains/evm-transactions.ts'
import { headCheck } from '../../../src/collectors/nodes/head-check.ts'
import { icm } from '../../../src/collectors/messages/icm.ts'
import { indexHead } from '../../../src/collectors/nodes/index-head.ts'
import { indexIntervals } from '../../../src/collectors/nodes/index-intervals.ts'
import { primaryBlocks } from '../../../src/collectors/chains/primary-blocks.ts'
import { rewards } from '../../../src/collectors/wallets/rewards.ts'
import { supply } from '../../../src/collectors/subnets/supply.ts'
import { transactions } from '../../../src/collectors/wallets/transactions.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, type Upstream } from '../../support/poll.ts'

const TOKEN = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const NODE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const WALLET = 'fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
const EVM = '0xf401000000000000000000000000000000000001'
const MINUTE = 60_000
const START = 1_700_000_000

const network = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1", index: true }]
    data_api: { url: "http://127.0.0.1:2" }
    metrics_api: { url: "http://127.0.0.1:3" }
`
const pChain = `${network}    chains: [{ id: p-chain }]\n`
const evmChain = `${network}    chains: [{ id: c-chain, evm_chain_id: 43113 }]\n`
const wallet = `${network}    addresses: [{ name: treasury, addresses: [P-${WALLET}] }]\n`
const evmWallet = `${evmChain}    addresses: [{ name: relayer, addresses: ["${EVM}"], chains: [c-chain] }]\n`
const validator = `${network}    subnets: [{ id: ${SUBNET} }]\n    validators: [{ node_id: ${NODE}, subnet: ${SUBNET} }]\n`
const route = `${network}    icm: { routes: [{ name: there, from: "43113", to: "99999" }] }\n`
const optIn = (yaml: string, name: string) => `${yaml}collectors: { ${name}: { enabled: true } }\n`

const block = (height: number) => ({
  blockNumber: `${height}`,
  blockHash: `b-${height}`,
  blockTimestamp: START,
  txCount: 0,
})
const container = (index: number) => ({
  id: `c-${index}`,
  bytes: '0x00',
  timestamp: '1970-01-01T00:00:00Z',
  encoding: 'hex',
  index: String(index),
})
const transaction = (at: number, txType: string) => ({ txHash: `t-${at}`, txType, blockTimestamp: at })
const reward = (at: number) => ({
  rewardTxHash: `t-${at}`,
  utxoId: 'u',
  endTimestamp: at,
  reward: { assetId: TOKEN, amount: '1' },
})
const transfer = (height: number) => ({ blockNumber: String(height), txHash: '0x1', logIndex: 0, to: { address: EVM } })
const message = (at: number) => ({
  messageId: `m-${at}`,
  status: 'pending',
  sourceTransaction: { timestamp: START - 100 + at },
})
const notFound = new BaseError('not_found', 'not there')

/** An upstream that has got as far as it says. */
type Reaching = (at: number) => Upstream

const ofBlocks: Reaching = (at) => () => ({ blocks: [block(at)] })
const ofNode: Reaching =
  (at) =>
  (operation, { body }) => {
    if (operation === 'list-latest-primary-network-blocks') return { blocks: [block(30)] }
    const height = Number(body['height'])
    return height > at ? notFound : { block: { parentID: 'b', height, txs: [] }, encoding: 'json' }
  }
const ofIndex: Reaching =
  (at) =>
  (operation, { body }) =>
    container(operation === 'index.getLastAccepted' ? at : Number(body['index']))
const ofRewards: Reaching = (at) => () => ({ historicalRewards: [reward(at)] })
const ofWallet: Reaching = (at) => () => ({ transactions: [transaction(at, 'BaseTx')] })
const ofTopUps: Reaching = (at) => (operation) =>
  operation === 'platform.getCurrentValidators'
    ? { validators: [{ nodeID: NODE, weight: '1', balance: '1', validationID: 'v' }] }
    : { transactions: [transaction(at, 'IncreaseL1ValidatorBalanceTx')] }
const ofTransfers: Reaching =
  (at) =>
  (operation, { query }) =>
    operation === 'list-latest-evm-blocks'
      ? { blocks: [block(30)] }
      : { transactions: Number(query['startBlock'] ?? 0) > at ? [] : [transfer(at)] }
const ofMessages: Reaching = (at) => () => ({ messages: [message(at)] })
const ofSupply: Reaching = (at) => (operation) =>
  operation === 'platform.getCurrentSupply' ? { supply: `${at}`, height: `${at}` } : { blocks: [] }
const ofPoint: Reaching = (at) => () => ({ results: [{ timestamp: at, value: at }], lastRun: 40 })
const ofUpdate: Reaching = (at) => () => ({ results: [{ timestamp: 1, value: at }], lastRun: at })
const walked = optIn(evmChain, 'evm-transactions')
const counted = optIn(pChain, 'index-intervals')

test.each<[string, AnyCollector, string, string, Reaching]>([
  ['the head of an EVM chain', evmBlocks, evmChain, 'data-api', ofBlocks],
  ['the head of the P-Chain', primaryBlocks, pChain, 'data-api', ofBlocks],
  ['the head of an EVM chain whose blocks are walked', evmTransactions, walked, 'data-api', ofBlocks],
  ['the head of a node', headCheck, pChain, 'node-a', ofNode],
  ['the end of an index', indexHead, pChain, 'node-a', (at) => () => container(at)],
  ['the end of an index whose blocks are counted', indexIntervals, counted, 'node-a', ofIndex],
  ['rewards', rewards, wallet, 'data-api', ofRewards],
  ["a wallet's list", transactions, wallet, 'data-api', ofWallet],
  ['top-ups of an L1 validator', transactions, validator, 'data-api', ofTopUps],
  ['transfers of tokens', erc20Transfers, evmWallet, 'data-api', ofTransfers],
  ['messages between chains', icm, route, 'data-api', ofMessages],
  ['the height of a supply', supply, network, 'node-a', ofSupply],
  ['the newest point of an average', avgTps, evmChain, 'metrics-api', ofPoint],
  ['the last update of an average', avgTps, evmChain, 'metrics-api', ofUpdate],
])('refuses and counts %s that goes back, until three runs over five minutes agree', async (...row) => {
  const [, collector, yaml, source, reaching] = row
  const poller = createPoller(yaml, collector, START * 1_000)
  const pollAt = async (minute: number, at: number) => {
    poller.clock.now = START * 1_000 + minute * MINUTE
    await poller.poll(reaching(at))
    const published = poller.lines(/^stakewatch_(?!collector_)/)
    return { published, success: poller.success(), refusals: poller.refusals.length }
  }
  const { published } = await pollAt(0, 20)
  expect(published.length).toBeGreaterThan(0)
  expect(await pollAt(1, 10)).toEqual({ published, success: [0], refusals: 1 })
  expect(await pollAt(2, 10)).toEqual({ published, success: [0], refusals: 2 })
  expect(await pollAt(6, 10)).toMatchObject({ success: [1], refusals: 2 })
  // Two runs are not enough, however far apart, and one that is as far as before begins again.
  await pollAt(7, 20)
  expect(await pollAt(8, 9)).toMatchObject({ success: [0], refusals: 3 })
  expect(await pollAt(9, 20)).toMatchObject({ success: [1], refusals: 3 })
  expect(await pollAt(10, 9)).toMatchObject({ success: [0], refusals: 4 })
  expect(await pollAt(18, 9)).toMatchObject({ success: [0], refusals: 5 })
  expect(await pollAt(19, 9)).toMatchObject({ success: [1], refusals: 5 })
  expect(new Set(poller.refusals)).toEqual(new Set([source]))
})
