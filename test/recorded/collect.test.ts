// What the collectors publish of the answers that were recorded from a real node, worked out by hand from those answers.

import { expect, test } from 'vitest'
import type { AnyCollector } from '../../src/collectors/define.ts'
import { blockchainStatus } from '../../src/collectors/chains/blockchain-status.ts'
import { blockchains } from '../../src/collectors/chains/blockchains.ts'
import { headCheck } from '../../src/collectors/nodes/head-check.ts'
import { indexHead } from '../../src/collectors/nodes/index-head.ts'
import { indexIntervals } from '../../src/collectors/nodes/index-intervals.ts'
import { nodeAdmin } from '../../src/collectors/nodes/node-admin.ts'
import { subnet } from '../../src/collectors/subnets/subnet.ts'
import { supply } from '../../src/collectors/subnets/supply.ts'
import { delegations } from '../../src/collectors/validators/delegations.ts'
import { l1Validators } from '../../src/collectors/validators/l1-validators.ts'
import { uptime } from '../../src/collectors/validators/uptime.ts'
import { validators } from '../../src/collectors/validators/validators.ts'
import { nodeBalances } from '../../src/collectors/wallets/node-balances.ts'
import { createPoller, type Upstream, type Poller } from '../support/poll.ts'
import { saidBy } from './as-client.ts'
import { recorded, resultOf } from './recorded.ts'

const PRIMARY = '11111111111111111111111111111111LpoYY'
const PERMISSIONED = '22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2'
const L1 = 'oFZous6FgK5S4GAzAGjmDikqy2cQA1izRuUZoiqVNbjk1UHbz'
const C = '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC'
/** The node that was asked. */
const ASKED = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const DELEGATED = 'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i'
const GENESIS = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5'
const KILLED = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const NEVER = 'NodeID-NH4j3EymxJs7XKupLte46vgrQU4rnc1NJ'

const network = (parts: string) => `
networks:
  - name: local
    upgrade_time: 2030-01-01T00:00:00Z
    delegation: { min_duration: 1d }
    nodes: [{ name: node, url: "http://127.0.0.1:9650", node_id: ${ASKED}, index: true, admin: on }]
${parts}`
const tracked = (...ids: string[]) =>
  network(`    validators: [${ids.map((id, at) => `{ node_id: ${id}, name: v${at + 1} }`).join(', ')}]\n`)
const time = (text: string) => Date.parse(text)

/** The error that was recorded, as a client throws it. */
const errorOf = (of: string, name: string) =>
  saidBy(
    recorded.find((one) => one.of === of && one.case === name)!,
    of,
  )
const NOT_FOUND = errorOf('platform.getBlockByHeight', 'beyond json')

/** One poll: lines of the pattern, without the labels that all of them have. */
async function published(yaml: string, collector: AnyCollector, at: number, answers: Upstream, pattern: RegExp) {
  const poller = createPoller(yaml, collector, at)
  await poller.poll(answers)
  return linesOf(poller, pattern)
}

function linesOf({ lines }: Poller, pattern: RegExp): string[] {
  return lines(pattern)
    .filter((line) => !line.includes('collector='))
    .map((line) => line.replace('stakewatch_', '').replace('network="local",', '').replace(',source="node"', ''))
}

const byNodeIds = (name: string): Upstream => {
  const answer = resultOf('platform.getCurrentValidators', name)
  return (operation) => (operation === 'platform.getCurrentValidators' ? answer : NOT_FOUND)
}

test('validators of the primary network', async () => {
  const at = time('2026-11-21T23:38:49Z')
  const lines = await published(
    tracked(DELEGATED, GENESIS),
    validators,
    at,
    byNodeIds('two nodes'),
    /stakewatch_validator/,
  )
  const one = (metric: string, value: string) =>
    `validator_${metric}{subnet="primary",node_id="${DELEGATED}",validator="v1"} ${value}`
  const two = (metric: string, value: string) =>
    `validator_${metric}{subnet="primary",node_id="${GENESIS}",validator="v2"} ${value}`
  expect(lines).toEqual(
    expect.arrayContaining([
      one('in_set', '1'),
      one('stake_tokens', '2500'),
      one('delegated_tokens', '130'),
      one('delegators', '2'),
      one('delegation_fee_ratio', '0.025'),
      // Five times its own stake is 12,500: 2,500 and 130 of that are taken, and 93,331 s are left, more than a day.
      one('delegation_capacity_tokens', '9870'),
      one('potential_reward_tokens', '0.737562933'),
      one('start_timestamp_seconds', '1795304056'),
      one('end_timestamp_seconds', '1795397660'),
      two('in_set', '1'),
      two('stake_tokens', '2000000'),
      two('delegated_tokens', '0'),
      two('delegators', '0'),
      two('delegation_fee_ratio', '0.0625'),
      // Three million is the most that a validator can have.
      two('delegation_capacity_tokens', '1000000'),
      two('potential_reward_tokens', '239808.237943328'),
      two('start_timestamp_seconds', '1791000000'),
      two('end_timestamp_seconds', '1822514400'),
    ]),
  )
  expect(lines.filter((line) => line.includes('next_period'))).toEqual([])
})

test('auto-renewed validators: only they have a next period, and it is 0 for one that leaves', async () => {
  const [renewed, other, fixed, leaving] = [
    'NodeID-8K1wcpei1rV5vwU31JitGKWPhLUbJuf4y',
    'NodeID-7ghKpWs4GzokdiqVYieaLTX3TQt1fvQkX',
    'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
    'NodeID-Dak85QHjjtLoEHeTyjiGiHt8R75Zn26Zx',
  ] as const
  const at = time('2026-11-21T23:58:41Z')
  const several = byNodeIds('Helicon: with auto-renewed validators')
  const period = /next_period|end_timestamp/
  const lines = (id: string, name: string, end: string, next?: string) => [
    `validator_end_timestamp_seconds{subnet="primary",node_id="${id}",validator="${name}"} ${end}`,
    ...(next === undefined
      ? []
      : [`validator_next_period_seconds{subnet="primary",node_id="${id}",validator="${name}"} ${next}`]),
  ]
  expect((await published(tracked(renewed, other, fixed), validators, at, several, period)).toSorted()).toEqual(
    [
      ...lines(renewed, 'v1', '1795305614', '120'),
      ...lines(other, 'v2', '1795305673', '180'),
      ...lines(fixed, 'v3', '1797893143'),
    ].toSorted(),
  )
  const last = byNodeIds('Helicon: auto-renewed in its second period, leaving after it, delegatee reward accrued')
  expect(await published(tracked(leaving), validators, time('2026-11-22T00:26:53Z'), last, period)).toEqual(
    lines(leaving, 'v1', '1795307261', '0'),
  )
})

test('members of an L1: kinds, weights, balances', async () => {
  const yaml = network(`    subnets: [{ id: ${L1}, name: my-l1, validators: all }]\n`)
  const at = time('2026-11-21T23:57:20Z')
  const answers = byNodeIds('L1 after registration, deactivation, disabling and removal')
  const info = (id: string, kind: string, validation = '') =>
    `validator_info{subnet="my-l1",node_id="${id}",validator="${id}",kind="${kind}",validation_id="${validation}"} 1`
  const weight = (id: string, value: number) =>
    `validator_weight{subnet="my-l1",node_id="${id}",validator="${id}"} ${value}`
  const ids = {
    old: 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
    large: 'NodeID-AhH2GqSW4sfUPXcyeiNoaic4yzFDbET3S',
    disabled: 'NodeID-DLvnBbu2z592Z5avvFPAqbcV6Js4H8pje',
    drained: 'NodeID-J6G6pzAd4R1swFWRD81q6ZycsSBsUPbif',
    small: 'NodeID-LEu8LE5grqmf6kwmsJsPL9AXmYchABFyv',
  }
  const lines = await published(yaml, validators, at, answers, /validator_(info|weight)\{/)
  expect(lines.toSorted()).toEqual(
    [
      info(ids.old, 'permissioned'),
      info(ids.large, 'l1', '2CdC4o4HNHrhM8jLCXnZNufHPgFzFSQHaqB33AWr5V4VJungyH'),
      info(ids.disabled, 'l1', 'qj7kbKmSdYxGbCBGsre8o29cHKhYqmhamNP5bYt36jAXEiZyn'),
      info(ids.drained, 'l1', 'eTxqYaBGcSE23vhJeYaMNSFzjVUNz68ZGpD6Zr9GFhqu76SJn'),
      info(ids.small, 'l1', '2QmeibrwpuHFwa8sELZscH6Ki5yxuYoEbWd8M3CZRbph1kzdQT'),
      weight(ids.old, 5),
      weight(ids.large, 100),
      weight(ids.disabled, 10),
      weight(ids.drained, 7),
      weight(ids.small, 25),
    ].toSorted(),
  )

  const balance = (metric: string, id: string, value: string) =>
    `l1_validator_${metric}{subnet="my-l1",node_id="${id}",validator="${id}"} ${value}`
  const nonce = (id: string, value: string) => `l1_validator_min_nonce{subnet="my-l1",validator="${id}"} ${value}`
  const balances = await published(yaml, l1Validators, at, answers, /l1_validator_(balance_tokens|active|min_nonce)\{/)
  expect(balances.toSorted()).toEqual(
    [
      balance('balance_tokens', ids.large, '1.999998676'),
      balance('active', ids.large, '1'),
      balance('balance_tokens', ids.disabled, '0'),
      balance('active', ids.disabled, '0'),
      balance('balance_tokens', ids.drained, '0'),
      balance('active', ids.drained, '0'),
      balance('balance_tokens', ids.small, '0.001998676'),
      balance('active', ids.small, '1'),
      ...[ids.large, ids.disabled, ids.drained].map((id) => nonce(id, '0')),
      nonce(ids.small, '4'),
    ].toSorted(),
  )
})

test('uptime: of others, as the asked node saw them, and what is left of the time to be down', async () => {
  const seen = (id: string, metric: string) => `validator_${metric}{subnet="primary",node_id="${id}",validator="v1"`
  const poll = (id: string, name: string, at: string) =>
    published(tracked(id), uptime, time(at), byNodeIds(name), /uptime_ratio\{|connected\{|budget|reward_state.* 1$/)
  const killed = await poll(KILLED, 'validator killed', '2026-11-21T23:47:43Z')
  expect(killed.filter((line) => !line.includes('budget') && !line.includes('required'))).toEqual([
    `${seen(KILLED, 'uptime_ratio')}} 0.999986`,
    `${seen(KILLED, 'connected')}} 0`,
    `${seen(KILLED, 'reward_state')},state="on_track"} 1`,
  ])
  // A fifth of 31,519,800 s is 6,303,960 s, less 0.000014 of the 4,304,863 s so far: 60 s.
  const budget = killed.find((line) => line.includes('budget'))!
  expect(Math.round(Number(budget.split(' ').at(-1)))).toBe(6_303_900)

  const never = await poll(NEVER, 'validator never connected, with a delegator', '2026-11-21T23:57:20Z')
  expect(never).toEqual(
    expect.arrayContaining([
      `${seen(NEVER, 'uptime_ratio')}} 0`,
      `${seen(NEVER, 'connected')}} 0`,
      // A fifth of 485 s is 97 s, and 18 s have passed.
      `${seen(NEVER, 'downtime_budget_seconds')}} 79`,
      `${seen(NEVER, 'reward_state')},state="at_risk"} 1`,
    ]),
  )
  // A node is no witness of itself.
  expect(await poll(ASKED, 'all', '2026-11-21T23:38:49Z')).toEqual([])
})

test('delegations: the next end, and what leaves', async () => {
  const lines = await published(
    tracked(DELEGATED),
    delegations,
    time('2026-11-21T23:38:49Z'),
    byNodeIds('one node with delegators'),
    /delegat/,
  )
  const labels = `subnet="primary",node_id="${DELEGATED}",validator="v1"`
  // Both delegations, of 30 and of 100, end within a week: all that is delegated.
  expect(lines.toSorted()).toEqual([
    `validator_delegated_ending_ratio{${labels},within="30d"} 1`,
    `validator_delegated_ending_ratio{${labels},within="7d"} 1`,
    'validator_delegation_next_end_timestamp_seconds{subnet="primary",validator="v1"} 1795304362',
  ])
})

test('subnets: states, stake and concentration', async () => {
  const yaml = network(`    subnets: [{ id: ${PERMISSIONED}, name: guild }, { id: ${L1}, name: my-l1 }]\n`)
  const names: Readonly<Record<string, string>> = {
    [PRIMARY]: 'all',
    [PERMISSIONED]: 'permissioned',
    [L1]: 'L1 after registration, deactivation, disabling and removal',
  }
  const answers: Upstream = (operation, { body }) =>
    operation === 'platform.getCurrentValidators'
      ? resultOf(operation, names[(body['subnetID'] as string | undefined) ?? PRIMARY]!)
      : NOT_FOUND
  const lines = await published(yaml, subnet, time('2026-11-21T23:57:20Z'), answers, /stakewatch_subnet_/)
  expect(lines).toEqual(
    expect.arrayContaining([
      'subnet_validators{subnet="primary",state="connected"} 6',
      'subnet_validators{subnet="primary",state="disconnected"} 0',
      'subnet_delegators{subnet="primary"} 3',
      // Five with 2,000,000, one with 2,500, and delegations of 130 and 500.
      'subnet_stake_tokens{subnet="primary"} 10003130',
      'subnet_validators{subnet="guild",state="unknown"} 2',
      'subnet_weight{subnet="guild",state="unknown"} 50',
      'subnet_top_weight_ratio{subnet="guild",top="1"} 0.84',
      'subnet_nakamoto_coefficient{subnet="guild"} 1',
      // Of 147, the two without a balance have 10 and 7.
      'subnet_validators{subnet="my-l1",state="inactive"} 2',
      'subnet_weight{subnet="my-l1",state="inactive"} 17',
      'subnet_validators{subnet="my-l1",state="unknown"} 3',
      'subnet_weight{subnet="my-l1",state="unknown"} 130',
      'subnet_nakamoto_coefficient{subnet="my-l1"} 1',
    ]),
  )
})

test('supply: of the primary network, and none of a subnet without one', async () => {
  const yaml = network(`    subnets: [{ id: ${PERMISSIONED}, name: guild }, { id: ${L1}, name: my-l1 }]\n`)
  const cases: Readonly<Record<string, unknown>> = {
    [PRIMARY]: resultOf('platform.getCurrentSupply', 'primary by id'),
    [PERMISSIONED]: errorOf('platform.getCurrentSupply', 'subnet without supply'),
    [L1]: errorOf('platform.getCurrentSupply', 'L1'),
  }
  const answers: Upstream = (_, { body }) => cases[(body['subnetID'] as string | undefined) ?? PRIMARY]
  expect(await published(yaml, supply, 0, answers, /supply_tokens/)).toEqual([
    // A double has nothing beyond the seventh decimal there.
    'supply_tokens{subnet="primary"} 361196335.8849624',
  ])
})

test('statuses of chains', async () => {
  const [run, notRun] = [
    'uEnjfoQdeNoEJXrK2bT7XbATBYLr7axFzDGTfra72RvW614sH',
    '2A9t6E6viNm34a4v2wTwK6gu7xTwV3DJWUmH8Wr6BZH1y76G6g',
  ] as const
  const yaml = network(
    `    chains: [{ id: p-chain }, { id: x-chain }, { id: c-chain }, { id: ${run}, name: run }, { id: ${notRun}, name: other }]\n`,
  )
  const cases: Readonly<Record<string, string>> = {
    P: 'P',
    X: 'X',
    C: 'C',
    [run]: 'status of validated subnet chain',
    [notRun]: `status of ${notRun} on 9650`,
  }
  const lines = await published(
    yaml,
    blockchainStatus,
    0,
    (operation, { body }) => resultOf(operation, cases[body['blockchainID'] as string]!),
    /blockchain_status\{.* 1$/,
  )
  expect(lines).toEqual([
    'blockchain_status{chain="p-chain",state="syncing"} 1',
    'blockchain_status{chain="x-chain",state="validating"} 1',
    'blockchain_status{chain="c-chain",state="validating"} 1',
    'blockchain_status{chain="run",state="validating"} 1',
    'blockchain_status{chain="other",state="created"} 1',
  ])
})

test('the list of chains', async () => {
  const chain = '2puqrwboxkA5rDHFBiiVPXgP4mD1gTSXK5QH2AgmJmvrjn8Bvc'
  const yaml = network(
    `    subnets: [{ id: ${PERMISSIONED}, name: guild }, { id: ${L1}, name: my-l1 }]\n    chains: [{ id: c-chain }, { id: ${chain}, name: own }]\n`,
  )
  const lines = await published(yaml, blockchains, 0, (operation) => resultOf(operation, 'all'), /blockchain/)
  expect(lines.toSorted()).toEqual(
    [
      'subnet_blockchains{subnet="primary"} 2',
      'subnet_blockchains{subnet="guild"} 2',
      'subnet_blockchains{subnet="my-l1"} 1',
      `blockchain_info{chain="c-chain",blockchain_id="${C}",blockchain_name="C-Chain",vm_id="mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6",subnet_id="${PRIMARY}",evm_chain_id=""} 1`,
      `blockchain_info{chain="own",blockchain_id="${chain}",blockchain_name="l1 chain",vm_id="v3m4wPxaHpvGr8qfMeyK6PRW3idZrPHmYcMTt7oXdK47yurVH",subnet_id="${L1}",evm_chain_id=""} 1`,
    ].toSorted(),
  )
})

/** A node whose newest block is that of height 24, and blocks as a data service lists them. */
const headAt24 =
  (listed: readonly { height: number; hash: string }[]): Upstream =>
  (operation, { body }) => {
    if (operation === 'list-latest-primary-network-blocks') {
      const blocks = listed.map(({ height, hash }) => ({
        blockNumber: String(height),
        blockHash: hash,
        blockTimestamp: 1_795_304_304,
        txCount: 0,
      }))
      return { blocks, chainInfo: { chainName: 'p-chain', network: 'fuji' } }
    }
    const height = Number(body['height'])
    return height <= 24 ? resultOf(operation, `json block ${height}`) : NOT_FOUND
  }

test.each([
  // The block of height 23 names the one of height 22 as its parent; that of height 24 names itself.
  ['at the head', 24, { height: 22, hash: '2fTALTfEav93q6ABfPY5U7LSwwXyVD7ouLqxQ7AfRupQy5kQba' }, '0'],
  ['two behind', 26, { height: 24, hash: '8mVijHoVGWt15Z1to2eNLnLjRRySeH5fDCCK6Knfv4ZyHSmps' }, '2'],
])('the head of the P-Chain: %s', async (_, newest, settled, behind) => {
  const yaml = network(
    '    data_api: { url: "http://127.0.0.1:1", network: fuji }\n    chains: [{ id: p-chain, name: p }]\n',
  )
  const answers = headAt24([{ height: newest, hash: 'newest' }, settled])
  expect(await published(yaml, headCheck, time('2026-11-21T23:38:49Z'), answers, /stakewatch_node_/)).toEqual([
    'node_head_height{chain="p"} 24',
    // The time of the block of height 24, and of the reading.
    'node_head_timestamp_seconds{chain="p"} 1795304304',
    'node_head_read_timestamp_seconds{chain="p"} 1795304329',
    `node_behind_blocks{chain="p"} ${behind}`,
    'node_on_canonical_chain{chain="p"} 1',
  ])
})

const indexed = network('    chains: [{ id: p-chain, name: p }, { id: x-chain, name: x }, { id: c-chain, name: c }]\n')

test('the ends of the indexes', async () => {
  const answers: Upstream = (operation, { path }) => resultOf(operation, path.replace('/ext/index/', ''))
  expect(await published(indexed, indexHead, time('2026-11-22T00:00:00Z'), answers, /index_last/)).toEqual([
    'index_last_accepted{chain="p",index="block"} 23',
    'index_last_accepted{chain="x",index="block"} 3',
    'index_last_accepted{chain="c",index="block"} 0',
    // 23:38:24.063041984, 23:35:58.117424912 and 23:35:58.212658114 of 2026-11-21.
    'index_last_accepted_timestamp_seconds{chain="p",index="block"} 1795304304.063',
    'index_last_accepted_timestamp_seconds{chain="x",index="block"} 1795304158.117',
    'index_last_accepted_timestamp_seconds{chain="c",index="block"} 1795304158.212',
  ])
})

test('times between the blocks of an index', async () => {
  const { containers } = resultOf('index.getContainerRange', 'most') as { containers: readonly object[] }
  const upTo =
    (last: number): Upstream =>
    (operation, { body }) => {
      if (operation === 'index.getLastAccepted') return containers[last]
      if (operation === 'index.getContainerByIndex') return containers[Number(body['index'])]
      const start = Number(body['startIndex'])
      return { containers: containers.slice(start, Math.min(start + Number(body['numToFetch']), last + 1)) }
    }
  const yaml = `${network('    chains: [{ id: p-chain, name: p }]\n')}collectors: { index-intervals: { enabled: true } }\n`
  const poller = createPoller(yaml, indexIntervals, time('2026-11-21T23:36:30Z'))
  await poller.poll(upTo(20))
  poller.clock.now = time('2026-11-21T23:38:49Z')
  await poller.poll(upTo(23))
  const count = (le: string, value: number) =>
    `index_acceptance_interval_seconds_bucket{le="${le}",chain="p",index="block"} ${value}`
  const lines = linesOf(poller, /index_acceptance/)
  // From 23:36:27.244 to 23:36:46.753, to 23:38:24.062, to 23:38:24.063.
  expect(lines).toEqual(
    expect.arrayContaining([
      count('0.25', 1),
      count('10', 1),
      count('20', 2),
      count('60', 2),
      count('120', 3),
      'index_acceptance_interval_seconds_count{chain="p",index="block"} 3',
      'index_acceptance_gaps_total{chain="p",index="block"} 0',
    ]),
  )
  const sum = lines.find((line) => line.includes('_sum'))!
  expect(Number(sum.split(' ').at(-1))).toBeCloseTo(116.819, 3)
})

test('loggers', async () => {
  const answers: Upstream = (operation) => resultOf(operation, 'all')
  expect(await published(network(''), nodeAdmin, 0, answers, /admin_api|logger|alias/)).toEqual([
    'node_admin_api_reachable{source="node"} 1',
    ...['C', 'P', 'X', 'main', 'vm-factory'].flatMap((logger) => [
      `node_logger_level{source="node",logger="${logger}",output="log",level="info"} 1`,
      `node_logger_level{source="node",logger="${logger}",output="display",level="warn"} 1`,
    ]),
  ])
})

test.each([
  ['one', '29996822.4974385', '11', '13'],
  ['nothing', '10000000', '0', '0'],
])('what a wallet has: %s', async (name, ...expected) => {
  const yaml = `${network('    addresses: [{ name: w, addresses: [P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u] }]\n')}collectors: { node-balances: { enabled: true } }\n`
  const lines = await published(yaml, nodeBalances, 0, () => resultOf('platform.getBalance', name), /balance_tokens/)
  expect(lines.map((line) => line.replace(/(\.\d{7})\d+$/, '$1'))).toEqual(
    ['unlocked', 'locked_stakeable', 'locked_not_stakeable'].map(
      (state, at) => `node_address_balance_tokens{address="w",state="${state}"} ${expected[at]}`,
    ),
  )
})
