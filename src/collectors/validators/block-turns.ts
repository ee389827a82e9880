// block-turns: who built the blocks of the primary network, and who let a turn pass. index.getLastAccepted, getIndex and
// getContainerRange (document 2, Index interface); platform.getValidatorsAt for the draw (src/turns).

import type { z } from 'zod'
import type { Network } from '../../config/schema.ts'
import { BaseError, type ErrorCode, toBaseError } from '../../errors.ts'
import { isInFuture } from '../../lib/clock.ts'
import { blockchainIds, PRIMARY_NETWORK_ID, type PrimaryChain, primaryChains } from '../../lib/primary-network.ts'
import { ofChain, ofShownValidator, ofValidator, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { listLatestPrimaryNetworkBlocks } from '../../operations/data/primary-network-blocks.ts'
import { getContainerRange, getIndex, getLastAccepted } from '../../operations/node/indexes.ts'
import { getValidatorsAt } from '../../operations/node/platform-validators.ts'
import { getBlockchains } from '../../operations/node/platform-subnets.ts'
import { readContainer } from '../../turns/block.ts'
import type { DrawSet } from '../../turns/draw.ts'
import { readInner } from '../../turns/inner.ts'
import { lookUp, notListed } from '../answers/blockchain-list.ts'
import { ifNotFound } from '../answers/not-found.ts'
import { believedType, inFuture } from '../counting/believed.ts'
import { countType, momentType } from '../counting/remembered.ts'
import { type Ask, defineCollector } from '../define.ts'
import { trackedOnPrimary } from '../subjects/subnets.ts'
import {
  beginAt,
  type Counted,
  countedType,
  countTurns,
  type Draws,
  type Listed,
  outcomes,
  withTracked,
} from './counted-turns.ts'
import { countListed, setFrom } from './listed-turns.ts'

const metrics = {
  turns: ofValidator.counter('stakewatch_validator_turns_total', {
    help: "Turns of the tracked validator to build a block, by what became of them (a node's index of blocks, platform.getValidatorsAt).",
    details:
      'Counts made (a block with its certificate), missed (its slot passed on a chain that always had work), idle (nothing says that there was work) and unknown (too little is known of the blocks around).',
    labels: ['chain', 'outcome'],
  }),
  missedInRow: ofValidator.gauge('stakewatch_validator_turns_missed_in_row', {
    help: "Turns that the tracked validator has missed since its last block (a node's index of blocks).",
    details: 'Absent while the draw is contradicted.',
    labels: ['chain'],
  }),
  due: ofValidator.gauge('stakewatch_validator_blocks_due', {
    help: "How many blocks the tracked validator should have made since its last one: the sum of its shares of the stake over the others' blocks.",
    details:
      'A healthy validator makes none for so long with a probability of e to the power of minus this; absent while the draw is contradicted or the stakes are unknown.',
    labels: ['chain'],
  }),
  lastBlock: ofShownValidator.gauge('stakewatch_validator_last_block_timestamp_seconds', {
    is: 'past',
    help: "When the tracked validator built its last counted block (a node's index of blocks).",
    labels: ['chain'],
  }),
  share: ofShownValidator.gauge('stakewatch_validator_turns_expected_ratio', {
    is: 'share',
    help: 'Share of the turns that fall to the tracked validator: its own and delegated stake over that of all (platform.getValidatorsAt).',
  }),
  ofChain: ofChain.counter('stakewatch_chain_turns_total', {
    help: "Turns of all validators to build a block of the chain, by what became of them (a node's index of blocks).",
    details: 'Unknown includes slots of which the validator is not known.',
    labels: ['outcome'],
  }),
  late: ofChain.counter('stakewatch_chain_late_blocks_total', {
    help: "Blocks that came late because validators missed their turns (a node's index of blocks).",
  }),
  gaps: ofChain.counter('stakewatch_chain_turns_gaps_total', {
    help: 'How often blocks of the chain went uncounted since counting began: stakewatch or the index was off for too long, or they were not listed.',
  }),
  contradicted: ofChain.gauge('stakewatch_chain_draw_contradicted', {
    help: 'Whether blocks of the chain come from other validators than the draw says: 1 or 0.',
    details: 'Then no turn counts as missed until ten blocks in a row fit.',
  }),
}

const memory = countedType.extend({
  /** When stakes were last looked up (milliseconds), where blocks are listed. */
  sharesAt: momentType.optional(),
  /** The newest listed height. */
  newest: believedType.optional(),
  /** Runs that could not go on. */
  waited: countType,
})
type Memory = z.output<typeof memory>

/** After this many runs that could not go on, what is missing is a gap. */
const PATIENCE = 3
/** A range holds blocks in full: a longer one could exceed the size limit of an answer. */
const PAGE = 64
/** Blocks that one run reads, and how far behind the newest one counting goes on: an hour of a fast chain. */
const MOST = 1_024
const REACH = 4_096
/** Sets that one run asks for. On the primary network of mainnet each is an answer of some 200 kB. */
const MOST_SETS = 16
/** Chains state the same heights at about the same time. */
const SETS = { maxAge: '5m' }
/** A node that restarts with its index is noticed at once. */
const PROBE = { maxAge: '0s' }
const SERIES_OF_CHAIN = outcomes.length + 3
const SERIES_OF_VALIDATOR = outcomes.length + 4

type Operations =
  | typeof getLastAccepted
  | typeof getIndex
  | typeof getContainerRange
  | typeof getValidatorsAt
  | typeof getBlockchains
  | typeof listLatestPrimaryNetworkBlocks
type Call = Ask<Operations>['call']
type Container = AnswerOf<typeof getLastAccepted>

export const blockTurns = defineCollector({
  name: 'block-turns',
  about:
    'Who built the blocks of the P-, X- and C-Chain, and which validators missed their turns. Without a node that has an index: who built those of the P- and X-Chain, by the data service.',
  every: '1m',
  uses: [getLastAccepted, getIndex, getContainerRange, getValidatorsAt, getBlockchains, listLatestPrimaryNetworkBlocks],
  isObserver: ({ index }, { listed }) => index || listed !== undefined,
  metrics: Object.values(metrics),
  memory,
  subjects,
  estimate: ({ chainId, tracked, listed }) => ({
    calls: listed
      ? listedCalls
      : [
          getLastAccepted,
          getIndex,
          getContainerRange,
          // The newest block is always checked. Each late one needs the validators of its own time.
          { operation: getValidatorsAt, times: 4 },
          ...(chainId === undefined ? [getBlockchains] : []),
        ],
    series: SERIES_OF_CHAIN + SERIES_OF_VALIDATOR * tracked.length,
  }),
  async collect({ subject, memory: remembered, now, call, pages, attempt, flawed }) {
    const { of, tracked, listed: chain } = subject
    const ids = tracked.map(({ node_id }) => node_id)
    const from = remembered && withTracked(remembered, ids)
    if (chain) {
      const { counted, lookUps, refused } = await countListed({ call, pages, attempt }, chain, from, ids, now)
      const memory = { ...counted, waited: 0 }
      if (refused) return { samples: [], memory, refused }
      const parts = [{ name: 'shares', of: lookUps, samples: listedShares(counted, subject) }]
      return { samples: madeSamples(counted, subject), parts, memory }
    }
    const newest = (await call(getLastAccepted, of, PROBE).catch(ifNotFound))?.value
    if (!newest) return from ? { samples: samplesOf(from, subject) } : { samples: [] }
    const at = from && (await call(getIndex, { ...of, id: from.head.id }).catch(ifNotFound))?.value.index
    const isOver = from !== undefined && from.waited >= PATIENCE
    async function begin() {
      const sets = setsOf(call, true)
      const counted = { ...(await beginAt(firstListed(newest!, of.chain, now), ids, sets, from)), waited: 0 }
      return { samples: samplesOf(counted, subject), memory: counted }
    }
    if (!from || (at === undefined ? isOver : newest.index > at + BigInt(REACH))) return await begin()
    const wait = (reason: BaseError) => {
      flawed(reason)
      return { samples: samplesOf(from, subject), memory: { ...from, waited: from.waited + 1 } }
    }
    if (at === undefined) return wait(new BaseError('not_found', 'the index does not have the last counted block'))
    const next = await readAfter(call, subject, { id: from.head.id, at, newest: newest.index, now }).catch(ifMalformed)
    // An index that was off for a while has a hole, and no run would get past it.
    if (next instanceof BaseError) return isOver ? await begin() : wait(next)
    const sets = setsOf(call, isOver)
    const chainId = subject.chainId ?? (await chainIdFrom(call, subject.id))
    const counted: Memory = { ...(await countTurns(from, next, { chainId, ...sets })), waited: 0 }
    const failure = sets.failure()
    if (failure) {
      flawed(failure)
      counted.waited = from.waited + 1
    }
    return { samples: samplesOf(counted, subject), memory: counted }
  },
})

function ifMalformed(thrown: unknown): BaseError {
  const error = toBaseError(thrown)
  if (error.code !== 'bad_response') throw error
  return error
}

type TurnsSubject = ReturnType<typeof subjects>[number]

function subjects(network: Network) {
  const tracked = trackedOnPrimary(network).map(({ node_id, name }) => ({ node_id, name }))
  const { chains, nodes, data_api } = network
  const isIndexed = nodes.some(({ index }) => index)
  return chains.flatMap(({ id, name }) => {
    const chain = primaryChains[id]
    if (chain === undefined) return []
    const of = { chain, kind: 'block' as const }
    const isListed = chain !== 'C' && !isIndexed
    const listed = isListed && data_api?.network ? { chain, id, network: data_api.network } : undefined
    return [{ id, name, labels: { chain: name }, of, chainId: chainIdOf(chain, network), tracked, listed }]
  })
}

/** Undefined for other chains of a custom network, whose ids only its nodes know. */
const chainIdOf = (chain: PrimaryChain, { network }: Network) =>
  chain === 'P' ? PRIMARY_NETWORK_ID : blockchainIds[network]?.[chain]

async function chainIdFrom(call: Call, alias: string): Promise<string> {
  const { list, record } = await lookUp(call, alias)
  if (record === undefined) throw notListed(list)
  return record.id
}

function samplesOf(counted: Counted, { of, name: chain, tracked }: TurnsSubject): Sample[] {
  const { turns, late, gaps, isContradicted, shares, validators } = counted
  return [
    ...outcomes.map((outcome) => metrics.ofChain.sample({ outcome }, turns[outcome])),
    metrics.late.sample({}, late),
    metrics.gaps.sample({}, gaps),
    metrics.contradicted.sample({}, isContradicted),
    ...tracked.flatMap(({ node_id, name: validator }) => {
      const labels = { subnet: 'primary', node_id, validator }
      const one = validators[node_id]!
      return [
        ...outcomes.map((outcome) => metrics.turns.sample({ ...labels, chain, outcome }, one.turns[outcome])),
        ...metrics.missedInRow.ifKnown({ ...labels, chain }, isContradicted ? undefined : one.inRow),
        ...metrics.due.ifKnown({ ...labels, chain }, dueOf(counted, node_id)),
        ...metrics.lastBlock.ifKnown({ ...labels, chain }, one.last),
        ...shareSamples(labels, of.chain, shares[node_id]),
      ]
    }),
  ]
}

/** Of blocks alone: nothing is known of turns that passed. */
function madeSamples(counted: Counted, { tracked, name: chain }: TurnsSubject): Sample[] {
  const made = { outcome: 'made' }
  return [
    metrics.ofChain.sample(made, counted.turns.made),
    metrics.gaps.sample({}, counted.gaps),
    ...tracked.flatMap(({ node_id, name: validator }) => {
      const labels = { subnet: 'primary', node_id, validator }
      const one = counted.validators[node_id]!
      return [
        metrics.turns.sample({ ...labels, chain, ...made }, one.turns.made),
        ...metrics.due.ifKnown({ ...labels, chain }, dueOf(counted, node_id)),
        ...metrics.lastBlock.ifKnown({ ...labels, chain }, one.last),
      ]
    }),
  ]
}

function listedShares({ shares }: Counted, { of, tracked }: TurnsSubject): Sample[] {
  return tracked.flatMap(({ node_id, name: validator }) =>
    shareSamples({ subnet: 'primary', validator }, of.chain, shares[node_id]),
  )
}

/** Without a share of the stake nothing is added, which must not pass for no block due. */
function dueOf({ isContradicted, shares, validators }: Counted, nodeId: string): number | undefined {
  return isContradicted || shares[nodeId] === undefined ? undefined : validators[nodeId]!.due
}

/** The same on all chains: two of them must not publish the same series. */
function shareSamples(labels: Readonly<Record<'subnet' | 'validator', string>>, chain: PrimaryChain, share?: number) {
  return chain === 'P' ? metrics.share.ifKnown(labels, share) : []
}

function listed({ id, bytes = '' }: Container, chain: PrimaryChain, now: number): Listed {
  const block = readContainer(bytes)
  if (block.kind === 'block' && isInFuture(block.time, now)) throw inFuture('a block')
  return { id, block, height: heightOf(chain, block.inner) }
}

function firstListed(newest: Container, chain: PrimaryChain, now: number): Listed {
  try {
    return listed(newest, chain, now)
  } catch (thrown) {
    if (!isUnwrapped(newest, chain)) throw thrown
    throw new BaseError('unsupported', 'the index holds blocks without their proposers', { cause: thrown })
  }
}

/** By the document a container is the chain's own block, and has no checksum. */
function isUnwrapped({ bytes = '' }: Container, chain: PrimaryChain): boolean {
  try {
    readInner(chain, Buffer.from(bytes.slice(2), 'hex'))
    return true
  } catch {
    return false
  }
}

/** Undefined where the chain's own block does not say it, or has a form of long ago: then it is counted. */
function heightOf(chain: PrimaryChain, inner: Buffer): bigint | undefined {
  try {
    return readInner(chain, inner).height
  } catch {
    return undefined
  }
}

interface Place {
  id: string
  at: bigint
  newest: bigint
  now: number
}

/** The blocks after the one at a place of the index, each the parent of the next. */
async function readAfter(call: Call, { of }: TurnsSubject, { id, at, newest, now }: Place): Promise<Listed[]> {
  const all: Listed[] = []
  let parent: string | undefined
  const last = newest < at + BigInt(MOST) ? newest : at + BigInt(MOST)
  for (let start = at; start <= last; start += BigInt(PAGE)) {
    const left = Number(last - start) + 1
    const range = { ...of, startIndex: start, numToFetch: Math.min(PAGE, left) }
    const { containers } = (await call(getContainerRange, range)).value
    for (const container of containers) {
      if (parent === undefined) {
        // Another node may have answered, whose index has other places.
        if (container.id !== id) throw new BaseError('bad_response', 'the index has another block in its place')
      } else {
        const one = listed(container, of.chain, now)
        if (one.block.kind !== 'bare' && one.block.parent !== parent) {
          throw new BaseError('bad_response', 'a block of the index is not the child of the one before it')
        }
        all.push(one)
      }
      parent = container.id
    }
  }
  return all
}

const listedCalls = [
  { operation: listLatestPrimaryNetworkBlocks, times: 1 / 5 },
  // Stakes are looked up once an hour.
  { operation: getValidatorsAt, times: 1 / 60 },
]

/** Errors that are answers: the node does not work out these validators, and may never do. */
const refusals = new Set<ErrorCode>(['rpc_error', 'not_found', 'bad_response', 'too_large'])

function setsOf(
  call: Call,
  isOver: boolean,
): Pick<Draws, 'setAt' | 'known'> & { failure: () => BaseError | undefined } {
  const sets = new Map<bigint, DrawSet | undefined>()
  let failure: BaseError | undefined
  async function ask(height: bigint): Promise<DrawSet | undefined | 'later'> {
    try {
      const { value } = await call(getValidatorsAt, { height, subnetID: PRIMARY_NETWORK_ID }, SETS)
      return setFrom(value)
    } catch (thrown) {
      failure = toBaseError(thrown)
      if (!refusals.has(failure.code)) throw failure
      return isOver ? undefined : 'later'
    }
  }
  return {
    known: (height) => sets.get(height),
    async setAt(height) {
      if (sets.has(height)) return sets.get(height)
      if (sets.size === MOST_SETS) return 'later'
      const set = await ask(height)
      if (set !== 'later') sets.set(height, set)
      return set
    },
    failure: () => failure,
  }
}
