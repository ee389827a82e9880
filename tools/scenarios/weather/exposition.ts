// A reader of the text format that knows nothing of the code that writes it. What it cannot read is a flaw.

export interface Series {
  name: string
  /** The name without the suffix of a histogram's part. */
  base: string
  labels: Readonly<Record<string, string>>
  value: number
}

export interface Exposition {
  /** By their text. */
  series: ReadonlyMap<string, Series>
  /** Series that only grow. */
  counters: ReadonlySet<string>
  flaws: readonly string[]
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\[\\"n])*",?)*)\})? (\S+)$/

export function readExposition(text: string): Exposition {
  const types = new Map<string, string>()
  const series = new Map<string, Series>()
  const counters = new Set<string>()
  const flaws: string[] = []
  for (const line of text.split('\n')) {
    const [, family, type] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? []
    if (family !== undefined) types.set(family, type!)
    if (line === '' || line.startsWith('#')) continue
    const [, name, inside = '', text = ''] = LINE.exec(line) ?? []
    if (name === undefined) {
      flaws.push(`a line that cannot be read: ${line.slice(0, 120)}`)
      continue
    }
    const key = line.slice(0, line.lastIndexOf(' '))
    const base = name.replace(/_(bucket|sum|count)$/, '')
    const pairs = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, label, value]) => [label!, value!] as const,
    )
    const value = Number(text.replace('Inf', 'Infinity'))
    const kind = types.get(name) ?? types.get(base)
    if (series.has(key)) flaws.push(`${key} is there twice`)
    if (name.startsWith('stakewatch_') && !Number.isFinite(value)) flaws.push(`${key} is ${text}`)
    if (kind === undefined) flaws.push(`${name} has no type`)
    if (kind === 'counter' || kind === 'histogram') counters.add(key)
    series.set(key, { name, base, labels: Object.fromEntries(pairs), value })
  }
  return { series, counters, flaws }
}
