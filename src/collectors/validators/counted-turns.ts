// What blocks say of the turns to build them: who made one, and who let a slot pass (src/turns).

import { z } from 'zod'
import type { BuiltBlock, Block, Header } from '../../turns/block.ts'
import { type DrawSet, proposerOf } from '../../turns/draw.ts'
import { headerOf, passedBefore, slotOf, AROUND, isDrawn, judgePassed, type Passed } from '../../turns/slots.ts'
import { countType, secondsType, sumType, wordType } from '../counting/remembered.ts'

export const outcomes = ['made', 'missed', 'idle', 'unknown'] as const satisfies readonly (Passed | 'made')[]

const turnsType = z.object({ made: countType, missed: countType, idle: countType, unknown: countType })
const noTurns: z.output<typeof turnsType> = { made: 0, missed: 0, idle: 0, unknown: 0 }

const ofValidatorType = z.object({
  turns: turnsType,
  /** Missed since its last block. */
  inRow: countType,
  /** How many of the others' blocks should have been its own, since then. */
  due: countType,
  last: secondsType.optional(),
})

export const countedType = z.object({
  /** The last counted block. Its header is unknown if it is an option and nothing before it was read. */
  head: z.object({
    id: z.string(),
    height: sumType.optional(),
    header: z.object({ time: secondsType, pChainHeight: sumType }).optional(),
  }),
  /** Seconds between the blocks up to it, the nearest ones first. */
  before: z.array(countType),
  turns: turnsType,
  late: countType,
  gaps: countType,
  isContradicted: z.boolean(),
  /** Blocks in a row that fitted the draw since it was contradicted. */
  fitting: countType,
  /** By node id, at the height that was looked up last. */
  shares: z.record(wordType, z.number().min(0).max(1)),
  validators: z.record(wordType, ofValidatorType),
})
export type Counted = z.output<typeof countedType>

/** A block of the index, with its height on the chain if the block itself says it. */
export interface Listed {
  id: string
  height: bigint | undefined
  block: Block
}

/** The draw holds again after this many blocks in a row that fit it: one or two fit any rule by chance. */
const FITTING = 10

/** Begins after this block. After a gap totals go on, and no one's last block is known to be the last. */
export async function beginAt(
  { id, height, block }: Listed,
  trackedIds: readonly string[],
  { setAt }: Pick<Draws, 'setAt'>,
  earlier?: Counted,
): Promise<Counted> {
  const set = block.kind === 'block' ? await setAt(block.pChainHeight) : undefined
  const shares = set && set !== 'later' ? sharesIn(set, trackedIds) : {}
  return begun(headAt(id, height, headerOf(block, undefined)), trackedIds, shares, earlier)
}

export function begun(
  head: Counted['head'],
  trackedIds: readonly string[],
  shares: Counted['shares'],
  earlier?: Counted,
): Counted {
  const start: Counted = {
    head,
    before: [],
    turns: earlier?.turns ?? noTurns,
    late: earlier?.late ?? 0,
    gaps: earlier ? earlier.gaps + 1 : 0,
    isContradicted: earlier?.isContradicted ?? false,
    fitting: 0,
    shares,
    validators: earlier?.validators ?? {},
  }
  const counted = withTracked(start, trackedIds)
  forgive(counted)
  return counted
}

/** Validators that were not tracked before start at 0; others are forgotten. */
export function withTracked<C extends Counted>(counted: C, trackedIds: readonly string[]): C {
  const start = { turns: noTurns, inRow: 0, due: 0 }
  const validators = Object.fromEntries(trackedIds.map((id) => [id, counted.validators[id] ?? start]))
  return structuredClone({ ...counted, validators })
}

export interface Draws {
  chainId: string
  /** The validators at a height of the P-Chain: undefined if they cannot be known, `later` if they are not asked for now. */
  setAt(pChainHeight: bigint): Promise<DrawSet | undefined | 'later'>
  /** The same if they have been asked for already. */
  known(pChainHeight: bigint): DrawSet | undefined
}

/** Counts the blocks after the last counted one. It stops at a block that only later ones or a later run can judge. */
export async function countTurns(before: Counted, next: readonly Listed[], draws: Draws): Promise<Counted> {
  const counted = structuredClone(before)
  let shared: DrawSet | undefined
  for (const [at, { id, block, height: stated }] of next.entries()) {
    const { header, height: known } = counted.head
    const parent = header && { time: header.time, pChainHeight: BigInt(header.pChainHeight) }
    const height = stated ?? (known === undefined ? undefined : BigInt(known) + 1n)
    if (block.kind === 'block') {
      const isFirst = parent === undefined || height === undefined
      const turn = isFirst ? undefined : await turnOf(counted, { block, height, parent }, next.slice(at), draws)
      if (turn === 'later') break
      // Blocks in a row mostly have the same validators.
      if (turn?.set && turn.set !== shared) counted.shares = sharesIn(turn.set, Object.keys(counted.validators))
      shared = turn?.set ?? shared
      if (turn) addPassed(counted, turn)
      addMade(counted, block)
      counted.before = parent ? [block.time - parent.time, ...counted.before].slice(0, AROUND) : []
    }
    if (block.kind === 'bare') counted.before = []
    counted.head = headAt(id, height, headerOf(block, parent))
  }
  return counted
}

function headAt(id: string, height: bigint | undefined, header: Header | undefined): Counted['head'] {
  return {
    id,
    ...(height !== undefined && { height: String(height) }),
    ...(header && { header: { time: header.time, pChainHeight: String(header.pChainHeight) } }),
  }
}

interface Built {
  block: BuiltBlock
  height: bigint
  parent: Header
}

interface Turn {
  /** By whose stakes the turns fall; undefined if it was not asked for, or cannot be known. */
  set: DrawSet | undefined
  slot: number
  passed: Passed
  /** Who let the slots before it pass; undefined if that is not certain. */
  by: readonly string[] | undefined
}

async function turnOf(
  counted: Counted,
  { block, height, parent }: Built,
  fromHere: readonly Listed[],
  { chainId, setAt, known }: Draws,
): Promise<Turn | undefined | 'later'> {
  const slot = slotOf(block.time, parent.time)
  const passed = slot === 0 ? 'idle' : judgePassed(block.time - parent.time, counted.before, secondsBetween(fromHere))
  if (passed === undefined) return 'later'
  // Each run checks the newest block at least, so that another rule of the network is noticed though no one is late.
  const isWanted = slot > 0 || fromHere.length === 1
  const set = isWanted ? await setAt(parent.pChainHeight) : known(parent.pChainHeight)
  if (set === 'later') return 'later'
  const isDrawnHere = set !== undefined && set.nodeIds.length > 0 && isDrawn(slot)
  if (!isDrawnHere) return { set, slot, passed, by: undefined }
  check(counted, proposerOf(set, chainId, height, slot) === block.proposer)
  return { set, slot, passed, by: counted.isContradicted ? undefined : passedBefore(set, chainId, height, slot) }
}

/** Seconds from each of these blocks to the next one. */
function secondsBetween(blocks: readonly Listed[]): number[] {
  const times = blocks.flatMap(({ block }) => (block.kind === 'block' ? [block.time] : [])).slice(0, AROUND + 1)
  return times.slice(1).map((time, at) => time - times[at]!)
}

export function sharesIn({ nodeIds, weights, sums }: DrawSet, trackedIds: readonly string[]): Counted['shares'] {
  const total = Number(sums[0])
  const known = new Map(nodeIds.map((id, at) => [id, Number(weights[at]) / total]))
  return Object.fromEntries(trackedIds.map((id) => [id, known.get(id) ?? 0]))
}

function check(counted: Counted, fits: boolean): void {
  counted.fitting = fits ? counted.fitting + 1 : 0
  if (fits && counted.fitting < FITTING) return
  counted.isContradicted = !fits
  if (!fits) forgive(counted)
}

/** What was missed so far no longer counts against them. */
function forgive({ validators }: Counted): void {
  for (const one of Object.values(validators)) Object.assign(one, { inRow: 0, due: 0 })
}

function addPassed(counted: Counted, { slot, passed, by }: Turn): void {
  if (!by) {
    if (isDrawn(slot)) counted.turns.unknown += slot
    return
  }
  counted.turns[passed] += by.length
  if (passed === 'missed') counted.late += by.length > 0 ? 1 : 0
  for (const id of by) {
    const one = counted.validators[id]
    if (!one) continue
    one.turns[passed] += 1
    if (passed === 'missed') one.inRow += 1
  }
}

export function addMade(counted: Counted, { proposer, time }: Pick<BuiltBlock, 'proposer' | 'time'>): void {
  if (proposer === undefined) return
  counted.turns.made += 1
  for (const [id, one] of Object.entries(counted.validators)) {
    if (id !== proposer) {
      if (!counted.isContradicted) one.due += counted.shares[id] ?? 0
      continue
    }
    one.turns.made += 1
    Object.assign(one, { inRow: 0, due: 0, last: time })
  }
}
