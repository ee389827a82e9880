// A chain as the metrics service knows it: by its number alone.

import { Refusal } from '../handler.ts'
import type { EvmChain } from '../world/evm-chains.ts'
import type { World } from '../world/world.ts'

export function measuredChain(world: World, chainId: string): EvmChain {
  const chain = world.evm.find((one) => String(one.chainId) === chainId)
  if (!chain) throw new Refusal(404, `chain ${chainId} not found`)
  return chain
}
