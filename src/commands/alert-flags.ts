// Flags about alerts: --job and --limit. They know the rules, which the other flags do not load.

import { type Command, InvalidArgumentError } from 'commander'
import { JOB } from '../alerts/groups.ts'
import { isLimit, type Limits, readLimit } from '../alerts/limit.ts'
import { thresholds } from '../alerts/thresholds.ts'
import { noSuch } from './flag-values.ts'

export function jobFlag(command: Command): Command {
  return command.option('--job <name>', 'job_name under which Prometheus scrapes stakewatch', jobName, JOB)
}

/** A job name that is valid between the quotes of an expression. */
function jobName(text: string): string {
  if (text.trim() !== '' && text.isWellFormed() && !/["\\\p{Cc}]/u.test(text)) return text
  throw new InvalidArgumentError(
    'Expected the job_name of a scrape configuration, without quotation marks, backslashes and control characters.',
  )
}

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
