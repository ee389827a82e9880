// --shard: the part of the configuration that this instance polls.

import { InvalidArgumentError, Option } from 'commander'
import { BaseError } from '../../errors.ts'
import { type Shard, shardText, UNDIVIDED } from '../../lib/shard.ts'
import type { Io } from '../io.ts'

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
export function shardOf({ shard }: ShardFlag, { env }: Pick<Io, 'env'>): Shard {
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
