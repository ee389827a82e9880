// The flag --job. It knows the rules, which the daemon does not load until it evaluates them.

import { InvalidArgumentError, type Command } from 'commander'
import { JOB } from '../alerts/groups.ts'

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
