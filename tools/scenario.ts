// Disturbs what runs and judges what it serves: npm run scenario -- NAME [--seed=S] and an option of its own. The same seed plans
// the same. Ends with 1 when a judge has found a violation.

import { parseArgs } from 'node:util'
import { month, WHOLE } from './scenarios/month.ts'
import { records } from './scenarios/records.ts'
import { type Outcome, play, type Scenario } from './scenarios/runner.ts'
import { weather } from './scenarios/weather.ts'

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** Of `weather` on its own clock. */
    minutes: { type: 'string', default: '60' },
    /** Of `month`. */
    days: { type: 'string', default: String(WHOLE.days) },
    /** Of `records`. */
    kills: { type: 'string', default: '500' },
  },
  allowPositionals: true,
})
const seed = Number(values.seed)

const played = async <Seen>(scenario: Scenario<Seen> | Promise<Scenario<Seen>>) =>
  play(await scenario, (line) => console.log(line))

const scenarios: Readonly<Record<string, () => Promise<Outcome>>> = {
  month: () => played(month({ ...WHOLE, days: Number(values.days) })),
  records: () => played(records({ kills: Number(values.kills), seed })),
  weather: () => played(weather({ minutes: Number(values.minutes), seed })),
}

const [name = ''] = positionals
if (!Object.hasOwn(scenarios, name)) throw new Error(`no such scenario; there are ${Object.keys(scenarios).join(', ')}`)
const outcome = await scenarios[name]!()
console.log(JSON.stringify(outcome))
// Whatever a broken connection has left behind, it is over.
process.exit(outcome.violations === 0 ? 0 : 1)
