// Which network the simulated one is.

import { Refusal } from '../handler.ts'

/** The simulated network goes by the names of the test network. */
export function mustBeFuji(network: string): void {
  if (network === 'mainnet') throw new Refusal(404, 'the simulated network is fuji')
}
