// A small stable hash: for phases and digests, never for security.

/** FNV-1a, 32 bits, over UTF-16 code units. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
