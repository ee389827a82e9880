// Bounds the label values that an upstream chooses: no answer may add series without end.

const MOST = 32

/** The value itself while there are few values, then `other`. Names that every object has, such as `constructor`, are `other`. */
export function boundedKey(seen: Readonly<Record<string, unknown>>, value: string): string {
  if (value in Object.prototype) return 'other'
  return Object.hasOwn(seen, value) || Object.keys(seen).length < MOST ? value : 'other'
}
