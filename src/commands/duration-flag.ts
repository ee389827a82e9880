// A flag that takes a duration: its help shows the default with a unit.

import type { Command } from 'commander'

/** `preset` is in milliseconds, as is what `parse` gives. */
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
