// The data service's own SDK against the simulated one: what the live service has beyond the documents. It refuses an
// answer that does not have the live service's form; what it makes of the others is compared here with the world.

import type { ListValidatorDetailsResponse } from '@avalanche-sdk/chainkit/models/components/listvalidatordetailsresponse.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PRIMARY_NETWORK_ID } from '../../../src/lib/primary-network.ts'
import type { Validator } from '../../../src/simulator/world/stakes.ts'
import { isBenched, uptimeOf } from '../../../src/simulator/world/views.ts'
import { dataSdk, itemsOf, type ListRow, type Row, startLive, tokensIn, tokensOf } from './sdk.ts'

let { network, world, clock } = {} as Awaited<ReturnType<typeof startLive>>
let { data, exchanges } = {} as Awaited<ReturnType<typeof dataSdk>>
let { metrics } = {} as Awaited<ReturnType<typeof dataSdk>>
beforeAll(async () => {
  ;({ network, world, clock } = await startLive())
  ;({ data, exchanges } = await dataSdk(network.dataUrl))
  ;({ metrics } = await dataSdk(network.metricsUrl))
})
beforeEach(() => {
  clock.now += 60
  exchanges.length = 0
})
afterAll(() => network.stop())

const newest = () => world.chains.P.time(world.chains.P.head())!
function l1Told(isWanted: (balance: number, subnetId: string) => boolean): string[] {
  return world.l1s.all.flatMap(({ subnetId, validators }) =>
    validators.flatMap((one) => {
      const balance = world.l1s.balance(one, newest())
      if (!isWanted(balance, subnetId)) return []
      return [[one.validationId, one.nodeId, subnetId, one.weight, balance, one.start, one.owner].join(' ')]
    }),
  )
}
const l1Listed = (request: object) =>
  itemsOf(data.primaryNetwork.listL1Validators(request), ({ result }) => {
    expect(result.blockHeight).toBe(String(world.chains.P.head()))
    return result.validators.map((one) =>
      [
        one.validationId,
        one.nodeId,
        one.subnetId,
        one.weight,
        one.remainingBalance,
        one.creationTimestamp,
        one.remainingBalanceOwner.addresses[0],
      ].join(' '),
    )
  })
const lantern = () => world.l1s.all.find(({ name }) => name === 'lantern')!

/** What the service's own node has seen: it misses only a validator that no other node reaches. */
function seen(one: Validator): string {
  const others = world.validators.observers.filter((id) => id !== one.nodeId).map((id) => one.views.get(id)!)
  const view = others.find(({ since }) => since === undefined) ?? others[0]!
  const uptime = Math.floor(100 * uptimeOf(one, view, world.now()))
  return `${uptime} ${view.since === undefined || isBenched(view) ? 100 : 0}`
}
const validators = () => [...world.validators.all.values()]
const validatorsTold = (all: readonly Validator[]) =>
  all.map((one) => {
    const { nodeId, txId, weight, end, delegations, reward } = one
    return [nodeId, txId, weight, end, delegations.length, reward, seen(one)].join(' ')
  })
/** The SDK knows four forms, by their status. */
const validatorsListed = ({ result }: { result: ListValidatorDetailsResponse }) =>
  result.validators.map((one) => {
    if (one.validationStatus !== 'active') throw new Error(`a validation that is ${one.validationStatus}`)
    const { nodeId, txHash, amountStaked, endTimestamp, delegatorCount, potentialRewards, uptimePerformance } = one
    return [
      nodeId,
      txHash,
      amountStaked,
      endTimestamp,
      delegatorCount,
      potentialRewards.validationRewardAmount,
      uptimePerformance,
      one.validatorHealth.reachabilityPercent,
    ].join(' ')
  })

const delegationsTold = (all: readonly Validator[]) =>
  all.flatMap(({ nodeId, delegations }) =>
    delegations.map(({ txId, owner, weight, end, reward }) => [nodeId, txId, owner, weight, end, reward].join(' ')),
  )
function delegationsListed(request: object): Promise<string[]> {
  return itemsOf(data.primaryNetwork.listDelegators(request), ({ result }) =>
    result.delegators.map((one) => {
      if (one.delegationStatus !== 'active') throw new Error(`a delegation that is ${one.delegationStatus}`)
      const { nodeId, txHash, rewardAddresses, amountDelegated, endTimestamp, estimatedGrossReward } = one
      return [nodeId, txHash, rewardAddresses[0], amountDelegated, endTimestamp, estimatedGrossReward].join(' ')
    }),
  )
}

const lists: ListRow[] = [
  [
    'list-delegators',
    'of two validators',
    1,
    (page) => {
      const nodeIds = validators()
        .slice(0, 2)
        .map(({ nodeId }) => nodeId)
        .join(',')
      return delegationsListed({ ...page, nodeIds, delegationStatus: 'active' })
    },
    () => delegationsTold(validators().slice(0, 2)),
  ],
  ['list-delegators', 'of the network', 12, delegationsListed, () => delegationsTold(validators())],
  [
    'list-validators',
    'of the primary network',
    7,
    (page) => itemsOf(data.primaryNetwork.listValidators(page), validatorsListed),
    () => validatorsTold(validators()),
  ],
  [
    'list-validators',
    'active ones of some nodes',
    2,
    (page) => {
      const nodeIds = validators()
        .slice(0, 3)
        .map(({ nodeId }) => nodeId)
        .join(',')
      const request = { nodeIds, subnetId: PRIMARY_NETWORK_ID, validationStatus: 'active' as const, ...page }
      return itemsOf(data.primaryNetwork.listValidators(request), validatorsListed)
    },
    () => validatorsTold(validators().slice(0, 3)),
  ],
  [
    'list-l1-validators',
    'of all L1s that have a balance',
    5,
    (page) => l1Listed(page),
    () => l1Told((balance) => balance > 0),
  ],
  [
    'list-l1-validators',
    'of an L1, the inactive one as well',
    2,
    (page) => l1Listed({ ...page, subnetId: lantern().subnetId, includeInactiveL1Validators: true }),
    () => {
      // Before the first block that a client sees, a balance has run out there.
      const { subnetId } = lantern()
      expect(l1Told((balance, of) => of === subnetId && balance === 0)).not.toEqual([])
      return l1Told((_, of) => of === subnetId)
    },
  ],
]

test.each(lists)('%s: %s, to the last page', async (_, _what, pageSize, ask, readWorld) => {
  const answer = await ask({ pageSize })
  const expected = readWorld()
  expect(answer.toSorted()).toEqual(expected.toSorted())
  expect(tokensIn(exchanges)).toEqual(tokensOf(expected.length, pageSize))
})

const others: Row[] = [
  [
    'get-api-usage-metrics',
    'of today and of the day before',
    async () => {
      const request = { timeInterval: 'daily' as const, startTimestamp: world.now() - 86_400 }
      const { metrics } = await data.usageMetrics.getUsage(request)
      return metrics.map(({ timestamp, values }) => [timestamp, values.map(({ apiCreditsUsed }) => apiCreditsUsed)])
    },
    () => {
      // A request of 20 credits every third second.
      const midnight = Math.floor(world.now() / 86_400) * 86_400
      const today = Math.floor((world.now() - midnight) / 3) * 20
      return [
        [midnight - 86_400, [28_800 * 20]],
        [midnight, [today]],
      ]
    },
  ],
  [
    'supported-chains',
    'of the network',
    async () => {
      const { chains } = await data.evm.chains.list({ network: 'fuji' })
      return chains.map(({ chainId, status, platformChainId, networkToken: { symbol } }) =>
        [chainId, status, platformChainId, symbol].join(' '),
      )
    },
    () => world.evm.map(({ chainId, blockchainId, token }) => [chainId, 'OK', blockchainId, token.symbol].join(' ')),
  ],
  [
    'get-single-validator-details',
    'of a node',
    () => itemsOf(data.primaryNetwork.getValidatorDetails({ nodeId: validators()[3]!.nodeId }), validatorsListed),
    () => validatorsTold([validators()[3]!]),
  ],
  [
    'get-single-validator-details',
    'of a node that has never validated',
    () => itemsOf(data.primaryNetwork.getValidatorDetails({ nodeId: 'NodeID-1' }), validatorsListed),
    () => [],
  ],
  ...(['avgTps', 'maxTps'] as const).map((metric): Row => [
    'rolling-window-metrics',
    metric,
    async () => (await metrics.chains.getRollingWindowMetrics({ chainId: '43113', metric })).result.lastHour,
    () => {
      const times = blocksOfHour().flatMap(({ time, txCount }) => Array.from({ length: txCount }, () => time))
      const bySecond = [...Map.groupBy(times, (time) => time).values()].map((some) => some.length)
      return metric === 'avgTps' ? times.length / 3_600 : Math.max(...bySecond)
    },
  ]),
]

/** Of the C-Chain. */
function blocksOfHour() {
  const [c] = world.evm
  const all = Array.from({ length: c!.head() + 1 }, (_, number) => c!.block(number)!)
  return all.filter(({ time }) => time > world.now() - 3_600)
}

test.each(others)('%s: %s', async (_, _what, ask, readWorld) => {
  expect(await ask()).toEqual(readWorld())
})
