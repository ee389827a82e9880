// Numbers that JSON is to hold exactly as they are written.

interface RawJson {
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): value is { rawJSON: string }
}

/** What JSON.stringify writes as this text. */
export const rawJson = (text: string): unknown => (JSON as unknown as RawJson).rawJSON(text)
export const isRawJson: RawJson['isRawJSON'] = (value) => (JSON as unknown as RawJson).isRawJSON(value)
