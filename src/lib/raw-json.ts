// Numbers that JSON has to write or read exactly.

interface RawJson {
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): value is { rawJSON: string }
}

/** A value that JSON.stringify writes as this text. */
export const rawJson = (text: string): unknown => (JSON as unknown as RawJson).rawJSON(text)
export const isRawJson: RawJson['isRawJSON'] = (value) => (JSON as unknown as RawJson).isRawJSON(value)

/** At most the digits of a 256-bit integer: reading a number of a million digits would stall the process. */
const integer = /^-?\d{1,78}$/

/** A JSON.parse reviver: integers beyond 2^53 become bigint. It costs five times as much. */
export function exactIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && integer.test(source)
    ? BigInt(source)
    : value
}
