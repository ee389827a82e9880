// Numbers that JSON is to hold, or is to be read, exactly as they are written.

interface RawJson {
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): value is { rawJSON: string }
}

/** What JSON.stringify writes as this text. */
export const rawJson = (text: string): unknown => (JSON as unknown as RawJson).rawJSON(text)
export const isRawJson: RawJson['isRawJSON'] = (value) => (JSON as unknown as RawJson).isRawJSON(value)

/** At most the digits of a 256-bit integer: reading a number of a million digits would stall the process. */
const integer = /^-?\d{1,78}$/

/** For JSON.parse: integers beyond 2^53 as bigint, everything else as JSON has it. It costs five times as much. */
export function exactIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && integer.test(source)
    ? BigInt(source)
    : value
}
