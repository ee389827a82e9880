// simulate: the embedded network alone, for trying things out.

import { InvalidArgumentError, type Command } from 'commander'
import { type Simulator, startSimulator } from '../simulator/simulator.ts'
import type { Io } from './io.ts'

export interface SimulatorFlags {
  seed: number
  epoch?: number
  speed: number
}

export function simulatorFlags(command: Command): Command {
  const number = (low: number) => (text: string) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value >= low) return value
    throw new InvalidArgumentError(`Expected a number from ${low} on.`)
  }
  return command
    .option('--seed <number>', 'what the network is derived from', number(0), 1)
    .option('--epoch <seconds>', "Unix time of the network's start (default: now)", number(0))
    .option('--speed <factor>', 'how many seconds pass on the network in one second', number(0.001), 1)
}

export async function startFlagged({ seed, epoch, speed }: SimulatorFlags): Promise<Simulator> {
  const began = Date.now() / 1_000
  const start = epoch ?? Math.floor(began)
  return startSimulator({ seed, epoch: start, clock: () => start + (Date.now() / 1_000 - began) * speed })
}

export function simulate(program: Command, io: Io): void {
  const command = program.command('simulate').description('serve the simulated network alone')
  simulatorFlags(command).action(async (flags: SimulatorFlags) => {
    const simulator = await startFlagged(flags)
    io.stdout(simulator.config())
    io.stderr(`The simulated network is up; its own state is at ${simulator.controlUrl}/state\n`)
    await io.stopped
    await simulator.stop()
  })
}
