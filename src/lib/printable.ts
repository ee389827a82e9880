// Text of other programs, made harmless for terminals.

/**
 * Control characters, line ends of Unicode, and what changes the direction of writing: all could fake what a line says. Half
 * of a pair of surrogates is no text, and no part of a URL.
 */
const HARMFUL = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** As one line. */
export function printable(text: string): string {
  return text.replace(HARMFUL, '?')
}

/** Line ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(HARMFUL, (sign) => (sign === '\n' || sign === '\t' ? sign : '?'))
}
