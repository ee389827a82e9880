// Reads samples and values out of an exposition.

export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

/** The samples of a metric, or of all metrics that match a pattern, that have the given labels, in the order of the exposition. */
export function seriesOf(text: string, name: string | RegExp, labels: Record<string, string> = {}): Series[] {
  return text.split('\n').flatMap((line) => {
    const [, found = '', inside = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (typeof name === 'string' ? found !== name : !name.test(found)) return []
    const own = Object.fromEntries([...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]))
    return Object.entries(labels).every(([key, text]) => own[key] === text)
      ? [{ name: found, labels: own, value: Number(value) }]
      : []
  })
}

/** The value of the only sample that has the given labels; undefined without one. */
export function valueOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const found = seriesOf(text, name, labels)
  if (found.length > 1) throw new Error(`${name} ${JSON.stringify(labels)} is ${found.length} series`)
  return found[0]?.value
}

/** The values by one label. */
export function valuesOf(
  text: string,
  name: string,
  label: string,
  labels: Record<string, string> = {},
): Record<string, number> {
  return recordOf(seriesOf(text, name, labels).map((one) => [one.labels[label] ?? '', one.value]))
}

/** The values of all metrics with a prefix, by the rest of the name and the values of these labels: 'tokens in USDC'. */
export function tableOf(
  text: string,
  prefix: string,
  keys: readonly string[],
  labels: Record<string, string> = {},
): Record<string, number> {
  const all = seriesOf(text, new RegExp(`^${prefix}`), labels)
  return recordOf(
    all.map(({ name, labels, value }) => [
      [name.slice(prefix.length), ...keys.map((key) => labels[key])].filter(Boolean).join(' '),
      value,
    ]),
  )
}

/** A sample of a state that is not the current one. */
export const isOtherState = ({ labels, value }: Series): boolean => 'state' in labels && value === 0

export function withoutZeros(values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== 0))
}

/** Throws if two samples have the same key: a test would see only one of them. */
function recordOf(entries: readonly (readonly [string, number])[]): Record<string, number> {
  const record = Object.fromEntries(entries)
  if (Object.keys(record).length < entries.length) throw new Error('several series have the same key')
  return record
}
