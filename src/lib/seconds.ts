// Spans of time in seconds.

export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
