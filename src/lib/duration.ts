// Durations as operators write them: 500ms, 30s, 5m, 1h30m, 7d.

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const whole = /^(?:\d+(?:ms|s|m|h|d))+$/

/** Milliseconds, or undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (!whole.test(text)) return undefined
  let sum = 0
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g)) {
    sum += Number(count) * units[unit as keyof typeof units]
  }
  return sum
}
