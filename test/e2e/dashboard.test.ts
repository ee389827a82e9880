// Every query of the dashboards has an answer from the demo, scraped by a real Prometheus.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fleet from '../../dashboards/fleet.json' with { type: 'json' }
import wallets from '../../dashboards/wallets.json' with { type: 'json' }
import type { Dashboard } from '../../dashboards/src/dashboard.ts'
import { filledIn, labelValues, targetsOf, variablesOf } from '../dashboards/lint.ts'
import { type Prometheus, startPrometheus } from './support/prometheus.ts'
import { stakewatch, type Started } from './support/processes.ts'
import { eventually } from './support/scrape.ts'

const dashboards = [fleet, wallets] as unknown as Dashboard[]

/** At a scrape every second. */
const RATE_INTERVAL = '15s'
/** As much as there will be. */
const RANGE = '5m'

interface Asked {
  title: string
  expr: string
  /** Undefined where rows of a table are meant. */
  legend: string | undefined
  isTile: boolean
}

/** The demo keeps nothing on disk. */
const isOfStorage = ({ query }: { query: { expr: string } }) => query.expr.includes('stakewatch_storage_')

const shown = dashboards.flatMap(targetsOf).filter((target) => !isOfStorage(target))
const queries: Asked[] = shown.map(({ panel, query }) => ({
  title: `${panel.title} ${query.refId}`,
  expr: filledIn(query.expr, RATE_INTERVAL, RANGE),
  legend: query.legendFormat,
  isTile: panel.type === 'stat',
}))

const variables = dashboards.flatMap(variablesOf).flatMap((variable) => {
  const asked = labelValues(variable)
  return asked === undefined ? [] : [{ name: variable.name, ...asked }]
})

/** Seconds until the slowest of them has an answer: a message has to arrive while Prometheus is looking. */
const PATIENCE = 55

describe('the dashboards', () => {
  let demo: Started
  let prometheus: Prometheus | undefined
  let deadline: number

  beforeAll(async () => {
    // In this network it is one of the first minute.
    demo = stakewatch('demo', '--seed=2', '--web.listen-address=127.0.0.1:0')
    prometheus = await startPrometheus(await demo.said(/metrics: +(\S+)/))
    deadline = performance.now() + PATIENCE * 1_000
  }, 60_000)

  afterAll(async () => {
    await prometheus?.end()
    await demo.end()
  })

  test.each(queries)(
    '$title has data, each series under a name of its own',
    async ({ title, expr, legend, isTile }) => {
      const series = await eventually(
        title,
        async () => {
          const found = await prometheus!.query(expr)
          return found.some(({ value }) => !Number.isNaN(value)) && found
        },
        (deadline - performance.now()) / 1_000,
      )
      const names = series.map(({ labels }) =>
        (legend ?? '').replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? ''),
      )
      const repeated = names.filter((name, at) => legend !== undefined && names.indexOf(name) !== at)
      expect({ repeated, isOne: series.length === 1 || !isTile }).toEqual({ repeated: [], isOne: true })
    },
  )

  test.each(variables)('the variable $name has values', async ({ selector, label }) => {
    const values = await prometheus!.query(`group by (${label}) (${filledIn(selector, RATE_INTERVAL)})`)
    expect(values.map(({ labels }) => labels[label])).not.toContain(undefined)
    expect(values.length).toBeGreaterThan(0)
  })
})
