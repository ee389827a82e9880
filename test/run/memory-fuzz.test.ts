// What a collector remembers, read again: its own records, changed, and values of the form that it accepts. It then runs with
// them, as a form that is accepted must also be of use.

import { constantFrom, nat, oneof, tuple, type Arbitrary } from 'fast-check'
import { BaseError } from '../../src/errors.ts'
import type { Records } from '../../src/lib/records.ts'
import { createMemories, createTaskMemory } from '../../src/run/memory.ts'
import type { Task } from '../../src/scheduler/plan.ts'
import { clockOf } from '../support/clock.ts'
import { edited, edits } from '../support/fuzz/json.ts'
import { fuzzed, promise } from '../support/fuzz/fuzzed.ts'
import { wireOf } from '../support/fuzz/shape.ts'
import { createSmallWorld, type SmallWorld } from '../support/small-network.ts'
import { quietRunner } from '../support/quiet-runner.ts'

interface Remembered {
  /** Key of the task. */
  task: string
  /** JSON. */
  text: string
}

/** Three runs: the later ones have something to count. */
const ROUNDS = 3

const silent = { info: () => {}, warn: () => {} }
const world = createSmallWorld()
const known = await recordsOf(world)
const tasks = new Map(world.tasks.map((task) => [task.key, task]))
const changed = tuple(constantFrom(...known), edits).map(([{ task, text }, some]): Remembered => ({
  task,
  text: written(edited(JSON.parse(text), some)),
}))
const shaped = oneof(...world.tasks.map((task) => shapedFor(task)))

fuzzed<Remembered>('what collectors remember', {
  inputs: oneof({ weight: 4, arbitrary: changed }, { weight: 1, arbitrary: shaped }),
  sizeOf: ({ text }) => text.length,
  async run({ task: key, text }) {
    const task = tasks.get(key)!
    const memories = createMemories()
    const remembered = createTaskMemory(memories, silent)
    await remembered.save(task, JSON.parse(text))
    const accepted = remembered.load(task)
    if (accepted === undefined) throw new BaseError('config', 'another form')
    promise(accepted)
    await ranWell(world, task, memories)
    if (remembered.load(task) === undefined)
      throw new Error(`${key} saves what it cannot read: ${JSON.stringify(memories.load(key))}`)
    return accepted
  },
  found: {
    'a remembered height that is no number passed for one of the right form, so that each run of the collector failed with a SyntaxError for ever instead of counting from zero':
      {
        task: 'evm-transactions/fuji/orchard',
        text: '{"cursor":{"position":0,"start":0,"holes":[]},"counts":{},"missed":0,"waited":0,"newest":{"total":"x","at":0}}',
      },
    'a remembered histogram with other buckets, as another version may have them, was counted on with, so that its counts stood in the wrong buckets':
      {
        task: 'icm/fuji/out',
        text: '{"floor":0,"known":[],"totals":{"states":{"pending":0,"delivered":0,"delivered_source_not_indexed":0,"other":0},"abandoned":0,"delivery":{"counts":[1],"sum":1}}}',
      },
    'a remembered time of a transaction passed that is no date as seconds, so that each run of the collector failed with a RangeError for ever':
      {
        task: 'transactions/fuji/address:operator:p-chain',
        text: '{"position":"0","floor":"0","seen":[],"totals":{"types":{}},"gaps":0,"newest":{"total":"0","at":0},"outgoing":{"time":1000000000000000,"seen":1000000000000000}}',
      },
    'remembered decimal places of a token passed that no token can have, so that each run of the collector failed with a RangeError for ever':
      {
        task: 'erc20-transfers/fuji/treasury:c-chain',
        text: '{"totals":{"transfers":{},"amounts":{"in 0x55a421500bf874f49ef80cf76027d772d76f20d7":"1"},"places":{"0x55a421500bf874f49ef80cf76027d772d76f20d7":1780000000000}},"gaps":0,"knownSince":0,"tokens":["0x55a421500bf874f49ef80cf76027d772d76f20d7"],"doubts":{},"cursors":{}}',
      },
    'a remembered total that was refused passed as a negative number; the counter of missed blocks grew by it, and the record that was then saved could not be read':
      {
        task: 'evm-transactions/fuji/c-chain',
        text: '{"cursor":{"position":0,"start":0,"holes":[]},"counts":{},"missed":0,"waited":0,"newest":{"total":"3000","at":0,"refused":{"runs":2,"since":0,"value":"-50000"}}}',
      },
    'a remembered distance between the places of an index and heights was used that makes heights negative': {
      task: 'head-check/fuji/c-chain/node-b',
      text: '{"anchor":{"offset":"-6000","by":"block"}}',
    },
    'a remembered type of rewards passed that has the name of a member of each object, whose value was then no number':
      {
        task: 'rewards/fuji/operator',
        text: '{"position":"0","floor":"0","seen":[],"totals":{"tokens":{"constructor":"1"},"values":{"usd":{}},"waiting":[],"priceless":0},"gaps":0,"newest":{"total":"0","at":0}}',
      },
  },
})

function shapedFor({ key, collector }: Task): Arbitrary<Remembered> {
  return tuple(wireOf(collector.memory!), edits, nat(1)).map(([value, some, how]) => ({
    task: key,
    text: written(how === 0 ? value : edited(value, some.slice(0, 1))),
  }))
}

const written = (value: unknown) => JSON.stringify(value) ?? 'null'

/** What the tasks save by themselves after each round. */
async function recordsOf(world: SmallWorld): Promise<Remembered[]> {
  const found: Remembered[] = []
  const kept = new Map(world.tasks.map(({ key }) => [key, createMemories()]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const task of world.tasks) {
      const memories = kept.get(task.key)!
      await ranWell(world, task, memories)
      const value = createTaskMemory(memories, silent).load(task)
      if (value !== undefined) found.push({ task: task.key, text: JSON.stringify(value) })
    }
    world.pass(60)
  }
  return found
}

/** Throws when the run ends with a defect, or shows what no metric may have. */
async function ranWell({ client, now }: SmallWorld, task: Task, memories: Records): Promise<void> {
  const refused: string[] = []
  const said: { code?: string; reason?: string; details?: string }[] = []
  const runner = quietRunner({
    client,
    memories,
    publish(message) {
      if (message.kind !== 'publish') return
      for (const { lines } of message.families) {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(lines))
        if (/ Nan$/m.test(text)) throw new Error(`${task.key} publishes ${text}`)
      }
    },
    // The answers are all right: what cannot be true was made of the record.
    answerRefused(_, reason) {
      if (reason === 'negative' || reason === 'number' || reason === 'ratio') refused.push(reason)
    },
    clock: clockOf(now),
    log: { info: () => {}, warn: (details) => said.push(details) },
  })
  await runner.run(task, new AbortController().signal)
  if (refused.length > 0) throw new Error(`${task.key} makes of it what cannot be true: ${refused.join(', ')}`)
  const defect = said.find(({ code }) => code === 'bug')
  if (defect) throw new Error(`${task.key}: ${defect.reason} ${defect.details}`)
}
