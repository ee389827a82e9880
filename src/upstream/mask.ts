// Masks secrets in texts that upstreams wrote, as given and percent-encoded.

import { decoded } from './address.ts'

/** Shorter secrets are words such as `v1`, which would be torn out of every text. */
const SHORTEST = 4
/** Characters that are read: masking takes time linear in them. */
const READ = 64 * 1024
/** Part of a longer text that is shown: a secret may begin in the rest and end beyond what was read. */
const SHOWN = 3 / 4

/**
 * Returns a function that replaces each secret with `***`. A text in which one is percent-encoded in another way than usual is
 * shown decoded.
 */
export function masking(secrets: readonly string[]): (text: string) => string {
  const all = new Set(secrets.flatMap(readingsOf).filter((text) => text.replace(/[ +]/g, '').length >= SHORTEST))
  // The longest first, as one secret may be a part of another.
  const forms = [...all].toSorted((a, b) => b.length - a.length)
  return (text) => {
    const plain = replaced(text.slice(0, READ).toWellFormed(), forms)
    const readable = plain.replace(/(?:%[\da-f]{2})+/gi, decoded)
    const masked = replaced(readable, forms)
    const shown = masked === readable ? plain : masked
    return text.length > READ ? shown.slice(0, shown.length * SHOWN) : shown
  }
}

/** A form of the web writes a blank as a plus, and its reader turns a plus into a blank. JSON may write a slash as `\/`. */
function readingsOf(secret: string): string[] {
  const text = secret.toWellFormed()
  return [text, decoded(text), encodeURIComponent(text)].flatMap((one) => [
    one,
    one.replaceAll('+', ' '),
    one.replaceAll(' ', '+'),
    one.replaceAll('/', String.raw`\/`),
  ])
}

function replaced(text: string, forms: readonly string[]): string {
  let left = text
  for (const form of forms) if (left.includes(form)) left = left.replaceAll(form, '***')
  return left === text ? text : left.replaceAll(/(\*\*\*)+/g, '***')
}
