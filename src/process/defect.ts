// Describes an unexpected error: enough to find it, in one line, and nothing that may be a key.

/** Fields of the one log line. `isDetailed` adds the whole stack. */
export function defectDetails(thrown: unknown, isDetailed: boolean): Record<string, string> {
  if (!(thrown instanceof Error)) return { error: withoutKeys(String(thrown)) }
  const { name, message, stack = '' } = thrown
  const code = 'code' in thrown ? ` ${String(thrown.code)}` : ''
  const frames = stack.split('\n').flatMap((line) => /^\s+at (.+)/.exec(line)?.[1] ?? [])
  return {
    error: withoutKeys(`${name}${code}: ${message}`),
    ...(frames[0] !== undefined && { at: frames[0] }),
    ...(isDetailed && { stack: frames.join(' < ') }),
  }
}

/** Errors of the platform quote URLs, headers and paths. A long word with a digit may be a key. */
function withoutKeys(text: string): string {
  return text
    .replace(/(\w+:\/\/)\S+/g, '$1***')
    .replace(/[\w\-+/=%.~:]{12,}/g, (word) => (/\d/.test(word) ? '***' : word))
}
