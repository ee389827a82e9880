// What a collector remembers, read again: its own records, changed, and values of the form that it accepts. It then runs with
// them, as a form that is accepted must also be of use.

import { constantFrom, nat, oneof, tuple, type Arbitrary } from 'fast-check'
import { BaseError } from '../../src/errors.ts'
import type { Records } from '../../src/lib/records.ts'
import { createRunner } from '../../src/run/run.ts'
import { createMemories, createRecall } from '../../src/run/memory.ts'
import type { Task } from '../../src/scheduler/plan.ts'
import { clockOf } from '../../test/support/clock.ts'
import { edited, edits } from './json.ts'
import { type AnyParser, defineParser, promise } from './parser.ts'
import { wireOf } from './shape.ts'
import { createSmallWorld, type SmallWorld } from './world.ts'

interface Remembered {
  /** Key of the task. */
  task: string
  /** JSON. */
  text: string
}

/** Three runs: the later ones have something to count. */
const ROUNDS = 3

export async function memoryParser(): Promise<AnyParser> {
  const world = createSmallWorld()
  const known = await recordsOf(world)
  const tasks = new Map(world.tasks.map((task) => [task.key, task]))
  const changed = tuple(constantFrom(...known), edits).map(([{ task, text }, some]): Remembered => ({
    task,
    text: written(edited(JSON.parse(text), some)),
  }))
  const shaped = oneof(...world.tasks.map((task) => shapedFor(task)))
  return defineParser<Remembered>({
    name: 'what collectors remember',
    inputs: oneof({ weight: 4, arbitrary: changed }, { weight: 1, arbitrary: shaped }),
    sizeOf: ({ text }) => text.length,
    async run({ task: key, text }) {
      const task = tasks.get(key)!
      const memories = createMemories()
      await memories.save(key, JSON.parse(text))
      const accepted = createRecall(memories, { info: () => {}, warn: () => {} })(task)
      if (accepted === undefined) throw new BaseError('config', 'another form')
      promise(accepted)
      await ranWell(world, task, memories)
      const after = JSON.stringify(memories.load(key))
      if (!task.collector.memory!.safeParse(JSON.parse(after)).success)
        throw new Error(`${key} saves what it cannot read: ${after}`)
      return accepted
    },
  })
}

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
      const value = memories.load(task.key)
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
  const runner = createRunner({
    client,
    memories,
    publish(message) {
      if (message.kind !== 'publish') return
      for (const { lines } of message.families) {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(lines)
        if (/ Nan$/m.test(text)) throw new Error(`${task.key} publishes ${text}`)
      }
    },
    seriesDropped: () => {},
    // The answers are all right: what cannot be true was made of the record.
    answerRefused(_, reason) {
      if (reason === 'negative' || reason === 'number' || reason === 'ratio') refused.push(reason)
    },
    standing: () => 'up',
    clock: clockOf(now),
    log: { info: () => {}, warn: (details) => said.push(details) },
  })
  await runner.run(task, new AbortController().signal)
  if (refused.length > 0) throw new Error(`${task.key} makes of it what cannot be true: ${refused.join(', ')}`)
  const defect = said.find(({ code }) => code === 'bug')
  if (defect) throw new Error(`${task.key}: ${defect.reason} ${defect.details}`)
}
