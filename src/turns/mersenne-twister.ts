// MT19937-64 (Nishimura and Matsumoto, 2004): the random numbers from which all nodes draw the same proposers.

const SIZE = 312
const MIDDLE = 156
const LOW_BITS = 0x7fff_ffffn
const HIGH_BITS = 0xffff_ffff_8000_0000n

/** Endless numbers of 64 bits, to which assignments to the state cut what is longer. */
export function* randomNumbers(seed: bigint): Generator<bigint, never> {
  const state = new BigUint64Array(SIZE)
  state[0] = seed
  for (let at = 1; at < SIZE; at += 1) {
    const before = state[at - 1]!
    state[at] = (before ^ (before >> 62n)) * 6_364_136_223_846_793_005n + BigInt(at)
  }
  for (let at = 0; ; at = (at + 1) % SIZE) {
    const mixed = (state[at]! & HIGH_BITS) | (state[(at + 1) % SIZE]! & LOW_BITS)
    const odd = (mixed & 1n) === 1n ? 0xb502_6f5a_a966_19e9n : 0n
    state[at] = state[(at + MIDDLE) % SIZE]! ^ (mixed >> 1n) ^ odd
    yield tempered(state[at]!)
  }
}

function tempered(number: bigint): bigint {
  number ^= (number >> 29n) & 0x5555_5555_5555_5555n
  number ^= (number << 17n) & 0x71d6_7fff_eda6_0000n
  number ^= (number << 37n) & 0xfff7_eee0_0000_0000n
  return number ^ (number >> 43n)
}
