// completion: prints a shell script that completes commands, flags and values, generated from the commands themselves. The scripts
// hold everything in tables, so that no key press starts the program.

import { Argument, type Command, type Option } from 'commander'
import { DEFAULT_COMMAND } from '../default-command.ts'
import type { Io } from '../io.ts'
import { ParameterFlag } from '../query/parameter-flags.ts'

export interface Place {
  /** Names of the commands that stand before it, with spaces between; empty for the program itself. */
  path: string
  /** What may be written; a flag with a value ends with `=`. */
  words: readonly { word: string; about: string }[]
  /** Of each flag with a value; an empty list where anything may be written. */
  values: readonly { flag: string; values: readonly string[] | 'file' | 'folder' }[]
}

export const scripts = { bash, zsh, fish } as const
export type Shell = keyof typeof scripts

/** Maximum length of a description, so that it fits next to the word that it describes. */
const LONGEST_ABOUT = 70

function bash(places: readonly Place[]): string {
  return `# Completion of stakewatch for bash.
${tables(places)}
_stakewatch() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" flag='' at word kind
  # bash makes three words of --flag=value.
  if [[ $cur == '=' ]]; then
    flag="\${COMP_WORDS[COMP_CWORD-1]}"; cur=''
  elif [[ \${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
    flag="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  at="$(_stakewatch_at "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  COMPREPLY=()
  if [[ -n $flag ]]; then
    kind="$(_stakewatch_values "$at" "$flag")"
    case "$kind" in
      @file|@folder)
        compopt -o filenames 2>/dev/null
        if [[ $kind == @file ]]; then kind=-f; else kind=-d; fi
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$kind" -- "$cur") ;;
      *) while IFS= read -r word; do [[ -n $word && $word == "$cur"* ]] && COMPREPLY+=("$word"); done <<< "$kind" ;;
    esac
    return 0
  fi
  while IFS=$'\\t' read -r word _; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
  done < <(_stakewatch_offered "$at" "$cur")
  # The value follows at once.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -F _stakewatch stakewatch
`
}

function zsh(places: readonly Place[]): string {
  return `#compdef stakewatch
# Completion of stakewatch for zsh.
${tables(places)}
_stakewatch() {
  local cur="\${words[CURRENT]}" at word about kind
  local -a plain open
  at="$(_stakewatch_at "\${(@)words[2,CURRENT-1]}")"
  if [[ $cur == --*=* ]]; then
    kind="$(_stakewatch_values "$at" "\${cur%%=*}")"
    compset -P 1 '*='
    case "$kind" in
      @file) _files ;;
      @folder) _files -/ ;;
      ?*) compadd -- "\${(@f)kind}" ;;
    esac
    return
  fi
  while IFS=$'\\t' read -r word about; do
    if [[ $word == *= ]]; then open+=("\${word//:/\\\\:}:$about"); else plain+=("\${word//:/\\\\:}:$about"); fi
  done < <(_stakewatch_offered "$at" "$cur")
  # The value of an open one follows at once.
  _describe -V stakewatch plain -- open -S ''
}
if [[ "\${funcstack[1]}" == _stakewatch ]]; then _stakewatch; else compdef _stakewatch stakewatch; fi
`
}

/** For all shells, in the words of any sh. */
function tables(places: readonly Place[]): string {
  const words = places.map(({ path, words }) =>
    printing(
      path,
      words.map(({ word, about }) => `${word}\t${short(about)}`),
    ),
  )
  const values = places.flatMap(({ path, values }) =>
    values.flatMap(({ flag, values: of }) => {
      const all = typeof of === 'string' ? [`@${of}`] : of
      return all.length === 0 ? [] : [printing(`${path} ${flag}`, all)]
    }),
  )
  return `# What may be written behind the commands $1: a word and what it is, on each line.
_stakewatch_words() {
  case "$1" in
${words.join('\n')}
  esac
}
# The values of the flag $2 behind the commands $1.
_stakewatch_values() {
  case "$1 $2" in
${values.join('\n')}
  esac
}
# The commands among the words that are given: no flags, and no values of flags.
_stakewatch_at() {
  local at='' word skip=''
  for word in "$@"; do
    if [ "$word" = '=' ]; then skip=1; continue; fi
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in
      -*) if _stakewatch_words "$at" | cut -f1 | grep -qxF -e "$word="; then skip=1; fi ;;
      *) if _stakewatch_words "$at" | cut -f1 | grep -qxF -e "$word"; then at="\${at:+$at }$word"; fi ;;
    esac
  done
  printf '%s' "$at"
}
# Flags are offered where one has been begun, and where there is nothing else.
_stakewatch_offered() {
  local all
  case "$2" in
    -*) _stakewatch_words "$1" | grep -e '^-' ;;
    *)
      all="$(_stakewatch_words "$1" | grep -v -e '^-')"
      if [ -n "$all" ]; then printf '%s\\n' "$all"; else _stakewatch_words "$1"; fi ;;
  esac
}`
}

/** A branch of a `case` that prints these lines. */
function printing(pattern: string, lines: readonly string[]): string {
  return `    ${quoted(pattern)}) printf '%s\\n' ${lines.map(quoted).join(' ')} ;;`
}

/** The tables are a script of sh, which fish has run. */
function fish(places: readonly Place[]): string {
  return `# Completion of stakewatch for fish.
function __stakewatch
  sh -c ${quotedForFish(`${tables(places)}\n"$@"`)} sh $argv
end
function __stakewatch_complete
  set -l before (commandline -opc)
  set -l cur (commandline -ct)
  set -l at (__stakewatch _stakewatch_at $before[2..-1])
  if string match -qr -- '^--[^=]+=' $cur
    set -l flag (string replace -r '=.*' '' -- $cur)
    for value in (__stakewatch _stakewatch_values "$at" $flag)
      switch $value
        case @file
          __fish_complete_path (string replace -r '^[^=]+=' '' -- $cur) | string replace -r -- '^' "$flag="
        case @folder
          __fish_complete_directories (string replace -r '^[^=]+=' '' -- $cur) | string replace -r -- '^' "$flag="
        case '*'
          printf '%s\\n' "$flag=$value"
      end
    end
    return
  end
  __stakewatch _stakewatch_words "$at"
end
complete -c stakewatch -f -a '(__stakewatch_complete)'
`
}

/** The first part of a description, without characters that would end a table row. */
function short(about: string): string {
  const [first = ''] = about.split(/;| \(|[\t\n]/, 1)
  return first.length > LONGEST_ABOUT ? `${first.slice(0, LONGEST_ABOUT - 3)}...` : first
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}

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

function valuesOf(option: Option): readonly string[] | 'file' | 'folder' {
  const { flags, argChoices = option instanceof ParameterFlag ? option.values : undefined } = option
  if (argChoices) return argChoices
  const [, kind] = /<(file|folder)>/.exec(flags) ?? []
  return (kind as 'file' | 'folder' | undefined) ?? []
}
