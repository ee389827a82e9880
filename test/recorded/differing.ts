// The recorded cases that the simulator's live form answers otherwise, and why. Ten at most.

export interface Differing {
  of: string
  case: string
  why: string
}

const of = 'platform.getBlockByHeight'

export const differing: readonly Differing[] = [
  { of, case: 'json block 6', why: 'who stakes in the simulated network has no change' },
  { of, case: 'json block 7', why: 'no delegation begins in the time that is simulated' },
  { of, case: 'Helicon: json block 1', why: 'auto-renewed validators were there before the simulated network began' },
  { of, case: 'Helicon: json block 2', why: 'auto-renewed validators were there before the simulated network began' },
]
