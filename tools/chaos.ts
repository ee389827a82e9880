// Bad weather on purpose: npm run chaos -- --minutes=N --seed=S. The same seed plans the same faults. Exit code 1 when
// the oracle has found a violation.

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runChaos } from './chaos/run.ts'
import type { NetworkRole } from './chaos/setting.ts'

const networks: readonly NetworkRole[] = [
  { name: 'healthy', role: 'healthy' },
  { name: 'ash', role: 'honest' },
  { name: 'birch', role: 'honest' },
  { name: 'cedar', role: 'honest' },
  { name: 'elder', role: 'lying' },
  { name: 'fir', role: 'lying' },
]

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '20' },
    /** File for the figures. */
    figures: { type: 'string' },
  },
})

const [minutes, seed, speed] = [Number(values.minutes), Number(values.seed), Number(values.speed)]
const result = await runChaos({ minutes, seed, speed, networks, say: (line) => console.log(line) })
const { faults, scrapes, requests, violations, most, kills, jumps, byRule, figures } = result
const kinds = Object.values(figures).filter(({ times }) => times > 0).length
if (values.figures !== undefined)
  writeFileSync(values.figures, `${JSON.stringify({ seed, minutes, speed, ...result }, null, 2)}\n`)
console.log(`violations by rule: ${JSON.stringify(byRule)}`)
console.log(
  `slowest scrape ${Math.round(most.latency)} ms, at most ${Math.round(most.rss / 1024 ** 2)} MB and ${most.handles} handles; ${kills} kills, ${jumps} jumps of the clock`,
)
console.log(
  `chaos: seed ${seed}, ${minutes} minutes: ${faults} faults of ${kinds} kinds in ${requests} requests, ${scrapes} scrapes, ${violations} violations`,
)
process.exitCode = violations === 0 ? 0 : 1
