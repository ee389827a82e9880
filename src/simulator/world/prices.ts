// What tokens cost, hour by hour and in any currency.

import { random } from './random.ts'

/** In US dollars, about. What is not here has no price. */
const usual: Readonly<Record<string, number>> = { AVAX: 24, FUSD: 1, APPLE: 0.37 }

/** One US dollar in each currency that the data service knows. */
const rates: Readonly<Record<string, number>> = {
  usd: 1,
  eur: 0.92,
  aud: 1.51,
  cad: 1.37,
  chf: 0.88,
  clp: 940,
  cny: 7.2,
  czk: 23.1,
  dkk: 6.87,
  gbp: 0.79,
  hkd: 7.8,
  huf: 362,
  jpy: 151,
  nzd: 1.64,
}

/** Of one whole token; undefined where there is no price. */
export function priceOf(seed: number, symbol: string, currency: string, at: number): number | undefined {
  const [price, rate] = [usual[symbol], rates[currency]]
  if (price === undefined || rate === undefined) return undefined
  const swing = symbol === 'FUSD' ? 0.002 : 0.2
  const hour = random(seed, 'price', symbol, Math.floor(at / 3_600)).next()
  return Number((price * rate * (1 + swing * (hour - 0.5))).toPrecision(6))
}
