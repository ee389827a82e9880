// A command with operations as subcommands; without one, it lists them.

import type { Command } from 'commander'
import { suggestionFor } from '../../lib/suggestion.ts'
import type { Io } from '../io.ts'

/** Shown after the help of the group and of each operation. */
const ACCOUNT =
  '\nNo budget bounds these requests, and a running daemon does not count them in the budget that it keeps.'

export function operationGroup(program: Command, name: string, about: string, listing: () => string, io: Io): Command {
  const group = program
    .command(name)
    .description(about)
    .usage('[operation] [options]')
    .addHelpText('afterAll', ACCOUNT)
    // Accepts any flags of an unknown operation, so that the error is about the operation.
    .argument('[words...]')
    .allowUnknownOption()
    .action(async ([word, ...rest]: string[]) => {
      if (word === undefined) return io.stdout(listing())
      const meant = group.commands.find((command) => namesOf(command).some((name) => isAlike(name, word)))
      if (meant === undefined) return refuse(group, word)
      await meant.parseAsync(rest, { from: 'user' })
    })
  return group
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()]
}

/** Names of operations are case-insensitive. */
function isAlike(name: string, word: string): boolean {
  return name.toLowerCase() === word.toLowerCase()
}

function refuse(group: Command, word: string): void {
  const meant = suggestionFor(word, group.commands.flatMap(namesOf))
  const advice = meant ? `did you mean ${meant}?` : `stakewatch ${group.name()} lists what there is`
  group.error(`error: unknown operation '${word}'; ${advice}`)
}

/** One section per heading, an operation with its source per line. */
export function sections(of: ReadonlyMap<string, readonly { name: string; source: string }[]>): string {
  const lines = [...of].flatMap(([heading, own]) => [
    heading,
    ...own.map(({ name, source }) => `  ${name.padEnd(40)} ${source}`),
  ])
  return `${lines.join('\n')}\n`
}
