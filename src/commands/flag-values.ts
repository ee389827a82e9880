// Parsers for the values of flags.

import { InvalidArgumentError, type Command } from 'commander'
import { parseDuration } from '../lib/duration.ts'
import { meantOr } from '../lib/suggestion.ts'

/** Reads a number whose text has this form. */
export function numberOf(form: RegExp, expected: string): (text: string) => number {
  return (text) => {
    if (form.test(text)) return Number(text)
    throw new InvalidArgumentError(expected)
  }
}

/** An error that names the word that was meant, if one is close. */
export function noSuch(thing: 'alert' | 'limit', name: string, known: readonly string[]): InvalidArgumentError {
  const advice = meantOr('docs/alerting.md lists them.', name, known)
  return new InvalidArgumentError(`There is no ${thing} ${name}; ${advice}`)
}

/** Reads a duration within these limits; all in milliseconds. */
export function durationOf(expected: string, least = 1, most = Infinity): (text: string) => number {
  return (text) => {
    const duration = parseDuration(text)
    if (duration !== undefined && duration >= least && duration <= most) return duration
    throw new InvalidArgumentError(expected)
  }
}

/** A flag that takes a duration: its help shows the default, which is in milliseconds, with a unit. */
export function durationFlag(
  command: Command,
  flag: string,
  about: string,
  parse: (text: string) => number,
  preset: number,
): Command {
  return command.addOption(
    command
      .createOption(`${flag} <duration>`, about)
      .argParser(parse)
      .default(preset, `${preset / 1_000}s`),
  )
}
