// One side of a poll: `ours` or `floor`, for a collector and a number of validators. A round is one poll.

import { readFileSync } from 'node:fs'
import { answer } from '../process.ts'
import { measured } from '../side.ts'
import { type Compared, floors } from './floor.ts'
import { benchConfig, createPoll } from './poll.ts'
import { answerBody, benchValidators, NOW } from './validators.ts'

const [, , side, collector, count] = process.argv as [string, string, string, Compared, string]

const validators = benchValidators(Number(count))
const body = answerBody(validators, NOW)

function workOf(): () => unknown {
  if (side === 'ours') return createPoll(validators, body, collector).run
  const [network] = benchConfig(validators, { collectors: [collector] }).networks
  const names = new Map(validators.map(({ nodeId, name }) => [nodeId, name]))
  return () => floors[collector](body, names, network!, NOW)
}

const work = workOf()
const idle = process.memoryUsage.rss()
answer(
  {},
  {
    round: () => measured(work),
    /** Peak size of the process above its size before the first poll. */
    memory: () => ({ bytes: peak() - idle }),
  },
)

function peak(): number {
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))!
  return Number(kibibytes) * 1_024
}
