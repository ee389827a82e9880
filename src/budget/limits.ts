// The limits of an account, from the configured budgets and from what the plan costs.

import { ALLOWANCE, type UpstreamCost } from './cost.ts'

export interface Limits {
  perMinute: number
  perDay: number
  /** Units of the day that may be spent at once; the rest comes evenly. */
  burst: number
}

const DAY = 24 * 60 * 60_000

/** Upstreams that share an account: what they cost together, and the smallest of their budgets. */
export function limitsOf(costs: readonly UpstreamCost[] = []): { isConfigured: boolean; limits: Limits } {
  const none = { perMinute: Infinity, perDay: Infinity, burst: Infinity }
  if (costs.length === 0) return { isConfigured: false, limits: none }
  const sum = (of: 'perMinute' | 'perDay' | 'atOnce') => costs.reduce((all, cost) => all + cost[of], 0)
  const least = (of: 'per_minute' | 'per_day') => Math.min(...costs.map(({ budget }) => budget[of] ?? Infinity))
  const [perMinute, perDay] = [least('per_minute'), least('per_day')]
  const isConfigured = perMinute < Infinity || perDay < Infinity
  const limits = {
    // A start runs every task once, on top of what each minute takes.
    perMinute: perMinute < Infinity ? perMinute : Math.floor(ALLOWANCE * (sum('perMinute') + sum('atOnce'))),
    perDay: perDay < Infinity ? perDay : Math.floor(ALLOWANCE * sum('perDay')),
  }
  return { isConfigured, limits: { ...limits, burst: Math.max(limits.perDay / 24, sum('atOnce')) } }
}

/** Spreading a day's budget makes sense where it holds many bursts. */
export const isSpread = ({ perDay, burst }: Limits) => perDay < Infinity && burst <= perDay / 8

export const perMillisecond = (limits: Limits) => (isSpread(limits) ? (limits.perDay - limits.burst) / DAY : Infinity)
