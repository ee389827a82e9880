// What an upstream says, as a terminal may show it.

/** A control character would redraw the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?')
}
