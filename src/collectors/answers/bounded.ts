// Label values that an upstream chooses are bounded: no answer may grow the number of series without end.

const MOST = 32

/** The value itself while there are few of them, then `other`. So is a name that every object answers to. */
export function boundedKey(seen: Readonly<Record<string, unknown>>, value: string): string {
  if (value in Object.prototype) return 'other'
  return Object.hasOwn(seen, value) || Object.keys(seen).length < MOST ? value : 'other'
}
