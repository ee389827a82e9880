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

/** The values by one label; throws if two samples have the same value of it. */
export function valuesOf(
  text: string,
  name: string,
  label: string,
  labels: Record<string, string> = {},
): Record<string, number> {
  const found = seriesOf(text, name, labels)
  const values = Object.fromEntries(found.map((one) => [one.labels[label], one.value]))
  if (Object.keys(values).length < found.length) throw new Error(`${name} has several series with the same ${label}`)
  return values
}
