// A command that is followed by the name of an operation; alone it lists them.

import type { Command } from 'commander'
import { nearest } from '../lib/nearest.ts'
import type { Io } from './io.ts'

export function operationGroup(program: Command, name: string, about: string, listing: () => string, io: Io): Command {
  const group = program
    .command(name)
    .description(about)
    .usage('[operation] [options]')
    // What is left over is all of a line whose operation is unknown: its flags are unknown as well, and not the point.
    .argument('[words...]')
    .allowUnknownOption()
    .action(([word]: string[]) => (word === undefined ? io.stdout(listing()) : refuse(group, word)))
  return group
}

function refuse(group: Command, word: string): void {
  const names = group.commands.flatMap((command) => [command.name(), ...command.aliases()])
  const meant = nearest(word, names)
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
