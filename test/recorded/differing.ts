// The recorded cases that the simulator's live form answers otherwise, and why. Ten at most.

export interface Differing {
  of: string
  case: string
  why: string
}

export const differing: readonly Differing[] = []
