// Faults of values: an answer of the right form that holds what cannot be, or what is not so; and answers that contradict
// each other over time.

import { changed, type Fault, type Json, placesIn, withBody } from './define.ts'
import type { Random } from '../../../src/simulator/world/random.ts'

/** Most answers have no place for it, so that it takes long to strike often. */
const SELDOM = 0.25

const heights = /^(height|index|blockNumber|cumulativeTransactions)$/
const times = /([tT]ime|[tT]imestamp|Date)$/
/** Times that lie in the past when they are answered. */
const past = /^(blockTimestamp|timestamp|proposerTimestamp|startTime|startTimestamp|createBlockTimestamp|lastRun)$/
const counts = /^(txCount|.*Count|activeL1Validators|blockSizeBytes|gasUsed|gasLimit)$/
const amounts = /^(weight|amount|balance|supply|currentSupply|.*Reward|.*Amount|unlocked)$/
const ratios = /^(uptime|delegationFee|.*Percentage)$/
const ids = /^(nodeID|nodeId|validationID|txID|txHash|blockHash|utxoId|messageId|id|addresses)$/
const words = /^(blockType|txType|status|utxoType|rewardType|chainName|name|symbol|kind|level|callType)$/

const isNumber = (value: Json) =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
const isText = (value: Json) => typeof value === 'string'

interface Forgery {
  name: string
  keys: RegExp
  fits?: (value: Json) => boolean
  to: (value: Json, dice: Random) => Json
  lies?: true
  /** In one place rather than everywhere. */
  once?: true
}

/** A number in the form that it was found in. */
function like(value: Json, number: number | string): Json {
  return typeof value === 'string' ? String(number) : Number(number)
}

const forgeries: readonly Forgery[] = [
  {
    name: 'absurd-height',
    keys: heights,
    fits: isNumber,
    to: (value) => like(value, '1000000000000000'),
  },
  {
    name: 'height-jumps',
    keys: heights,
    fits: isNumber,
    to: (value) => like(value, Number(value) + 100_000),
    // After a start no earlier height shows it.
    lies: true,
  },
  { name: 'height-negative', keys: heights, fits: isNumber, to: (value) => like(value, -1) },
  {
    name: 'height-fraction',
    keys: heights,
    fits: isNumber,
    to: (value) => like(value, `${JSON.stringify(value)}.5`),
  },
  {
    name: 'height-beyond-doubles',
    keys: heights,
    fits: isNumber,
    to: () => '9'.repeat(60),
  },
  {
    name: 'time-far-ahead',
    keys: past,
    fits: isNumber,
    to: (value) => like(value, 9_999_999_999),
  },
  {
    name: 'end-far-ahead',
    keys: /^(endTime|endTimestamp|utxoEndTimestamp|platformLocktime)$/,
    fits: isNumber,
    to: (value) => like(value, 9_999_999_999),
  },
  {
    name: 'time-in-milliseconds',
    keys: past,
    fits: isNumber,
    to: (value) => like(value, Number(value) * 1_000),
  },
  { name: 'time-negative', keys: times, fits: isNumber, to: (value) => like(value, -1) },
  { name: 'time-zero', keys: times, fits: isNumber, to: (value) => like(value, 0), lies: true },
  { name: 'time-as-text', keys: times, to: () => 'yesterday' },
  { name: 'count-negative', keys: counts, fits: isNumber, to: (value) => like(value, -1_000) },
  {
    name: 'count-fraction',
    keys: counts,
    fits: isNumber,
    to: (value) => like(value, 1.5),
  },
  { name: 'amount-negative', keys: amounts, fits: isNumber, to: (value) => like(value, -1) },
  { name: 'amount-empty', keys: amounts, to: () => '' },
  { name: 'amount-hexadecimal', keys: amounts, to: () => '0x10' },
  { name: 'amount-beyond-bits', keys: amounts, to: () => '9'.repeat(90) },
  { name: 'amount-object', keys: amounts, to: () => ({ value: '1' }) },
  {
    name: 'amounts-doubled',
    keys: amounts,
    fits: isNumber,
    to: (value) => like(value, String(BigInt(Math.trunc(Number(value))) * 2n)),
    lies: true,
  },
  { name: 'ratio-250', keys: ratios, fits: isNumber, to: (value) => like(value, 250) },
  { name: 'ratio-negative', keys: ratios, fits: isNumber, to: (value) => like(value, -5) },
  { name: 'ratio-nan', keys: ratios, to: () => 'NaN' },
  { name: 'ratio-infinite', keys: ratios, to: () => '1e999' },
  { name: 'id-empty', keys: ids, fits: isText, to: () => '' },
  {
    name: 'id-checksum',
    keys: ids,
    fits: isText,
    to: (value) => `${(value as string).slice(0, -1)}z`,
    lies: true,
  },
  {
    name: 'id-path',
    keys: ids,
    fits: isText,
    to: () => '../../etc/passwd',
    lies: true,
  },
  { name: 'id-number', keys: ids, to: () => 5 },
  {
    name: 'ids-alike',
    keys: ids,
    fits: isText,
    to: () => 'NodeID-111111111111111111116DBWJs',
    lies: true,
  },
  {
    name: 'word-unknown',
    keys: words,
    fits: isText,
    to: () => 'Whatever',
    lies: true,
  },
  {
    name: 'word-long',
    keys: words,
    fits: isText,
    to: () => 'x'.repeat(100_000),
    once: true,
    lies: true,
  },
  {
    name: 'word-ill-formed',
    keys: words,
    fits: isText,
    to: () => '\ud800',
    lies: true,
  },
  {
    name: 'word-breaks-lines',
    keys: words,
    fits: isText,
    to: () => 'a"b\\c\nd\u001b[31m\u009b',
    lies: true,
  },
  {
    name: 'word-prototype',
    keys: words,
    fits: isText,
    to: () => '__proto__',
    lies: true,
  },
  { name: 'connected-as-number', keys: /^(connected|isDone)$/, to: () => 7 },
  { name: 'field-null', keys: /./, to: () => null, once: true, lies: true },
  {
    name: 'field-list',
    keys: /./,
    to: (value) => [value],
    once: true,
    lies: true,
  },
]

export const valueFaults: readonly Fault[] = [
  ...forgeries.map(({ name, keys, fits, to, lies, once }): Fault => ({
    name,
    phase: 'values',
    counts: 'if it reads differently',
    ...(lies ? { lies } : {}),
    make: (proper, asked, dice) =>
      changed(proper, asked, (value) => {
        const places = placesIn(value, keys, fits)
        if (places.length === 0) return undefined
        const struck = once || dice.next() < 0.3 ? [dice.pick(places)] : places
        for (const { holder, key, value: found } of struck) holder[key] = to(found, dice)
        return value
      }),
  })),
  overTime('stale-replica', 60_000, 180_000),
  overTime('old-snapshot', 600_000, Infinity),
  {
    name: 'clock-behind',
    phase: 'values over time',
    weight: SELDOM,
    counts: 'if it reads differently',
    lies: true,
    make: (proper, asked) => shifted(proper, asked, -86_400),
  },
  {
    name: 'clock-ahead',
    phase: 'values over time',
    weight: SELDOM,
    counts: 'if it reads differently',
    lies: true,
    make: (proper, asked) => shifted(proper, asked, 86_400),
  },
  {
    name: 'ids-exchanged',
    phase: 'values over time',
    weight: SELDOM,
    counts: 'if it reads differently',
    lies: true,
    make: (proper, asked) =>
      changed(proper, asked, (value) => {
        const [first, second] = placesIn(value, ids, isText)
        if (!first || !second) return undefined
        first.holder[first.key] = second.value
        second.holder[second.key] = first.value
        return value
      }),
  },
]

/** An earlier answer to the same question. */
function overTime(name: string, least: number, most: number): Fault {
  return {
    name,
    phase: 'values over time',
    weight: SELDOM,
    counts: 'if it reads differently',
    lies: true,
    make: (proper, { before, id }) => {
      const found = before.find(({ age }) => age >= least && age <= most)
      if (!found || proper.status !== 200) return undefined
      return withBody(proper, id === undefined ? found.body : found.body.replace(/"id":\d+/, `"id":${id}`))
    },
  }
}

function shifted(proper: Parameters<typeof changed>[0], asked: Parameters<typeof changed>[1], seconds: number) {
  return changed(proper, asked, (value) => {
    const places = placesIn(value, times, isNumber)
    for (const { holder, key, value: found } of places) holder[key] = like(found, Number(found) + seconds)
    return places.length > 0 ? value : undefined
  })
}
