// Addresses of EVM chains as the live service writes them: their capitals are a checksum (EIP-55).

import type { Dialect } from '../serve.ts'

export function addressIn(address: string, dialect: Dialect): string {
  return dialect === 'live' ? checksumAddress(address) : address
}

/** Of an address in small letters. A letter is a capital where the digit of the hash at its place is 8 or more. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2)
  const hash = keccak256(Buffer.from(digits))
  return `0x${digits.replace(/[a-f]/g, (letter, at: number) => (hash[at]! >= '8' ? letter.toUpperCase() : letter))}`
}

const RATE = 136
const WORD = (1n << 64n) - 1n
const rotated = (word: bigint, by: number) => ((word << BigInt(by % 64)) | (word >> BigInt(64 - (by % 64)))) & WORD

/** Hexadecimal, of less than 136 bytes. Node has SHA-3 alone, which pads in another way. */
function keccak256(bytes: Buffer): string {
  const block = Buffer.alloc(RATE)
  bytes.copy(block)
  block[bytes.length] = 0x01
  block[RATE - 1]! |= 0x80
  const words = Array.from({ length: 25 }, (_, at) => (at * 8 < RATE ? block.readBigUInt64LE(at * 8) : 0n))
  permute(words)
  const hash = Buffer.alloc(32)
  for (const [at, word] of words.slice(0, 4).entries()) hash.writeBigUInt64LE(word, at * 8)
  return hash.toString('hex')
}

/** Keccak-f[1600]: the word in column x and row y is that at x + 5 y. */
function permute(words: bigint[]): void {
  let register = 1
  for (let round = 0; round < 24; round += 1) {
    const parity = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ words[x + y]!, 0n))
    for (let at = 0; at < 25; at += 1) words[at]! ^= parity[(at + 4) % 5]! ^ rotated(parity[(at + 1) % 5]!, 1)
    let [x, y] = [1, 0]
    let moved = words[x]!
    for (let step = 1; step <= 24; step += 1) {
      ;[x, y] = [y, (2 * x + 3 * y) % 5]
      const at = x + 5 * y
      ;[moved, words[at]] = [words[at]!, rotated(moved, (step * (step + 1)) / 2)]
    }
    for (let row = 0; row < 25; row += 5) {
      const before = words.slice(row, row + 5)
      for (const [at, word] of before.entries()) {
        words[row + at] = word ^ (~before[(at + 1) % 5]! & WORD & before[(at + 2) % 5]!)
      }
    }
    for (let bit = 0; bit < 7; bit += 1) {
      register = ((register << 1) ^ ((register >> 7) * 0x71)) % 256
      if (register & 2) words[0]! ^= 1n << BigInt((1 << bit) - 1)
    }
  }
}
