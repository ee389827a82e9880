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
