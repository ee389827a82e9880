// query: calls any read-only operation of the documented APIs. And any command with operations as subcommands, which lists them alone.

import type { Command } from 'commander'
import { operations } from '../../operations/index.ts'
import type { Io } from '../io.ts'
import { answering } from './query-answer.ts'
import { meantOr } from '../../lib/suggestion.ts'

/** An `action` causes work for others, so it asks for confirmation. */
const offered = operations.filter(({ effect }) => effect !== 'change')

export function query(program: Command, io: Io): void {
  const about = 'ask an upstream one operation of its documents; alone it lists the operations'
  const command = operationGroup(program, 'query', about, listing, io)
  for (const operation of offered) answering(command.command(operation.name), operation, io)
}

function listing(): string {
  return sections(
    Map.groupBy(offered, ({ service, effect }) => (effect === 'read' ? service : `${service}, asks first`)),
  )
}

/** Shown after the help of the group and of each operation. */
const ACCOUNT =
  '\nNo budget bounds these requests, and a running daemon does not count them in the budget that it keeps.'

/** A command with operations as subcommands; without one, it lists them. */
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
  const advice = meantOr(`stakewatch ${group.name()} lists what there is`, word, group.commands.flatMap(namesOf))
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
