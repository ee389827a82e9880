// One side of a poll: `ours` or `floor`, for a collector and a number of validators. A round is one poll.

import { answerRounds, timed } from '../side.ts'
import { type Compared, floors } from './floor.ts'
import { benchConfig, createPoll } from './poll.ts'
import { answerBody, benchValidators, NOW } from './validators.ts'

const [, , side, collector, count] = process.argv as [string, string, string, Compared, string]

const validators = benchValidators(Number(count))
const body = answerBody(validators)

function workOf(): () => unknown {
  if (side === 'ours') return createPoll(validators, body, collector).run
  const [network] = benchConfig(validators, collector).networks
  const names = new Map(validators.map(({ nodeId, name }) => [nodeId, name]))
  return () => floors[collector](body, names, network!, NOW)
}

const work = workOf()
answerRounds(async () => {
  const before = process.cpuUsage()
  const milliseconds = await timed(work)
  const { user, system } = process.cpuUsage(before)
  return { milliseconds, cpu: (user + system) / 1_000 }
})
