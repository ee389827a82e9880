// The least and the greatest of a list of any length: arguments of Math.min and Math.max are on the stack, which ends at about
// a hundred thousand.

/** Infinity for an empty list. */
export const least = (values: readonly number[]) => values.reduce((found, one) => Math.min(found, one), Infinity)

/** -Infinity for an empty list. */
export const greatest = (values: readonly number[]) => values.reduce((found, one) => Math.max(found, one), -Infinity)
