// The command line. The modules of a command are loaded when it is called, so that the daemon does not hold the simulator.

import { Argument, Command, Option } from 'commander'
import { meantOr } from '../lib/suggestion.ts'
import { DEFAULT_COMMAND } from './default-command.ts'
import type { Io } from './io.ts'

const EXAMPLES = `
Examples:
  stakewatch demo                               watch a simulated network
  stakewatch watch --preset=mainnet --validator=NodeID-...
                                                watch a validator of yours, without a file
  stakewatch init --node-url=http://10.0.0.5:9650
                                                write stakewatch.yml for a node of yours
  stakewatch check --config.file=stakewatch.yml
  stakewatch --config.file=stakewatch.yml       watch your own validators`

type Add = (program: Command, io: Io) => void

/** In the order of the help, each in its own file. */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>> = {
  'Watch:': {
    serve: async () => (await import('./serve/serve.ts')).serve,
    watch: async () => (await import('./serve/watch.ts')).watch,
    top: async () => (await import('./top/top.ts')).top,
    silence: async () => (await import('./silence/silence.ts')).silence,
    once: async () => (await import('./serve/serve.ts')).once,
    report: async () => (await import('./report/report.ts')).report,
  },
  'Configure:': {
    init: async () => (await import('./init/init.ts')).init,
    check: async () => (await import('./check/check.ts')).check,
  },
  'Ask nodes and services:': {
    query: async () => (await import('./query/query.ts')).query,
    admin: async () => (await import('./admin/admin.ts')).admin,
  },
  'Look at a simulated network:': {
    demo: async () => (await import('./serve/demo.ts')).demo,
    simulate: async () => (await import('./serve/simulate.ts')).simulate,
  },
  'Check what is around it:': {
    doctor: async () => (await import('./doctor/doctor.ts')).doctor,
    drill: async () => (await import('./drill/drill.ts')).drill,
    backtest: async () => (await import('./backtest/backtest.ts')).backtest,
  },
  'Set up what is around it:': {
    alerts: async () => (await import('./alerts.ts')).alerts,
    catalogue: async () => (await import('./catalogue.ts')).catalogue,
    completion: async () => (await import('./completion/completion.ts')).completion,
  },
}

/** The help groups flags by the part before the dot. */
const headings: Readonly<Record<string, string>> = {
  config: 'Configuration:',
  web: 'Web:',
  storage: 'Storage:',
  log: 'Logs:',
}

/** The program with all commands, or only with the one that these words call. */
export async function createProgram(io: Io, words?: readonly string[]): Promise<Command> {
  const called = words && calledBy(words)
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
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading)
    for (const [name, load] of Object.entries(commands)) {
      if (called === undefined || called === name) (await load())(program, io)
    }
  }
  return help(program)
}

/** That of commander prints the help of the program for a command that does not exist, and reads one word alone. */
function help(program: Command): Command {
  const of = new Argument('[command...]', 'the command')
  // Not choices(), whose refusal has no advice.
  of.argChoices = program.commands.map((command) => command.name())
  program
    .helpCommand(false)
    .command('help')
    .description('print the help of a command')
    .helpOption(false)
    .addArgument(of)
    .action((words: readonly string[]) => words.reduce(innerOf, program).help())
  return program
}

function innerOf(command: Command, word: string): Command {
  const namesOf = (one: Command) => [one.name(), ...one.aliases()]
  const inner = command.commands.find((one) => namesOf(one).includes(word))
  return inner ?? refuse(command, word, command.commands.flatMap(namesOf))
}

/** Undefined if all commands are needed, or if it is unknown which one. */
function calledBy(words: readonly string[]): string | undefined {
  const [first = '-'] = words
  // The completion script lists every command.
  if (first === 'completion') return undefined
  if (!first.startsWith('-'))
    return Object.values(groups).some((commands) => Object.hasOwn(commands, first)) ? first : undefined
  return words.some((word) => word === '-h' || word === '--help') ? undefined : DEFAULT_COMMAND
}

function headingOf(item: Command | Option): string | undefined {
  if (!(item instanceof Option)) return undefined
  const [, prefix = ''] = /^--(\w+)\./.exec(item.long ?? '') ?? []
  return headings[prefix]
}

/** Error messages quote the input, and a URL may contain keys. */
function withoutAddresses(text: string): string {
  return text
    .replace(/(<url>' argument '(?:\w+:\/\/)?)[^]*(' is invalid)/, '$1***$2')
    .replace(/'([^']*?\w:\/\/)[^\n]*'/g, "'$1***'")
    .replace(/(but got \d+): .*/, '$1.')
}

/** Otherwise an unknown word goes to the default command, whose error would be misleading. */
function refuseUnknownCommand(program: Command): void {
  const [word = '-'] = program.args
  const names = program.commands.map((command) => command.name())
  if (!word.startsWith('-') && !names.includes(word)) refuse(program, word, names)
}

function refuse(command: Command, word: string, names: readonly string[]): never {
  const all = command.parent ? `the help of ${command.name()} says what there is` : `there are ${names.join(', ')}`
  return command.error(`error: unknown command '${word}'; ${meantOr(all, word, names)}`)
}
