// One line of logfmt: key=value pairs, quoted as go-logfmt quotes them, which Prometheus, Loki and their tools read.

/** Every value stays on its line, and a parser gets back what was logged. */
export function logfmt(entry: object): string {
  return `${Object.entries(entry)
    .map(([key, value]) => `${key}=${written(value)}`)
    .join(' ')}\n`
}

function written(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Without quotes, null means that there is no value.
  return isPlain(text) && value !== 'null' ? text : escapedControls(JSON.stringify(text))
}

/** Needs no quotes. U+FFFD and lone surrogates do: they come from bytes that are not text. */
function isPlain(text: string): boolean {
  return /^[^\s"=\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufffd]+$/u.test(text)
}

/**
 * Removes control characters, which a terminal interprets, and line separators. Line feeds stay: JSON escapes those in
 * values, so the others are ours.
 */
export function escapedControls(text: string): string {
  return text.replace(
    /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
