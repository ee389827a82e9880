// Checks whether a text can be the value of a label.

/** In bytes of UTF-8. */
const LONGEST = 256

/** Printable ASCII of usual length, without quotes and backslashes: nearly every label. */
export function isPlain(value: string): boolean {
  return value.length <= LONGEST && /^[ !#-[\]-~]*$/.test(value)
}

/** Lone surrogates of two values would become the same bytes, and so the same series twice. */
export function isLabel(value: string): boolean {
  if (value.length * 3 > LONGEST && Buffer.byteLength(value) > LONGEST) return false
  return value.isWellFormed() && !/\p{Cc}/u.test(value)
}
