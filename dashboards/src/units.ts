// The units of what the panels show. Those with `count:` are ours: Grafana writes them behind the number.

export const COUNT = 'none'
export const HEIGHT = 'locale'
export const SHARE = 'percentunit'
export const SECONDS = 's'
/** Grafana has weeks and years of its own, and ticks such as 1.65 weeks with them. */
export const DAYS = 'suffix: d'
export const TIMES = 'suffix: x'
export const BYTES = 'bytes'
export const TOKENS = 'count:tokens'
export const WEIGHT = 'count:weight'
export const GAS = 'count:gas'
export const GAS_PER_SECOND = 'count:gas/s'
/** Billionths of a token. */
export const NANO = 'count:nano'
export const BLOCKS_PER_SECOND = 'count:blocks/s'
export const TRANSACTIONS_PER_SECOND = 'count:tx/s'
export const REQUESTS_PER_SECOND = 'reqps'
/** For names. Every other unit, `none` as well, turns a text that Grafana can read as a number into that number. */
export const TEXT = 'string'

/** In a table the title of the column says what is counted; large numbers have their scale: 12.3 M nodes, 839 K tokens. */
export function inTable(unit: string): string {
  if (unit === COUNT) return 'sishort'
  return unit.startsWith('count:') ? 'short' : unit
}

/**
 * The widest text that Grafana makes of a number in a table, by its unit: `test/dashboards/formatted.json` has what
 * Grafana itself prints, and a test holds each against it.
 */
export const widest: Readonly<Record<string, string>> = {
  short: '-10.00 Quadr',
  sishort: '-10.00 M',
  [SECONDS]: '-10.00 weeks',
  [SHARE]: '-0.00123%',
  [HEIGHT]: '99,999,999,999',
  [BYTES]: '-10.00 MiB',
  [TEXT]: '4294967295',
}
