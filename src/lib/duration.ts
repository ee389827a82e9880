// Durations as operators and Prometheus write them: 500ms, 30s, 5m, 1h30m, 7d.

/** The greatest unit first, each at most once. */
const form = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/
const units = [86_400_000, 3_600_000, 60_000, 1_000, 1]
const names = ['d', 'h', 'm', 's', 'ms']

/** Milliseconds, or undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const counts = text === '' ? null : form.exec(text)
  return counts?.slice(1).reduce((sum, count, at) => sum + Number(count ?? 0) * units[at]!, 0)
}

/** Formats milliseconds as `parseDuration` reads them: 1h30m. */
export function formatDuration(milliseconds: number): string {
  const parts = units.map((unit, at) => {
    const count = Math.floor((at === 0 ? milliseconds : milliseconds % units[at - 1]!) / unit)
    return count === 0 ? '' : `${count}${names[at]}`
  })
  return parts.join('') || '0s'
}
