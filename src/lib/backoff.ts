// Waiting between attempts.

/** Full jitter: anywhere between zero and a ceiling that doubles with each attempt (0, 1, 2, ...). Milliseconds. */
export function backoff(attempt: number, random: () => number): number {
  return random() * Math.min(200 * 2 ** attempt, 5_000)
}
