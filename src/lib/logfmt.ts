// One line of logfmt: key=value pairs, quoted as go-logfmt quotes them, which Prometheus, Loki and their tools read.

/** Every value stays on its line, and whoever parses the line gets back what was logged. */
export function logfmt(entry: object): string {
  return `${Object.entries(entry)
    .map(([key, value]) => `${key}=${written(value)}`)
    .join(' ')}\n`
}

function written(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Without quotes, null stands for a value that is not there.
  return isPlain(text) && value !== 'null' ? text : escapedControls(JSON.stringify(text))
}

/** No quotes are needed. U+FFFD and halves of characters are not plain: they come from bytes that are no text. */
function isPlain(text: string): boolean {
  return /^[^\s"=\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufffd]+$/u.test(text)
}

/**
 * Without control characters, which a terminal obeys, and without line separators, which begin a new line. Line feeds stay:
 * JSON escapes those of values, so the others are ours.
 */
export function escapedControls(text: string): string {
  return text.replace(
    /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
