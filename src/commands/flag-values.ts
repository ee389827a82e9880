// Parsers for the values of flags. And --shard: the part of the configuration that this instance polls.

import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseDuration } from '../lib/duration.ts'
import { meantOr } from '../lib/suggestion.ts'
import { BaseError } from '../errors.ts'
import { type Shard, shardText, UNDIVIDED } from '../lib/shard.ts'

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

/** An empty one, as of a variable that is not set, would be the folder in which stakewatch was started. */
export function folderOf(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('Expected the path of a folder, such as /var/lib/stakewatch.')
}

export interface ShardFlag {
  shard?: { ordinal: number | 'auto'; shards: number }
}

export function shardFlag(): Option {
  return new Option(
    '--shard <i/n>',
    'divide the configuration among n instances: this one has part i, from 0; auto/n takes i from the end of the name of the pod of a StatefulSet, in POD_NAME or HOSTNAME (default: it has all)',
  )
    .argParser(parse)
    .helpGroup('Configuration:')
}

function parse(text: string): NonNullable<ShardFlag['shard']> {
  // A larger number is a mistake.
  const [, which = '', total = ''] = /^(\d{1,4}|auto)\/(\d{1,4})$/.exec(text) ?? []
  const shards = Number(total)
  if (shards < 1) throw new InvalidArgumentError('Expected i/n or auto/n, such as 0/4 for the first of four shards.')
  if (which === 'auto') return { ordinal: which, shards }
  if (Number(which) < shards) return { ordinal: Number(which), shards }
  throw new InvalidArgumentError(
    `Shards are counted from 0: expected ${shards === 1 ? '0/1' : `0/${shards} to ${shards - 1}/${shards}`}.`,
  )
}

/** Throws BaseError with code `config` if the name of the pod has no ordinal. */
export function shardOf({ shard }: ShardFlag, { env }: { env: Readonly<Record<string, string | undefined>> }): Shard {
  if (!shard) return UNDIVIDED
  const { ordinal, shards } = shard
  if (ordinal !== 'auto') return { ordinal, shards }
  const refusal = (why: string) => new BaseError('config', `--shard=auto/${shards}: ${why}`)
  const instead = `or name the shard itself, as in --shard=${shardText({ ordinal: 0, shards })}`
  const variable = ['POD_NAME', 'HOSTNAME'].find((one) => env[one])
  if (variable === undefined) throw refusal(`POD_NAME is not set: set it to the name of the pod, ${instead}`)
  const [, digits] = /-(\d+)$/.exec(env[variable]!) ?? []
  if (digits === undefined) {
    throw refusal(
      `${variable} is '${env[variable]}', which does not end in an ordinal as stakewatch-0 does: set POD_NAME to the name of a pod of a StatefulSet, ${instead}`,
    )
  }
  if (Number(digits) < shards) return { ordinal: Number(digits), shards }
  throw refusal(
    `pod ${env[variable]} is none of ${shards} shards, which are counted from 0: run ${shards} replicas, or let all of them know how many there are`,
  )
}
