// Bad weather on purpose: npm run chaos -- --minutes=N --seed=S. The same seed plans the same faults. Exit code 1 when
// the oracle has found a violation.

import { parseArgs } from 'node:util'
import { runChaos } from './chaos/run.ts'
import { AMPLE, type NetworkRole, TIGHT } from './chaos/setting.ts'

const known: readonly NetworkRole[] = [
  { name: 'healthy', role: 'healthy', budget: AMPLE },
  { name: 'ash', role: 'honest', budget: AMPLE },
  { name: 'birch', role: 'honest', budget: TIGHT },
  { name: 'elder', role: 'lying', budget: AMPLE },
  { name: 'rowan', role: 'lying', budget: AMPLE },
]

const { values } = parseArgs({
  options: {
    /** Of the machine. */
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    /** How much faster the time of the run goes. On a machine with other work a lower speed is fairer. */
    speed: { type: 'string', default: '20' },
    /**
     * Which of them are watched. What a healthy one has must be there in time, so that a run with it needs a speed at which
     * the machine keeps up; without it there can be more faults.
     */
    networks: { type: 'string', default: known.map(({ name }) => name).join(',') },
    /** Regular expression: only kinds of the phases that it fits, so that each of them comes more often. */
    phases: { type: 'string', default: '' },
  },
})

const { phases } = values
const networks = known.filter(({ name }) => values.networks.split(',').includes(name))
const settings = { minutes: Number(values.minutes), seed: Number(values.seed), speed: Number(values.speed) }
const result = await runChaos({ ...settings, phases, networks, say: (line) => console.log(line) })
const { faults, scrapes, requests, violations, most, judged, events, byRule } = result
const times = Object.values(faults)
const total = times.reduce((sum, one) => sum + one, 0)

const megabytes = Math.round(most.rss / 1024 ** 2)
console.log(`violations by rule: ${JSON.stringify(byRule)}; events: ${JSON.stringify(events)}`)
console.log(`slowest scrape ${Math.round(most.latency)} ms, at most ${megabytes} MB and ${most.handles} handles`)
console.log(`whether it was in time was judged in ${Math.round(100 * judged)} % of the run`)
console.log(
  `chaos: seed ${settings.seed}, ${settings.minutes} minutes: ${total} faults of ${times.length} kinds in ${requests} requests, ${scrapes} scrapes, ${violations} violations`,
)
// Whatever a broken connection has left behind, the run is over.
process.exit(violations === 0 ? 0 : 1)
