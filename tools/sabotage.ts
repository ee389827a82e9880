// Changes the conditions one by one and asks whether alerts/tests notice: node tools/sabotage.ts [WORDS]. A condition fires at once
// or after twice the time, a metric that it reads is not there, or it forgets what explains it, what keeps it quiet, or to hold what is
// unknown. Prints what no test notices. `WORDS` takes the changes with these words in their names.

import { isAbout, play, type RuleTest, seconds, testFiles, testsIn, type World } from '../test/alerts/play.ts'
import { type Condition, nameOf } from '../src/conditions/condition.ts'
import { conditions } from '../src/conditions/index.ts'

interface Sabotage {
  name: string
  alert: string
  world: World
}

interface Played {
  test: RuleTest
  evaluation: number
  text: string
}

/** The shortest first: most changes are noticed by the test of the one alert. */
const tests: readonly Played[] = testFiles()
  .flatMap((file) => {
    const { tests: all, evaluation_interval: evaluation = '1m' } = testsIn(file)
    return all.map((test) => ({ test, evaluation: seconds(evaluation), text: JSON.stringify(test) }))
  })
  .toSorted((a, b) => a.text.length - b.text.length)

/** Changes of the condition itself. */
function changesOf(condition: Condition): { name: string; changed: Condition }[] {
  const waits = condition.for
  return [
    { name: 'waits twice as long', changed: { ...condition, for: 2 * waits }, is: waits > 0 },
    { name: 'fires at once', changed: { ...condition, for: 0 }, is: waits > 0 },
    { name: 'waits', changed: { ...condition, for: 300 }, is: waits === 0 },
    ...(['explainedBy', 'quietFor', 'whenUnknown'] as const).map((name) => ({
      name: `without ${name}`,
      changed: { ...condition, [name]: undefined },
      is: condition[name] !== undefined,
    })),
  ].filter(({ is }) => is)
}

function sabotagesOf(condition: Condition): Sabotage[] {
  const { alert, reads } = condition
  const own = changesOf(condition).map(({ name, changed }) => ({
    name: `${nameOf(condition)} ${name}`,
    alert,
    world: { conditions: conditions.map((one) => (one === condition ? changed : one)) },
  }))
  const ofReads = [...new Set(reads)].map((metric) => ({
    name: `${nameOf(condition)} without ${metric}`,
    alert,
    world: { conditions, without: metric },
  }))
  return [...own, ...ofReads]
}

/** Whether a test about the alert fails. */
const isNoticed = ({ alert, world }: Sabotage): boolean =>
  tests.some(({ test, evaluation, text }) => {
    // A metric that no series of the test has is none that it misses.
    if (!isAbout(text.replaceAll('\\"', '"'), alert) || (world.without !== undefined && !text.includes(world.without)))
      return false
    return play(test, evaluation, (one) => one === alert, world).length > 0
  })

function main(): void {
  const [, , words = ''] = process.argv
  const all = conditions.flatMap(sabotagesOf).filter(({ name }) => name.includes(words))
  const unnoticed = all.filter((one) => {
    const is = !isNoticed(one)
    if (is) console.log(one.name)
    return is
  })
  console.log(`${all.length - unnoticed.length} of ${all.length} noticed`)
}

if (import.meta.main) main()
