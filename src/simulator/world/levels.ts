// Levels that hold until an action sets another one.

export interface Levels {
  /** Of a unit of gas on the P-Chain, in the smallest unit of the token. */
  gasPrice: number
  /** The metrics service works out no averages after this time (Unix seconds). */
  averagesAt: number
  /** Share of the requests of the data service's own node that a validator answers while it is there, by node id. */
  reachability: Map<string, number>
}

export const createLevels = (): Levels => ({ gasPrice: 1, averagesAt: Infinity, reachability: new Map() })
