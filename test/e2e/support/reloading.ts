// A network of a few validators, and configurations that watch it.

import { onTestFinished } from 'vitest'
import { type Simulator, startSimulator } from '../../../src/simulator/simulator.ts'

export async function network(): Promise<Simulator> {
  const simulator = await startSimulator({
    seed: 1,
    epoch: Math.floor(Date.now() / 1_000),
    clock: () => performance.now() / 1_000,
    validators: 20,
    delegations: 40,
  })
  onTestFinished(() => simulator.stop())
  return simulator
}

/** One collector with a task for each node, and one that counts blocks. */
export function configOf({ nodes, dataUrl, world }: Simulator, validators: number, more = ''): string {
  const tracked = [...world.validators.all.keys()].slice(2, 2 + validators)
  return `networks:
  - name: fuji
    nodes: [${nodes.map(({ name, url }) => `{ name: ${name}, url: "${url}" }`).join(', ')}]
    data_api: { url: "${dataUrl}", key_file: key }
    validators: [${tracked.map((id, at) => `{ node_id: ${id}, name: val-${at + 1} }`).join(', ')}]
    chains: [{ id: x-chain }, { id: c-chain }]
${more}`
}
