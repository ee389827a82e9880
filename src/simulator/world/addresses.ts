// Addresses of the primary network in bech32: 20 bytes in letters of five bits, and a checksum that wallets look at.

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** What the addresses of the test network begin with. */
const PREFIX = 'fuji'
/** Letters of 20 bytes, and of the checksum behind them. */
export const [LETTERS, CHECKSUM] = [32, 6]
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const HEAD = [...PREFIX].map((letter) => letter.charCodeAt(0))
const EXPANDED = [...HEAD.map((code) => code >> 5), 0, ...HEAD.map((code) => code & 31)]

/** The address with these letters, 32 of them. */
export function addressOf(letters: string): string {
  const values = Array.from(letters, (letter) => ALPHABET.indexOf(letter))
  const sum = polymod([...EXPANDED, ...values, 0, 0, 0, 0, 0, 0]) ^ 1
  const checksum = Array.from({ length: CHECKSUM }, (_, at) => ALPHABET[(sum >> (5 * (CHECKSUM - 1 - at))) & 31]!)
  return `${PREFIX}1${letters}${checksum.join('')}`
}

/** The 20 bytes behind an address. */
export function bytesOfAddress(address: string): Uint8Array {
  const letters = address.slice(-LETTERS - CHECKSUM, -CHECKSUM)
  const number = Array.from(letters).reduce((sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)), 0n)
  return Buffer.from(number.toString(16).padStart(40, '0'), 'hex')
}

/** The remainder that bech32 takes as its checksum (BIP 173). */
function polymod(values: readonly number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [at, part] of GENERATOR.entries()) if ((top >> at) & 1) sum ^= part
  }
  return sum
}
