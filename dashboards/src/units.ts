// The units of panels. Those with `count:` are ours: Grafana writes them after the number.

export const COUNT = 'none'
export const HEIGHT = 'locale'
export const SHARE = 'percentunit'
export const SECONDS = 's'
/** Grafana has its own weeks and years, with ticks such as 1.65 weeks. */
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
/** For names. With any other unit, even `none`, Grafana turns text that looks like a number into one. */
export const TEXT = 'string'

/** In a table the column title says what is counted; large numbers get a scale: 12.3 M nodes, 839 K tokens. */
export function inTable(unit: string): string {
  if (unit === COUNT) return 'sishort'
  return unit.startsWith('count:') ? 'short' : unit
}

/** The widest text that Grafana prints for a number in a table, by unit; a test draws the tables. */
export const widest: Readonly<Record<string, string>> = {
  short: '-10.00 Quadr',
  sishort: '-10.00 M',
  [SECONDS]: '-10.00 weeks',
  [SHARE]: '-0.00123%',
  [HEIGHT]: '99,999,999,999',
  [BYTES]: '-10.00 MiB',
  [TEXT]: '4294967295',
}
