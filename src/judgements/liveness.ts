// Whether an L1 goes on making blocks: how much more of its weight may go missing. Validators without a balance still
// count in the total.

export interface Member {
  weight: bigint
  /** It has a balance, or needs none. */
  isActive: boolean
  isConnected: boolean
}

/** Sums of weight: of those that are connected and active, of those that are active, of all. */
export interface Weights {
  connected: bigint
  active: bigint
  total: bigint
}

/** Shares of the total weight that something needs. */
export const thresholds = {
  /** Other chains accept a message of the L1 with signatures of this share, unless they require more. */
  messages: 0.67,
  /** A node starts the chain, and the chain makes blocks, while this share is connected. */
  blocks: 0.75,
  /** Below this share a node reports itself unhealthy. */
  health: 0.8,
} as const

export type Threshold = keyof typeof thresholds

export function weightsOf(members: readonly Member[]): Weights {
  const sum = (of: readonly Member[]) => of.reduce((total, { weight }) => total + weight, 0n)
  const active = members.filter(({ isActive }) => isActive)
  return {
    connected: sum(active.filter(({ isConnected }) => isConnected)),
    active: sum(active),
    total: sum(members),
  }
}

/** The connected share of the total weight minus the share needed, from -1 to 1; undefined without any weight. */
export function margin({ connected, total }: Pick<Weights, 'connected' | 'total'>, of: Threshold): number | undefined {
  return total === 0n ? undefined : Number(connected) / Number(total) - thresholds[of]
}

/** Whether the chain goes on making blocks if only this validator stops. */
export function isSpare({ connected, total }: Weights, { weight, isActive, isConnected }: Member): boolean {
  const left = isActive && isConnected ? connected - weight : connected
  return Number(left) >= thresholds.blocks * Number(total)
}

/** The weights after the largest connected validator stops. */
export function withoutGreatest(members: readonly Member[]): Weights {
  const weights = weightsOf(members)
  const greatest = members
    .filter(({ isActive, isConnected }) => isActive && isConnected)
    .reduce((most, { weight }) => (weight > most ? weight : most), 0n)
  return { ...weights, connected: weights.connected - greatest }
}

/** The weights after the lowest balance, and others equal to it, are used up. */
export function afterDepletion(members: readonly (Member & { balance: bigint | undefined })[]): Weights {
  const balances = members.flatMap(({ balance, isActive }) => (isActive && balance ? [balance] : []))
  const least = balances.reduce<bigint | undefined>(
    (low, one) => (low === undefined || one < low ? one : low),
    undefined,
  )
  return weightsOf(
    members.map((one) => ({ ...one, isActive: one.isActive && (one.balance === undefined || one.balance !== least) })),
  )
}
