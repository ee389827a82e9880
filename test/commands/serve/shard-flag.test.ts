import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { type ShardFlag, shardFlag, shardOf } from '../../../src/commands/flag-values.ts'

function flagsOf(text?: string): ShardFlag {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  command.addOption(shardFlag())
  return command.parse(text === undefined ? [] : [`--shard=${text}`], { from: 'user' }).opts()
}
const shard = (text?: string, env: Readonly<Record<string, string>> = {}) => shardOf(flagsOf(text), { env })

test.each([
  [undefined, 0, 1],
  ['0/1', 0, 1],
  ['0/4', 0, 4],
  ['3/4', 3, 4],
])('--shard=%s', (text, ordinal, shards) => {
  expect(shard(text)).toEqual({ ordinal, shards })
})

test.each([
  ['', 'Expected i/n or auto/n, such as 0/4 for the first of four shards.'],
  ['2', 'Expected i/n or auto/n'],
  ['-1/4', 'Expected i/n or auto/n'],
  ['1/0', 'Expected i/n or auto/n'],
  ['auto', 'Expected i/n or auto/n'],
  ['1.5/4', 'Expected i/n or auto/n'],
  ['1/4/', 'Expected i/n or auto/n'],
  ['4/4', 'Shards are counted from 0: expected 0/4 to 3/4.'],
  ['1/1', 'Shards are counted from 0: expected 0/1.'],
])('--shard=%s is refused, and the error names the flag', (text, why) => {
  expect(() => flagsOf(text)).toThrow('--shard')
  expect(() => flagsOf(text)).toThrow(why)
})

describe('--shard=auto/4', () => {
  test.each([
    ['the name of the pod', { POD_NAME: 'stakewatch-2', HOSTNAME: 'other-3' }, 2],
    ['the name of the host, which is that of the pod', { HOSTNAME: 'stakewatch-0' }, 0],
    ['a name with more numbers in it', { POD_NAME: 'watch-2-mainnet-13-3' }, 3],
    ['an empty name of the pod, which counts as none', { POD_NAME: '', HOSTNAME: 'stakewatch-1' }, 1],
  ])('reads the ordinal from %s', (_, env, ordinal) => {
    expect(shard('auto/4', env)).toEqual({ ordinal, shards: 4 })
  })

  test.each([
    [
      'no ordinal',
      {},
      '--shard=auto/4: POD_NAME is not set: set it to the name of the pod, or name the shard itself, as in --shard=0/4',
    ],
    [
      'the pod is none of a StatefulSet',
      { POD_NAME: 'stakewatch-7d4b9c' },
      "--shard=auto/4: POD_NAME is 'stakewatch-7d4b9c', which does not end in an ordinal as stakewatch-0 does: set POD_NAME to the name of a pod of a StatefulSet, or name the shard itself, as in --shard=0/4",
    ],
    [
      'there are more replicas than shards',
      { HOSTNAME: 'stakewatch-4' },
      '--shard=auto/4: pod stakewatch-4 is none of 4 shards, which are counted from 0: run 4 replicas, or let all of them know how many there are',
    ],
  ])('says what to do when %s', (_, env, message) => {
    expect(() => shard('auto/4', env)).toThrow(expect.objectContaining({ code: 'config', message }))
  })
})
