// --limit: other limits, to see what would have fired with them.

import { type Command, InvalidArgumentError } from 'commander'
import { isLimit, type Limits, readLimit } from '../alerts/limit.ts'
import { thresholds } from '../alerts/thresholds.ts'
import { noSuch } from './flag-values.ts'

export type { Limits } from '../alerts/limit.ts'

export function limitFlag(command: Command, about: string): Command {
  return command.option('--limit <name=value>', `${about}, repeatable; docs/alerting.md lists them`, limitOf)
}

/** Adds `NAME=VALUE`: a number, or a duration for a limit that is a time. */
function limitOf(text: string, before: Limits = {}): Limits {
  const [name = '', value = ''] = text.split(/=(.*)/s)
  if (!isLimit(name)) throw noSuch('limit', name, Object.keys(thresholds))
  const limit = readLimit(name, value)
  if (typeof limit === 'object') throw new InvalidArgumentError(`Expected ${limit.expected}.`)
  return { ...before, [name]: limit }
}
