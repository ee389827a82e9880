// A calendar month in UTC. Times in seconds since the epoch.

import { BaseError } from '../../errors.ts'
import { HOUR } from '../../lib/seconds.ts'

export interface Month {
  /** Such as 2026-10. */
  name: string
  start: number
  end: number
  /** How far the report goes: to the end, or to the last full hour of a month that is not over. */
  until: number
}

/** Since 1970: the platform takes a year below 100 for one of the twentieth century. */
export const MONTH_FORM = /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])$/

/** Throws a BaseError for a month that has no full hour yet. */
export function monthOf(name: string, now: number): Month {
  const start = Date.parse(`${name}-01T00:00:00Z`) / 1_000
  const date = new Date(start * 1_000)
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1_000
  const until = Math.min(end, Math.floor(now / HOUR) * HOUR)
  if (until > start) return { name, start, end, until }
  throw new BaseError('config', `--month=${name}: this month has no full hour yet (UTC); choose an earlier one`)
}

/** The last month that is over. */
export function lastMonth(now: number): string {
  const date = new Date(now * 1_000)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 7)
}

export const isComplete = ({ end, until }: Month) => until === end
