// --limit: other limits for the alert rules.

import { type Command, InvalidArgumentError } from 'commander'
import { type Thresholds, thresholds } from '../alerts/thresholds.ts'
import { parseDuration } from '../lib/duration.ts'
import { noSuch } from './flag-values.ts'

export type Limits = { readonly [name in keyof Thresholds]?: number }

/** Below 1, and yet no share of anything. */
const RATES: readonly string[] = ['throughputLeast']
/** A shipped limit of this many seconds or more is a time; counts are smaller. */
const LEAST_TIME = 60

export function limitFlag(command: Command, about: string): Command {
  return command.option('--limit <name=value>', `${about}, repeatable; docs/alerting.md lists them`, limitOf)
}

/** Adds `NAME=VALUE`: a number, or a duration for a limit that is a time. */
function limitOf(text: string, before: Limits = {}): Limits {
  const [name = '', value = ''] = text.split(/=(.*)/s)
  if (!Object.hasOwn(thresholds, name)) throw noSuch('limit', name, Object.keys(thresholds))
  const shipped = thresholds[name as keyof Thresholds]
  const isTime = shipped >= LEAST_TIME
  const isShare = shipped < 1 && !RATES.includes(name)
  const duration = isTime ? parseDuration(value) : undefined
  const number = duration === undefined ? numberIn(value) : duration / 1_000
  if (number > 0 && !(isShare && number > 1)) return { ...before, [name]: number }
  const expected = isTime
    ? 'seconds or a duration such as 2h'
    : isShare
      ? 'a share between 0 and 1'
      : 'a number above 0'
  throw new InvalidArgumentError(`Expected ${expected} for ${name}, which is ${shipped}.`)
}

const numberIn = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN)
