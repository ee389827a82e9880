// Checksums of gzip (CRC-32, RFC 1952, section 8) of a text that is known in pieces: each is read once, wherever it stands and
// whatever stands before it. A checksum is a polynomial over the field of two elements, the highest bit of a word being that of
// x^0; to put n bytes behind a text multiplies its checksum by x^(8n), modulo the polynomial of the checksum.

const POLYNOMIAL = 0xedb88320
/** The polynomial 1, and x^8: one byte. */
const [ONE, BYTE] = [0x80000000, 0x00800000]

/** Modulo the polynomial of the checksum. */
function product(a: number, b: number): number {
  let sum = 0
  let term = b
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= term
    term = term & 1 ? (term >>> 1) ^ POLYNOMIAL : term >>> 1
  }
  return sum >>> 0
}

/** That of a text and a piece of `length` bytes behind it, by the checksum of each. */
export function continued(before: number, piece: number, length: number): number {
  let moved = before
  // x^8, x^16, x^32 and so on: what twice as many bytes make of it.
  for (let left = length, power = BYTE; left > 0; left = Math.floor(left / 2), power = product(power, power)) {
    if (left % 2 === 1) moved = product(moved, power)
  }
  return (moved ^ piece) >>> 0
}
