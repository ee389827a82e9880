// simulate: the embedded network alone, for trying things out.

import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { collectors } from '../../collectors/index.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts'
import { folderOf, numberOf } from '../flag-values.ts'
import { fileModes, type Io } from '../io.ts'

export interface SimulatorFlags {
  seed: number
  epoch?: number
  since?: number
  speed: number
  dialect: NonNullable<SimulatorOptions['dialect']>
  'storage.path'?: string
}

export function simulatorFlags(command: Command, dialect: SimulatorFlags['dialect']): Command {
  const since = new Option('--since <seconds>', 'Unix time of the start of a network that has run until now')
  const form = new Option('--dialect <form>', 'whose form answers have where live services differ from their documents')
  return command
    .option('--seed <number>', 'what the network is derived from', wholeNumber, 1)
    .option('--epoch <seconds>', "Unix time of the network's start (default: now)", wholeNumber)
    .addOption(since.argParser(pastTime).conflicts('epoch'))
    .option('--speed <factor>', 'how many seconds pass on the network in one second', factor, 1)
    .addOption(form.choices(['document', 'live']).default(dialect))
    .option(
      '--storage.path <folder>',
      'where the nodes write their profiles (default: a new one for temporary files, when they write one)',
      folderOf,
    )
}

const wholeNumber = numberOf(/^\d{1,15}$/, 'Expected a whole number from 0 on.')
const factor = numberOf(/^\d+(\.\d+)?$/, 'Expected a number from 0 on.')

function pastTime(text: string): number {
  const time = wholeNumber(text)
  if (time <= Date.now() / 1_000) return time
  throw new InvalidArgumentError('Expected a time in the past.')
}

export async function startFlagged(
  { seed, epoch, since, speed, dialect, ...flags }: SimulatorFlags,
  io: Io,
  { metricsDialect = dialect, openWindow }: Pick<SimulatorOptions, 'metricsDialect' | 'openWindow'> = {},
): Promise<Simulator> {
  const folder = flags['storage.path'] ?? join(tmpdir(), `stakewatch-${randomUUID()}`)
  const now = Math.floor(Date.now() / 1_000)
  return startSimulator({
    seed,
    epoch: since ?? epoch ?? now,
    age: since === undefined ? 0 : now - since,
    clock: () => performance.now() / 1_000,
    speed,
    dialect,
    metricsDialect,
    openWindow,
    writeProfile(file, text) {
      const path = join(folder, file)
      io.writeFile(path, text, fileModes.plain)
      io.stderr(`A simulated node wrote ${path}\n`)
    },
  })
}

export function simulate(program: Command, io: Io): void {
  const command = program.command('simulate').description('serve the simulated network alone')
  simulatorFlags(command, 'document').action(async (flags: SimulatorFlags) => {
    const simulator = await startFlagged(flags, io)
    io.stdout(simulator.config(collectors.map(({ name }) => name)))
    io.stderr(`The simulated network is up; its own state is at ${simulator.controlUrl}/state\n`)
    await io.stopped
    await simulator.stop()
  })
}
