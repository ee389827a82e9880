// HTML templates that escape every value, except the results of other templates.

const made = Symbol('markup')

export interface Html {
  readonly [made]: string
}

export type Part = Html | string | number | undefined | false | readonly Part[]

/** `html\`<td>${text}</td>\``. Attributes are escaped as well, and have to be in double quotes. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { [made]: strings.map((text, at) => text + (at < parts.length ? written(parts[at]) : '')).join('') }
}

/** A template result as text to send. */
export function written(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return made in part ? part[made] : part.map(written).join('')
}

/** Trusted text, left unescaped: the style sheet, and runbooks of this package. */
export function trusted(text: string): Html {
  return { [made]: text }
}

/** Replaces control characters: they could hide or reverse the text around them. */
function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}')
    .replace(/[&<>"'`]/g, (letter) => `&#${letter.codePointAt(0)};`)
}

export type Tone = 'plain' | 'maintenance' | 'good' | 'warning' | 'critical'

/** A state in words, and how to show it. */
export interface Shown {
  text: string
  tone: Tone
}

/**
 * The text next to a bar has the same information, so screen readers skip the bar.
 * `share` of the whole, from 0 to 1; an unknown share has no bar.
 */
export function bar(share: number | null, tone: Tone): Html | undefined {
  if (share === null || !Number.isFinite(share)) return undefined
  const width = Math.round(1_000 * Math.min(1, Math.max(0, share))) / 10
  return markup`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="track" width="100" height="8" />
    <rect class="fill is-${tone}" width="${width}" height="8" />
  </svg>`
}
