// Faults of values: an answer of the right form that holds what cannot be, or what is not so; and answers that contradict
// each other over time.

import { changed, type Fault, type Json, placesIn, withBody } from './define.ts'

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
  to: (value: Json) => Json
  lies?: true
  /** In one place rather than everywhere. */
  once?: true
}

/** A number in the form that it was found in. */
function like(value: Json, number: number | string): Json {
  return typeof value === 'string' ? String(number) : Number(number)
}

type More = Pick<Forgery, 'lies' | 'once'>
const field = (name: string, keys: RegExp, to: Forgery['to'], more: More = {}): Forgery => ({ name, keys, to, ...more })
const text = (name: string, keys: RegExp, to: (value: string) => Json, more: More = {}): Forgery => ({
  name,
  keys,
  fits: isText,
  to: (value) => to(value as string),
  ...more,
})
const number = (name: string, keys: RegExp, to: (value: Json) => number | string, more: More = {}): Forgery => ({
  name,
  keys,
  fits: isNumber,
  to: (value) => like(value, to(value)),
  ...more,
})

const forgeries: readonly Forgery[] = [
  number('absurd-height', heights, () => '1000000000000000'),
  // After a start no earlier height shows it.
  number('height-jumps', heights, (value) => Number(value) + 100_000, { lies: true }),
  number('height-negative', heights, () => -1),
  number('height-fraction', heights, (value) => `${JSON.stringify(value)}.5`),
  { name: 'height-beyond-doubles', keys: heights, fits: isNumber, to: () => '9'.repeat(60) },
  number('time-far-ahead', past, () => 9_999_999_999),
  number('end-far-ahead', /^(endTime|endTimestamp|utxoEndTimestamp|platformLocktime)$/, () => 9_999_999_999),
  number('time-in-milliseconds', past, (value) => Number(value) * 1_000),
  number('time-negative', times, () => -1),
  number('time-zero', times, () => 0, { lies: true }),
  field('time-as-text', times, () => 'yesterday'),
  number('count-negative', counts, () => -1_000),
  number('count-fraction', counts, () => 1.5),
  number('amount-negative', amounts, () => -1),
  field('amount-empty', amounts, () => ''),
  field('amount-hexadecimal', amounts, () => '0x10'),
  field('amount-beyond-bits', amounts, () => '9'.repeat(90)),
  field('amount-object', amounts, () => ({ value: '1' })),
  number('amounts-doubled', amounts, (value) => String(BigInt(Math.trunc(Number(value))) * 2n), { lies: true }),
  number('ratio-250', ratios, () => 250),
  number('ratio-negative', ratios, () => -5),
  field('ratio-nan', ratios, () => 'NaN'),
  field('ratio-infinite', ratios, () => '1e999'),
  text('id-empty', ids, () => ''),
  text('id-checksum', ids, (value) => `${value.slice(0, -1)}z`, { lies: true }),
  text('id-path', ids, () => '../../etc/passwd', { lies: true }),
  field('id-number', ids, () => 5),
  text('ids-alike', ids, () => 'NodeID-111111111111111111116DBWJs', { lies: true }),
  text('word-unknown', words, () => 'Whatever', { lies: true }),
  text('word-long', words, () => 'x'.repeat(100_000), { once: true, lies: true }),
  text('word-ill-formed', words, () => '\ud800', { lies: true }),
  text('word-breaks-lines', words, () => 'a"b\\c\nd\u001b[31m\u009b', { lies: true }),
  text('word-prototype', words, () => '__proto__', { lies: true }),
  field('connected-as-number', /^(connected|isDone)$/, () => 7),
  field('field-null', /./, () => null, { once: true, lies: true }),
  field('field-list', /./, (value) => [value], { once: true, lies: true }),
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
        for (const { holder, key, value: found } of struck) holder[key] = to(found)
        return value
      }),
  })),
  overTime('stale-replica', earlier(60_000, 180_000)),
  overTime('old-snapshot', earlier(600_000, Infinity)),
  overTime('clock-behind', shifted(-86_400)),
  overTime('clock-ahead', shifted(86_400)),
  overTime('ids-exchanged', (proper, asked) =>
    changed(proper, asked, (value) => {
      const [first, second] = placesIn(value, ids, isText)
      if (!first || !second) return undefined
      first.holder[first.key] = second.value
      second.holder[second.key] = first.value
      return value
    }),
  ),
]

type Make = NonNullable<Fault['make']>

function overTime(name: string, make: Make): Fault {
  return { name, phase: 'values over time', weight: SELDOM, counts: 'if it reads differently', lies: true, make }
}

/** An answer to the same question whose age is between the two (milliseconds). */
function earlier(least: number, most: number): Make {
  return (proper, { before, id }) => {
    const found = before.find(({ age }) => age >= least && age <= most)
    if (!found || proper.status !== 200) return undefined
    return withBody(proper, id === undefined ? found.body : found.body.replace(/"id":\d+/, `"id":${id}`))
  }
}

function shifted(seconds: number): Make {
  return (proper, asked) =>
    changed(proper, asked, (value) => {
      const places = placesIn(value, times, isNumber)
      for (const { holder, key, value: found } of places) holder[key] = like(found, Number(found) + seconds)
      return places.length > 0 ? value : undefined
    })
}
