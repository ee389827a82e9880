// Kills the daemon again and again with SIGKILL, at instants spread over the phases of a write, and starts it again on the
// same folder. `node tools/kill/kill.ts --kills=500 --seed=1` prints one line of figures, and ends with 1 when a counter was
// ever seen to fall, or differs in the end from what the simulated network has counted.

import { parseArgs } from 'node:util'
import { kill } from './rounds.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})
const { figures, wrong } = await kill({
  kills: Number(values.kills),
  seed: Number(values.seed),
  progress: (text) => process.stderr.write(`${text}\n`),
})
for (const one of wrong) process.stdout.write(`${one}\n`)
process.stdout.write(`${JSON.stringify(figures)}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
