// Parsers for the values of flags.

import { InvalidArgumentError, type Command } from 'commander'
import { parseDuration } from '../lib/duration.ts'

/** Reads a number whose text has this form. */
export function numberOf(form: RegExp, expected: string): (text: string) => number {
  return (text) => {
    if (form.test(text)) return Number(text)
    throw new InvalidArgumentError(expected)
  }
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
