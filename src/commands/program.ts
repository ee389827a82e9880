// The command line as a whole.

import { Command, Option } from 'commander'
import { suggestionFor } from '../lib/suggestion.ts'
import { admin } from './admin.ts'
import { alerts } from './alerts.ts'
import { catalogue } from './catalogue.ts'
import { check } from './check.ts'
import { completion } from './completion.ts'
import { demo } from './demo.ts'
import { init } from './init.ts'
import type { Io } from './io.ts'
import { once } from './once.ts'
import { query } from './query.ts'
import { serve } from './serve.ts'
import { simulate } from './simulate.ts'
import { top } from './top.ts'
import { watch } from './watch.ts'

const EXAMPLES = `
Examples:
  stakewatch demo                               watch a simulated network
  stakewatch watch --preset=mainnet --validator=NodeID-...
                                                watch a validator of yours, without a file
  stakewatch init --node-url=http://10.0.0.5:9650
                                                write stakewatch.yml for a node of yours
  stakewatch check --config.file=stakewatch.yml
  stakewatch --config.file=stakewatch.yml       watch your own validators`

/** As the help lists them. */
const groups = [
  ['Watch:', [serve, watch, top, once]],
  ['Configure:', [init, check]],
  ['Ask nodes and services:', [query, admin]],
  ['Look at a simulated network:', [demo, simulate]],
  ['Set up what is around it:', [alerts, catalogue, completion]],
] as const

/** Flags are grouped by what stands before the dot. */
const headings: Readonly<Record<string, string>> = {
  config: 'Configuration:',
  web: 'Web:',
  storage: 'Storage:',
  log: 'Logs:',
}

export function createProgram(io: Io): Command {
  const program = new Command('stakewatch')
    .description('Prometheus exporter for validators and chains')
    .version(io.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .configureHelp({
      groupItems: (_, visible, groupOf) => Map.groupBy(visible, (item) => headingOf(item) ?? groupOf(item)),
    })
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      outputError: (text, write) => write(withoutAddresses(text)),
    })
    .exitOverride()
    .showHelpAfterError('Run with --help for the usage.')
    .hook('preSubcommand', refuseUnknownCommand)
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading)
    for (const add of commands) add(program, io)
  }
  return program.helpCommand('help [command]', 'print the help of a command')
}

function headingOf(item: Command | Option): string | undefined {
  if (!(item instanceof Option)) return undefined
  const [, prefix = ''] = /^--(\w+)\./.exec(item.long ?? '') ?? []
  return headings[prefix]
}

/** A complaint quotes what was typed, and an address may hold keys. */
function withoutAddresses(text: string): string {
  return text.replace(/'([^']*?\w:\/\/)[^']*'/g, "'$1***'").replace(/(but got \d+): .*/, '$1.')
}

/** A word that names no command is passed to the default command, which would complain about something else. */
function refuseUnknownCommand(program: Command): void {
  const [word = '-'] = program.args
  const names = program.commands.map((command) => command.name())
  if (word.startsWith('-') || names.includes(word)) return
  const meant = suggestionFor(word, names)
  program.error(
    `error: unknown command '${word}'; ${meant ? `did you mean ${meant}?` : `there are ${names.join(', ')}`}`,
  )
}
