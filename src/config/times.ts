// Times as people and YAML write them: 2026-12-01T00:00:00Z, and 2026-12-01 00:00:00+00:00 of Python, 2026-12-01 02:00:00 +0200 of Ruby.

const DAY = String.raw`(?:19[7-9]|20\d)\d-\d\d-\d\d`
const CLOCK = String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?`
const OFFSET = String.raw`[Zz]|[+-](?:\d\d?(?::\d\d)?|\d{4})`
const form = (offset: string) => new RegExp(String.raw`^(${DAY})(?:[Tt]| +)(${CLOCK})(?: *(${OFFSET}))${offset}$`)

/** Each with an offset, and each with or without one: a JSON Schema has them as well. */
export const TIME_WITH_OFFSET = form('')
export const TIME = form('?')

interface Time {
  /** 2026-12-01T00:00:00 */
  local: string
  /** Z or +02:00; undefined when the text does not say which instant it is. */
  offset: string | undefined
}

/** Undefined for what is no time, such as 30 February, which the platform takes for 2 March. */
export function readTime(text: string): Time | undefined {
  const [, day, clock, written] = TIME.exec(text) ?? []
  const local = `${day}T${clock}`
  const offset = written && offsetOf(written)
  const read = new Date(`${local}Z`)
  const isReal = !Number.isNaN(Date.parse(`${local}${offset ?? 'Z'}`)) && read.toISOString().startsWith(day!)
  return isReal ? { local, offset } : undefined
}

function offsetOf(written: string): string {
  if (/^z$/i.test(written)) return 'Z'
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d?):?(\d\d)?$/.exec(written)!
  return `${sign}${hours!.padStart(2, '0')}:${minutes}`
}
