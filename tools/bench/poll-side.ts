// One side of a poll: `ours` or `floor`, for a collector and a number of validators. A round is one poll.

import { type Compared, floors } from './floor.ts'
import { benchConfig, createPoll } from './poll.ts'
import { answer, measured } from './process.ts'
import { answerBody, benchValidators, NOW } from './validators.ts'

const [, , side, collector, count] = process.argv as [string, string, string, Compared, string]

const validators = benchValidators(Number(count))
const body = answerBody(validators, NOW)

function workOf(): () => unknown {
  if (side === 'ours') return createPoll(validators, body, collector).run
  const [network] = benchConfig(validators, collector).networks
  const names = new Map(validators.map(({ nodeId, name }) => [nodeId, name]))
  return () => floors[collector](body, names, network!, NOW)
}

const work = workOf()
answer(() => measured(work))
