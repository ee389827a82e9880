// completion: prints a shell script that completes commands, flags and values, generated from the commands themselves.

import { Argument, type Command, type Option } from 'commander'
import { DEFAULT_COMMAND } from '../default-command.ts'
import type { Io } from '../io.ts'
import { type Place, type Shell, scripts } from './completion-scripts.ts'

const EXAMPLES = `
Examples:
  source <(stakewatch completion bash)                     in ~/.bashrc
  source <(stakewatch completion zsh)                      in ~/.zshrc, after compinit
  stakewatch completion fish | source                      in ~/.config/fish/config.fish`

export function completion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('print a script that completes commands, flags and their values in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => io.stdout(scripts[shell](placesIn(program))))
}

/** The possible words after the command and each of its subcommands; `path` has the names from the program to it. */
function placesIn(command: Command, path: readonly string[] = []): Place[] {
  const help = command.createHelp()
  const inner = help.visibleCommands(command)
  const byDefault = path.length === 0 ? inner.filter((one) => one.name() === DEFAULT_COMMAND) : []
  const flags = [command, ...byDefault].flatMap((one) => help.visibleOptions(one))
  const known = [...new Map(flags.map((flag) => [flag.long, flag])).values()]
  const place: Place = {
    path: path.join(' '),
    words: [
      ...inner.map((one) => ({ word: one.name(), about: one.description() })),
      ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
        argChoices.map((word) => ({ word, about: description })),
      ),
      ...known.map((flag) => ({ word: `${flag.long}${takesValue(flag) ? '=' : ''}`, about: flag.description })),
    ],
    values: known.filter(takesValue).map((flag) => ({ flag: flag.long!, values: valuesOf(flag) })),
  }
  return [place, ...inner.flatMap((one) => placesIn(one, [...path, one.name()]))]
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

function valuesOf({ flags, argChoices }: Option): readonly string[] | 'file' | 'folder' {
  if (argChoices) return argChoices
  const [, kind] = /<(file|folder)>/.exec(flags) ?? []
  return (kind as 'file' | 'folder' | undefined) ?? []
}
