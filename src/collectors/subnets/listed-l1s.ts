// listed-l1s: L1s as the data service lists them: the only source without a node, and a second one with a node. List L1
// validators (beyond the documents) gives weights and balances, and the height of their block. The newest P-Chain
// blocks (document 1, operation 14) give that block's time and the price per second; a block that is not among them is
// requested (operation 15). Nothing here comes from a node.

import type { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { afterDepletion, weightsOf } from '../../judgements/liveness.ts'
import { type FeeMarket, runwaySeconds } from '../../judgements/runway.ts'
import { isInFuture } from '../../lib/clock.ts'
import type { DataNetwork } from '../../lib/primary-network.ts'
import { toTokens } from '../../lib/units.ts'
import { ofSubnet, ofValidator } from '../../metrics/define.ts'
import type { Answer, AnswerOf } from '../../operations/define.ts'
import { getPrimaryNetworkBlock, listLatestPrimaryNetworkBlocks } from '../../operations/data/primary-network-blocks.ts'
import { listL1Validators } from '../../operations/data/validators.ts'
import { chainTimeType } from '../answers/chain-time.ts'
import {
  FOLLOWED,
  type Listed,
  listedMarket,
  type Made,
  marketMemory,
  newestListed,
  tracksOf,
} from '../answers/l1-market.ts'
import { believedType, growth, inFuture, refusalOf, updateTotal } from '../counting/believed.ts'
import { type Ask, type Attempt, defineCollector, FAILED, type Part } from '../define.ts'
import { allSubnets, byNodeId, membersOf, type SubnetSubject, validatorLabels } from '../subjects/subnets.ts'

const balance = ofValidator.gauge('stakewatch_l1_validator_listed_balance_tokens', {
  help: 'Balance from which the L1 validator pays its fee; 0 for an inactive one (data service, list-l1-validators).',
})
const depletion = ofValidator.gauge('stakewatch_l1_validator_listed_depletion_timestamp_seconds', {
  is: 'future',
  help: "When the L1 validator's balance runs out if nothing changes; absent while inactive or unknown (data service, list-l1-validators).",
  details:
    'Time of the block that the balance is from, plus the balance divided by the price per second, which follows from the accrued fees of the newest blocks, else from the fall of the balances.',
})
const weight = ofSubnet.gauge('stakewatch_l1_listed_weight', {
  help: "Weight of the L1's fee-paying validators: all (total), active, or active after the next balance runs out (after_next_balance) (data service, list-l1-validators).",
  details: 'Validators from before the conversion of the L1 are not included.',
  labels: ['of'],
})
const nextDepletion = ofSubnet.gauge('stakewatch_l1_listed_next_depletion_timestamp_seconds', {
  is: 'future',
  help: 'When the next balance of any validator of the L1 runs out; absent while none pays or the date is unknown (data service, list-l1-validators).',
})
const blockTime = ofSubnet.gauge('stakewatch_l1_listed_timestamp_seconds', {
  is: 'past',
  help: "Time of the P-Chain block that the L1's listed balances are from (data service, list-l1-validators).",
})

interface L1Subject extends SubnetSubject {
  network: DataNetwork
}

type Call = Ask<typeof getPrimaryNetworkBlock | typeof listLatestPrimaryNetworkBlocks>['call']
type L1Record = AnswerOf<typeof listL1Validators>['validators'][number]

const memory = marketMemory.pick({ tracks: true }).extend({
  /** The block that the balances are from. */
  height: believedType.optional(),
  /** The last block whose time is known. */
  block: chainTimeType.optional(),
})

const PAGE = 100
/** By how many blocks the list may be older. */
const YOUNGER = 50n

export const listedL1s = defineCollector({
  name: 'listed-l1s',
  about: 'Weights and balances of L1s as the data service lists them, and when the balances run out.',
  every: '5m',
  uses: [listL1Validators, listLatestPrimaryNetworkBlocks, getPrimaryNetworkBlock],
  // Without a node this is the only warning of a balance that runs out.
  isReserved: true,
  metrics: [balance, depletion, weight, nextDepletion, blockTime],
  memory,
  subjects: (network): L1Subject[] => {
    const { data_api } = network
    if (!data_api) return []
    const l1s = allSubnets(network).filter(({ isPrimary }) => !isPrimary)
    return l1s.map((one) => ({ ...one, network: data_api.network }))
  },
  estimate: (subject) => ({
    calls: [listL1Validators, listLatestPrimaryNetworkBlocks],
    series: 5 + 2 * membersOf(subject),
  }),
  async collect({ subject, network, memory: before, now, pages, attempt, flawed }) {
    const { records, height, isWhole } = await listOf(subject, pages)
    if (!isWhole) flawed(new BaseError('bad_response', 'some L1 validators are malformed'))
    const newest = height === undefined ? before?.height : updateTotal(height, before?.height, now, growth.blocks)
    const refused = height === undefined ? undefined : refusalOf(newest!, OLDER)
    if (refused) return { samples: [], memory: { tracks: {}, ...before, height: newest }, refused }
    const listed = await attempt((ask) => newestListed(network, ask.call, now))
    const time = await timeOf(height, listed, before?.block, (of) =>
      attempt((ask) => blockTimeOf(of, ask.call, subject.network, now)),
    )
    if (time.value === undefined && time.of.every(({ state }) => state !== 'failed')) {
      flawed(new BaseError('bad_response', NO_BLOCK_TIME))
    }
    const followed = records.slice(0, FOLLOWED)
    const paying = followed.map(({ validationId: key, remainingBalance }) => ({ key, balance: remainingBalance }))
    const tracks = tracksOf(before?.tracks ?? {}, paying, { time })
    const watched = watchedOf(records, subject)
    return {
      samples: watched.map(({ labels, record }) => balance.sample(labels, toTokens(record.remainingBalance))),
      parts: [
        weightPart(records, isWhole),
        { name: 'time', of: time.of, samples: blockTime.ifKnown({}, time.value) },
        ...depletionParts({ records, isWhole }, watched, time, listedMarket(listed, tracks, network)),
      ],
      memory: {
        height: newest,
        block:
          height !== undefined && time.value !== undefined
            ? { height: String(height), time: time.value }
            : before?.block,
        tracks: time.value === undefined ? (before?.tracks ?? {}) : tracks,
      },
    }
  },
})

const OLDER = 'the balances are from an older block than before'

const NO_BLOCK_TIME = 'the data service does not report the block time of its balances, so no runway is known'

interface List {
  /** One for each validation. */
  records: readonly L1Record[]
  /** Height of the oldest block of any page; undefined if a page does not say. */
  height: bigint | undefined
  isWhole: boolean
}

async function listOf({ id, network }: L1Subject, pages: Ask<typeof listL1Validators>['pages']): Promise<List> {
  const records = new Map<string, L1Record>()
  const heights: (bigint | undefined)[] = []
  let isWhole = true
  const asked = { network, subnetId: id, includeInactiveL1Validators: true, pageSize: PAGE }
  const answers: AsyncIterable<Answer<AnswerOf<typeof listL1Validators>>> = pages(listL1Validators, asked)
  for await (const { value, dropped } of answers) {
    heights.push(value.blockHeight)
    isWhole &&= dropped === 0
    for (const one of value.validators) {
      // A service that ignores the filter lists other L1s too, and former validators stay listed with a weight of 0.
      if (one.subnetId === id && one.weight > 0n) records.set(one.validationId, one)
    }
  }
  const height = heights.reduce((least, one) =>
    one === undefined || least === undefined ? undefined : one < least ? one : least,
  )
  return { records: [...records.values()], height, isWhole }
}

/** The time of the block that the balances are from, with its attempts. */
async function timeOf(
  height: bigint | undefined,
  listed: Attempt<Listed>,
  before: z.output<typeof chainTimeType> | undefined,
  ask: (height: bigint) => Promise<Attempt<number>>,
): Promise<Made<number>> {
  if (height === undefined) return { value: undefined, of: [] }
  if (before?.height === String(height)) return { value: before.time, of: [] }
  const near = listed.value && timeNear(height, listed.value)
  if (near !== undefined) return { value: near, of: [listed] }
  const block = await ask(height)
  return { value: block.value, of: [block] }
}

function timeNear(height: bigint, { time, times }: Listed): number | undefined {
  const exact = times.get(height)
  if (exact !== undefined) return exact
  const newest = [...times.keys()].reduce((most, one) => (one > most ? one : most))
  // The block is newer than the list: the time is a bit too early, and so is what follows from it.
  return height > newest && height <= newest + YOUNGER ? time : undefined
}

async function blockTimeOf(height: bigint, call: Call, network: DataNetwork, now: number): Promise<number> {
  const blockId = String(height)
  const { value } = await call(getPrimaryNetworkBlock, { network, blockchainId: 'p-chain', blockId })
  if (value.blockNumber !== height) {
    throw new BaseError('bad_response', 'the answer is about a block of another height')
  }
  if (isInFuture(value.blockTimestamp, now)) throw inFuture('the block of the balances')
  return value.blockTimestamp
}

type Labels = ReturnType<typeof validatorLabels>

/** Validators with their own series: the tracked ones first, in the order of the configuration. */
function watchedOf(records: readonly L1Record[], { all, tracked }: SubnetSubject) {
  const named = byNodeId(tracked)
  const found = new Map(records.map((record) => [record.nodeId, record]))
  const first = tracked.flatMap(({ node_id }) => found.get(node_id) ?? [])
  const watched = all ? [...new Set([...first, ...found.values()])] : first
  return watched.map((record): { record: L1Record; labels: Labels } => ({
    record,
    labels: validatorLabels(record.nodeId, named),
  }))
}

/** For values that need all records: until they are readable again, what was published before stays. */
function unlessWhole(isWhole: boolean): Attempt<never>[] {
  return isWhole ? [] : [FAILED]
}

function weightPart(records: readonly L1Record[], isWhole: boolean): Part {
  const members = records.map(({ weight, remainingBalance }) => ({
    weight,
    balance: remainingBalance,
    isActive: remainingBalance > 0n,
    isConnected: false,
  }))
  const { total, active } = weightsOf(members)
  const sums = { total, active, after_next_balance: afterDepletion(members).active }
  return {
    name: 'weights',
    of: unlessWhole(isWhole),
    samples: Object.entries(sums).map(([of, sum]) => weight.sample({ of }, sum)),
  }
}

function depletionParts(
  { records, isWhole }: Pick<List, 'records' | 'isWhole'>,
  watched: ReturnType<typeof watchedOf>,
  time: Made<number>,
  market: Made<FeeMarket>,
): Part[] {
  const ends = (of: readonly L1Record[]) => endsOf(of, time.value, market.value)
  const [next] = ends(records)
  const made = [...time.of, ...market.of]
  return [
    {
      name: 'depletion',
      of: made,
      samples: watched.flatMap(({ labels, record }) => ends([record]).map((end) => depletion.sample(labels, end))),
    },
    { name: 'next depletion', of: [...unlessWhole(isWhole), ...made], samples: nextDepletion.ifKnown({}, next) },
  ]
}

/** When their balances run out, the first one first. Inactive validators have none. */
function endsOf(records: readonly L1Record[], time: number | undefined, market: FeeMarket | undefined): number[] {
  if (time === undefined || !market) return []
  const paying = records.filter(({ remainingBalance }) => remainingBalance > 0n)
  return paying
    .map(({ remainingBalance }) => time + runwaySeconds(Number(remainingBalance), market))
    .toSorted((a, b) => a - b)
}
