// Gives every parser of outside data changed and random inputs: `npm run fuzz -- --cases=N --seed=S --only=NAME`.
// The same seed gives the same inputs. Ends with 1 when a promise is broken, or when a file has branches that are not
// taken.

import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Covered } from './fuzz/coverage.ts'
import { coverageTable, isEnough, parserTable } from './fuzz/tables.ts'
import type { Figures } from './fuzz/parser.ts'
import type { Order, Report } from './fuzz/worker.ts'

/** A few hundred cases take less (milliseconds). */
const STUCK = 180_000
const MEGABYTES = 2_048

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const order: Order = { cases: Number(values.cases), seed: Number(values.seed), only: values.only }

const figures: Figures[] = []
let covered: readonly Covered[] = []
let at = 'loading'

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./fuzz/worker.ts', import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    })
    const stuck = () => reject(new Error(`a case does not end: ${at}, seed ${order.seed}`))
    let timer = setTimeout(stuck, STUCK)
    worker.on('message', (report: Report) => {
      clearTimeout(timer)
      timer = setTimeout(stuck, STUCK)
      // Nothing else limits memory outside of the heap, such as buffers and databases.
      const megabytes = process.memoryUsage.rss() / 2 ** 20
      if (megabytes > MEGABYTES)
        reject(new Error(`the process has ${megabytes.toFixed(0)} MB: ${at}, seed ${order.seed}`))
      if ('figures' in report) {
        figures.push(report.figures)
        process.stderr.write(`${report.figures.name}: ${report.figures.cases} cases\n`)
      } else if ('covered' in report) covered = report.covered
      else at = `${report.at}, after ${report.cases} cases`
    })
    worker.on('error', (error) => reject(new Error(`${String(error)}: ${at}, seed ${order.seed}`)))
    worker.on('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const started = performance.now()
await run()
const seconds = (performance.now() - started) / 1_000
process.stdout.write(`${parserTable(figures)}\n\n${coverageTable(covered)}\n`)
const violations = figures.filter(({ violation }) => violation !== undefined)
for (const { name, violation } of violations) process.stdout.write(`\n${name}: ${violation}\n`)
// One parser alone takes no branches of the others.
const poor = covered.filter((one) => !isEnough(one) && (order.only === '' || one.taken > 0))
for (const { file, missed } of poor)
  process.stdout.write(`\n${file}: branches never taken on lines ${missed.join(', ')}\n`)
const total = figures.reduce((sum, { cases }) => sum + cases, 0)
process.stdout.write(
  `\n${total} cases in ${seconds.toFixed(0)} s, ${violations.length} violations, ${poor.length} files below 95 %\n`,
)
process.exit(violations.length + (order.only === '' ? poor.length : 0) > 0 || figures.length === 0 ? 1 : 0)
