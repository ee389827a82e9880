// Confirmation before a change or before work for others: on a terminal by a question, in a script by --yes.

import type { Command } from 'commander'
import { BaseError } from '../../errors.ts'
import type { Io } from '../io.ts'

export interface YesFlag {
  yes?: true
}

export function yesFlag(command: Command): Command {
  return command.option('--yes', 'do it without asking; required where there is no terminal')
}

/** Throws a BaseError unless the flag or the user confirms the action. */
export async function confirm(what: string, { yes }: YesFlag, io: Io): Promise<void> {
  if (yes) return
  const answer = io.confirm(`${what}?`)
  if (answer === undefined) {
    throw new BaseError('config', `${what}: there is no terminal to ask on; --yes does it without asking`)
  }
  if (!(await answer)) throw new BaseError('aborted', 'not confirmed: nothing was sent')
}
