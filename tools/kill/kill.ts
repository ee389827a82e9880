// Kills again and again with SIGKILL, at instants spread over the phases of a write, and starts again on the same folder.
// Prints one line of figures, and ends with 1 when anything saved was lost, a counter was ever seen to fall, or one differs
// from what the simulated network has counted. `--of=daemon` kills the whole daemon, `--of=records` a process that only
// writes, which is many times faster: npm run chaos:kill -- --of=records --kills=500 --seed=1
// With `--write` the figures go into those of docs/reliability.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { killRecords } from './records.ts'
import { kill } from './rounds.ts'

const { values } = parseArgs({
  options: {
    of: { type: 'string', default: 'daemon' },
    kills: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const [kills, seed] = [Number(values.kills), Number(values.seed)]
const { figures, wrong } =
  values.of === 'records'
    ? killRecords({ kills, seed })
    : await kill({ kills, seed, progress: (text) => process.stderr.write(`${text}\n`) })
for (const one of wrong) process.stdout.write(`${one}\n`)
process.stdout.write(`${JSON.stringify(figures)}\n`)
if (values.write) {
  const file = new URL('figures.json', import.meta.url)
  const before = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>
  const after = { ...before, [values.of]: { ...figures, wrong: wrong.length } }
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`)
}
process.exitCode = wrong.length === 0 ? 0 : 1
