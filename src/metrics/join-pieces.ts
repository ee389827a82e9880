// Joins the small pieces of a body.

/** Each piece is a write to each scraper's connection, so that smaller ones are joined at the cost of a copy (bytes). */
const LARGE = 65_536

/** Large pieces stay as they are: the bodies of several moments share them. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array[] {
  const out: Uint8Array[] = []
  let small: Uint8Array[] = []
  let length = 0
  const flush = () => {
    if (small.length > 0) out.push(Buffer.concat(small, length))
    small = []
    length = 0
  }
  for (const piece of pieces) {
    if (piece.length >= LARGE) {
      flush()
      out.push(piece)
    } else {
      small.push(piece)
      length += piece.length
      if (length >= LARGE) flush()
    }
  }
  flush()
  return out
}
