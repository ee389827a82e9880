// What a validator costs Prometheus: a daemon watches a simulated network twice, the second time with as many validators
// more, and the difference is theirs.

import type { Simulator } from '../../src/simulator/simulator.ts'
import { idOf, nodeIdOf } from '../../src/simulator/world/ids.ts'
import type { L1 } from '../../src/simulator/world/l1.ts'
import { openStage, read } from '../scenarios/stage.ts'

/** `all`: every member of an L1 has its own series, and none has a name. */
export const kinds = ['primary', 'l1', 'all'] as const
export type Kind = (typeof kinds)[number]

export interface Cost {
  series: number
  /** Of the sample lines, uncompressed. */
  bytes: number
}

type Costs = ReadonlyMap<string, Cost>

/** Unix seconds. */
const EPOCH = 1_780_000_000
/** The seconds at which everything is polled: counters begin with the second round. */
const TIMES = [0, 60, 120]
/** How many validators are added. */
const MORE = 8
const HOUR = 3_600

/** A problem that begins is an event. */
const isSteady = (series: string) => !/^stakewatch_condition\b|^stakewatch_condition_/.test(series)

/**
 * What one more validator costs, by metric, with one node and with two; and how many of its series begin in a day in which it is
 * polled three times, without those that it has at first.
 */
export async function costsOf(kind: Kind): Promise<{ one: Costs; two: Costs; begun: number }> {
  const day = [8, 16, 24].map((hours) => TIMES.at(-1)! + hours * HOUR)
  const both = (nodes: number, rounds: readonly number[]) =>
    Promise.all([MORE, 2 * MORE].map((count) => served(kind, nodes, count, rounds)))
  const [[few, many], [fewOfTwo, manyOfTwo]] = [await both(1, TIMES), await both(2, [...TIMES, ...day])]
  const first = TIMES.length - 1
  const costs = (more: string[], less: string[]) => difference(byMetric(more[first]!), byMetric(less[first]!), MORE)
  const begun = (all: string[]) => {
    const seen = all.slice(first).map(seriesIn)
    const known = new Set(seen.flatMap((series) => [...series]).filter(isSteady))
    return known.size - [...seen[0]!].filter(isSteady).length
  }
  return {
    one: costs(many!, few!),
    two: costs(manyOfTwo!, fewOfTwo!),
    begun: (begun(manyOfTwo!) - begun(fewOfTwo!)) / MORE,
  }
}

function difference(many: Costs, few: Costs, by: number): Costs {
  const less = (name: string, { series, bytes }: Cost): Cost => ({
    series: (series - (few.get(name)?.series ?? 0)) / by,
    bytes: (bytes - (few.get(name)?.bytes ?? 0)) / by,
  })
  const all = [...many].map(([name, cost]) => [name, less(name, cost)] as const)
  return new Map(all.filter(([, { series }]) => series !== 0))
}

export function total(costs: Costs): Cost {
  return [...costs.values()].reduce(
    (sum, { series, bytes }) => ({ series: sum.series + series, bytes: sum.bytes + bytes }),
    { series: 0, bytes: 0 },
  )
}

/** The exposition of each round, for this many validators. */
async function served(kind: Kind, nodes: number, validators: number, rounds: readonly number[]): Promise<string[]> {
  const play = await openStage({
    network: {
      seed: 1,
      epoch: EPOCH,
      nodes,
      validators: 3 * MORE,
      delegations: 24 * MORE,
      isCalm: true,
      dialect: 'live',
      metricsDialect: 'document',
    },
    config: (simulator) => read(configOf(kind, simulator, validators)),
    isIdle: true,
  })
  try {
    const expositions: string[] = []
    for (const round of rounds) {
      play.pass(1_000 * round - play.now())
      const { text, failed } = await play.polled()
      if (failed.length > 0) throw new Error(`failed: ${failed.map(({ collector }) => collector.name).join()}`)
      expositions.push(text)
    }
    return expositions
  } finally {
    await play.end()
  }
}

/** What the process says of itself depends on the machine. */
const linesIn = (exposition: string) => exposition.split('\n').filter((line) => line.startsWith('stakewatch_'))

const seriesIn = (exposition: string) => new Set(linesIn(exposition).map((line) => line.replace(/ \S+$/, '')))

function byMetric(exposition: string): Costs {
  const lines = Map.groupBy(linesIn(exposition).filter(isSteady), (line) => /^\w+/.exec(line)![0])
  return new Map(
    [...lines].map(([name, all]) => [name, { series: all.length, bytes: Buffer.byteLength(`${all.join('\n')}\n`) }]),
  )
}

function configOf(kind: Kind, { world, nodes, dataUrl, metricsUrl }: Simulator, count: number): string {
  const l1 = world.l1s.all.find(({ name }) => name === 'orchard')!
  for (const { nodeId } of nodes) l1.followers.add(nodeId)
  // The first ones are the nodes themselves.
  const ids = kind === 'primary' ? [...world.validators.all.keys()].slice(2, 2 + count) : populate(world, l1, count)
  const subnet = kind === 'primary' ? '' : ', subnet: orchard'
  const named = kind === 'all' ? [] : ids.map((id, at) => `{ node_id: ${id}, name: ${nameOf(at)}${subnet} }`)
  return `networks:
  - name: fuji
    nodes: [${nodes.map(({ name, url, nodeId }) => `{ name: ${name}, url: "${url}", node_id: ${nodeId} }`).join(', ')}]
    data_api: { url: "${dataUrl}", key: any }
    metrics_api: { url: "${metricsUrl}" }
    subnets: [{ id: ${l1.subnetId}, name: orchard${kind === 'all' ? ', validators: all' : ''} }]
    validators: [${named.join(', ')}]
`
}

const nameOf = (at: number) => `validator-${String(at + 1).padStart(2, '0')}`

/** Gives the L1 this many validators; returns their node ids. */
function populate({ l1s, now }: Simulator['world'], l1: L1, count: number): string[] {
  const [first] = l1.validators as [L1['validators'][number]]
  for (let at = l1.validators.length; at < count; at += 1) {
    const [nodeId, validationId] = [nodeIdOf(`more ${at}`), idOf(`more ${at}`)]
    l1s.register(l1, { ...first, nodeId, validationId, balance: 30 * 86_400 * 512 }, now())
  }
  return l1.validators.map((one) => one.nodeId)
}
