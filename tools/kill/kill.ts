// Kills again and again with SIGKILL, at instants spread over the phases of a write, and starts again on the same folder.
// Prints one line of figures, and ends with 1 when anything saved was lost, a counter was ever seen to fall, or one differs
// from what the simulated network has counted. `--of=daemon` kills the whole daemon, `--of=records` a process that only
// writes, which is many times faster: npm run chaos:kill -- --of=records --kills=500 --seed=1

import { parseArgs } from 'node:util'
import { killRecords } from './records.ts'
import { kill } from './rounds.ts'

const { values } = parseArgs({
  options: {
    of: { type: 'string', default: 'daemon' },
    kills: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
})
const [kills, seed] = [Number(values.kills), Number(values.seed)]
const { figures, wrong } =
  values.of === 'records'
    ? await killRecords({ kills, seed })
    : await kill({ kills, seed, progress: (text) => process.stderr.write(`${text}\n`) })
for (const one of wrong) process.stdout.write(`${one}\n`)
process.stdout.write(`${JSON.stringify(figures)}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
