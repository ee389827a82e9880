// A small simulated network that begins now and goes on with the time.

import { startSimulator } from '../../../src/simulator/simulator.ts'

/** `endings` gets how it ends. */
export async function startSmallNetwork(endings: (() => Promise<unknown>)[]) {
  const simulator = await startSimulator({
    seed: 1,
    epoch: Math.floor(Date.now() / 1_000),
    clock: () => performance.now() / 1_000,
    validators: 20,
    delegations: 30,
  })
  endings.push(() => simulator.stop())
  return simulator
}
