// One bad item in a list: what it costs, in each collector that walks one.

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { collectors } from '../../src/collectors/index.ts'
import { toBaseError } from '../../src/errors.ts'
import { operations } from '../../src/operations/index.ts'
import { createSmallNetwork } from '../support/small-network.ts'
import { createPoller, type Poller } from '../support/poll.ts'
import { kinds, type Kind, lists, withBad } from './bad-items.ts'

interface Cost {
  isSuccess?: false
  lost?: readonly string[]
  changed?: readonly string[]
}
type Costs = Partial<Record<'bad' | 'missing' | 'future', Cost>> & { areNew?: true }
/** By collector and operation, and the reason of each collector that has none. */
const { costs, walkingNothing } = parse(readFileSync(new URL('costs.yaml', import.meta.url), 'utf8')) as {
  costs: Readonly<Record<string, Readonly<Record<string, Costs>>>>
  walkingNothing: Readonly<Record<string, string>>
}

const RUNS = 4
const operationOf = new Map<string, (typeof operations)[number]>(operations.map((one) => [one.name, one]))
const rows = collectors.flatMap((collector) =>
  Object.keys(costs[collector.name] ?? {}).map((operation) => ({ collector, operation })),
)

interface Seen {
  /** Whether all tasks succeeded in the last run. */
  isSuccess: boolean
  /** Families that lost a series, or have other values than without the bad item. */
  lost: string[]
  changed: string[]
  /** Items that could not be read, after each run. */
  unread: number[]
  wasBad: boolean
}
const seen = new Map<string, Seen>()
const keyOf = (collector: string, operation: string, kind: Kind) => `${collector} ${operation} ${kind}`

/** All pollers ask the same network at the same moments, so that nothing else differs. */
beforeAll(async () => {
  const network = createSmallNetwork()
  network.pass(3_600)
  const cases = rows.flatMap((row) => kinds.map((kind) => ({ ...row, kind: kind as Kind | undefined })))
  const plain = [...new Set(rows.map(({ collector }) => collector))].map((collector) => ({
    collector,
    operation: '',
    kind: undefined,
  }))
  const polled = [...plain, ...cases].map((one) => ({
    ...one,
    poller: createPoller(network.yaml, one.collector, network.now()),
    chosen: new Map<string, string>(),
    unread: [] as number[],
    wasBad: false,
  }))
  for (let run = 0; run <= RUNS; run += 1) {
    if (run > 0) network.pass(60)
    const answers = new Map<string, Promise<unknown>>()
    for (const one of polled) {
      const { poller, kind, chosen } = one
      const sources = new Map(poller.tasks.flatMap((task) => task.sources.map((source) => [source.name, source])))
      poller.clock.now = network.now()
      await poller.poll(async (name, wire, source) => {
        const question = JSON.stringify([name, wire, source])
        const asked = () => network.raw(sources.get(source)!, operationOf.get(name)!, wire).catch(toBaseError)
        const answer = answers.get(question) ?? asked()
        answers.set(question, answer)
        const raw = await answer
        if (kind === undefined || name !== one.operation || run === 0 || raw instanceof Error) return raw
        const list = JSON.stringify([wire.path, wire.body, source])
        const bad = withBad(raw, lists[name]!, kind, (keys) => {
          // Of blocks the newest one, which moves down the list.
          const first = name.includes('blocks') ? keys[0]! : keys[Math.floor(keys.length / 2)]!
          if (!chosen.has(list)) chosen.set(list, first)
          return keys.find((key) => key === chosen.get(list))
        })
        one.wasBad ||= bad !== raw
        return bad
      })
      if (run > 0) one.unread.push(poller.unreadItems())
    }
  }
  const usual = new Map(polled.flatMap((one) => (one.kind ? [] : [[one.collector, one.poller]])))
  for (const { collector, operation, kind, poller, unread, wasBad } of polled) {
    if (kind)
      seen.set(keyOf(collector.name, operation, kind), { ...compared(usual.get(collector)!, poller), unread, wasBad })
  }
})

function compared(usual: Poller, poller: Poller): Pick<Seen, 'isSuccess' | 'lost' | 'changed'> {
  const [before, after] = [seriesOf(usual), seriesOf(poller)]
  const families = (series: readonly string[]) => [
    ...new Set(series.map((one) => one.replace(/(_bucket|_sum|_count)?\{.*/, '').replace('stakewatch_', ''))),
  ]
  const names = [...before.keys()]
  return {
    isSuccess: poller.lines(/collector_success/).join() === usual.lines(/collector_success/).join(),
    lost: families(names.filter((name) => !after.has(name))),
    changed: families(names.filter((name) => after.has(name) && after.get(name) !== before.get(name))),
  }
}

function seriesOf({ lines }: Poller): Map<string, string> {
  return new Map(
    lines(/^(?!stakewatch_(collector|upstream))/).map((line) => line.split(/ (?=\S+$)/) as [string, string]),
  )
}

const walking = collectors.filter(({ uses }) => uses.some(({ items }) => items !== undefined))

test.each(walking)('$name walks a list of test/bad-items/costs.yaml, which else says why not', ({ name }) => {
  expect([...Object.keys(costs), ...Object.keys(walkingNothing)]).toContain(name)
})

test('no other collector is in it', () => {
  const names = walking.map(({ name }) => name)
  expect(Object.keys(walkingNothing).filter((name) => !names.includes(name))).toEqual([])
})

test('each list that the collectors of the table may ask for is in it', () => {
  // Of the newest block alone; of wallets with one address, which are asked for as those with several are.
  const single = ['erc20-transfers list-latest-evm-blocks', 'utxos list-utxos']
  const pairs = collectors.flatMap(({ name, uses }) =>
    name in costs ? uses.filter(({ items }) => items !== undefined).map((used) => `${name} ${used.name}`) : [],
  )
  const known = new Set([...rows.map(({ collector, operation }) => `${collector.name} ${operation}`), ...single])
  expect(pairs.filter((pair) => !known.has(pair))).toEqual([])
})

describe.each(rows.map(({ collector, operation }) => [collector.name, operation] as const))(
  '%s: %s',
  (name, operation) => {
    // A long text is as good as another one.
    const { isText, time, key } = lists[operation]!
    const possible = kinds.filter(
      (kind) =>
        !(isText && (kind === 'huge' || kind === 'long')) &&
        !(time === undefined && kind === 'future') &&
        !(key === undefined && kind === 'duplicated'),
    )
    test.each(possible)('one item that is %s', (kind) => {
      const { unread, wasBad, ...published } = seen.get(keyOf(name, operation, kind))!
      const { bad, missing = bad, future, areNew } = costs[name]![operation]!
      const cost = { unreadable: bad, huge: bad, long: bad, missing, future, duplicated: undefined }[kind]
      expect(wasBad).toBe(true)
      expect(published).toEqual({ isSuccess: true, lost: [], changed: [], ...cost })
      // What cannot be read counts in the first run, and not again.
      expect(areNew || new Set(unread).size === 1).toBe(true)
    })
  },
)
