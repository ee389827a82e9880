// Escapes text from upstreams for terminals.

/** Control characters could manipulate the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?')
}
