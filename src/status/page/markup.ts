// HTML that escapes by itself: whatever is put into a template is text, unless it was made by a template too.

const made = Symbol('markup')

export interface Html {
  readonly [made]: string
}

export type Part = Html | string | number | undefined | false | readonly Part[]

/** `html\`<td>${text}</td>\``. Attributes are escaped as well, and have to be in double quotes. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { [made]: strings.map((text, at) => text + (at < parts.length ? written(parts[at]) : '')).join('') }
}

/** What a template made, as text to send. */
export function written(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return made in part ? part[made] : part.map(written).join('')
}

/** Our own text that must not be escaped: the style sheet alone. */
export function trusted(text: string): Html {
  return { [made]: text }
}

/** A control character shows as one: it would hide or reverse what stands beside it. */
function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}')
    .replace(/[&<>"'`]/g, (letter) => `&#${letter.codePointAt(0)};`)
}
