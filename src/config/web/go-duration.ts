// Durations as Go writes them: 100ms, 1.5s, 1h30m. Web configurations have them.

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}
const part = String.raw`(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)`
const whole = new RegExp(`^(${part})+$`)

/** Milliseconds, or undefined when it is no duration. A number without a unit counts nanoseconds. */
export function parseGoDuration(given: string | number): number | undefined {
  if (typeof given === 'number') return Number.isInteger(given) ? given * units['ns']! : undefined
  if (given === '0') return 0
  if (!whole.test(given)) return undefined
  const parts = given.matchAll(new RegExp(part, 'g'))
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0)
}
