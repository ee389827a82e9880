// Every query of the dashboards has an answer from the demo, scraped by a real Prometheus; and once stakewatch stands
// still or is gone, no tile says that all is well.

import { type VariableModel, VariableType } from '@grafana/grafana-foundation-sdk/dashboard'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboards } from '../../dashboards/src/all.ts'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { daemonMetrics } from '../../src/self/daemon-metrics.ts'
import { judgeMetrics } from '../../src/self/judge-metrics.ts'
import { createSelf } from '../../src/self/instance.ts'
import { configurationMetrics } from '../../src/self/known.ts'
import { filledIn, labelsOfQuery, labelValues, panelsOf, targetsOf, variablesOf } from '../dashboards/lint.ts'
import { colourOf } from '../dashboards/looks.ts'
import { startSink } from '../support/sink.ts'
import { isThere } from './support/browser.ts'
import { type Eyes, judge, openEyes } from './support/eyes.ts'
import { hastened, type Prometheus, startPrometheus } from './support/prometheus.ts'
import { stakewatch, type Started } from './support/processes.ts'
import { eventually, scrape } from './support/scrape.ts'

/** At a scrape every second. */
const RATE_INTERVAL = '15s'
/** As much as there will be. */
const RANGE = '5m'

/** The demo keeps nothing on disk and has no drills, and a block of one of its validators takes minutes to come. */
const isAbsent = (expr: string) => /stakewatch_(storage_|drill|validator_last_block_)/.test(expr)

const isSingle = ({ type, multi }: VariableModel) => type === VariableType.Query && !multi

const shown = Object.values(dashboards).flatMap((dashboard) =>
  targetsOf(dashboard).map(({ panel, query }) => ({
    name: `${dashboard.title}: ${panel.title} ${query.refId}`,
    panel,
    expr: filledIn(query.expr, RATE_INTERVAL, RANGE),
    /** Undefined where rows of a table are meant. */
    legend: query.legendFormat,
    /** Labels of which each panel shows one value at a time. */
    apart: [
      panel.repeat,
      ...variablesOf(dashboard)
        .filter(isSingle)
        .map((variable) => variable.name),
    ],
  })),
)
const queries = shown.filter(({ expr }) => !isAbsent(expr))
const tiles = shown.filter(({ panel }) => panel.type === 'stat')

const variables = Object.values(dashboards)
  .flatMap(variablesOf)
  .flatMap((variable) => {
    const asked = labelValues(variable)
    return asked === undefined ? [] : [{ name: variable.name, ...asked }]
  })

/** Seconds until the slowest of them has an answer, on a busy machine: a message has to arrive while Prometheus is looking. */
const PATIENCE = 240
/** Of the alerts: what waits for a quarter of an hour fires after two seconds. */
const HASTE = 600

describe('the dashboards', () => {
  let demo: Started
  let metricsUrl: string
  let prometheus: Prometheus | undefined
  let deadline: number
  let eyes: Eyes | undefined

  beforeAll(async () => {
    if (isThere) eyes = await openEyes()
    // In this network it is one of the first minute.
    demo = stakewatch('demo', '--seed=2', '--web.listen-address=127.0.0.1:0')
    metricsUrl = await demo.said(/metrics: +(\S+)/)
    prometheus = await startPrometheus(metricsUrl, hastened(rulesYaml(), HASTE))
    deadline = performance.now() + PATIENCE * 1_000
  })

  afterAll(async () => {
    await eyes?.close()
    await prometheus?.end()
    await demo.end()
  })

  test.each(queries)(
    '$name has data, each series under a name of its own',
    async ({ name, panel, expr, legend, apart }) => {
      const hasData = (found: readonly { value: number }[]) => found.some(({ value }) => !Number.isNaN(value))
      const series = await eventually(name, async () => {
        const found = await prometheus!.query(expr)
        return (hasData(found) || performance.now() > deadline) && found
      })
      expect(hasData(series)).toBe(true)
      const names = series.map(({ labels }) =>
        [legend ?? '', ...apart.map((label) => `{{${label}}}`)]
          .join(' ')
          .replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? ''),
      )
      const repeated = names.filter((one, at) => legend !== undefined && names.indexOf(one) !== at)
      expect({ repeated, isOne: series.length === 1 || panel.type !== 'stat' }).toEqual({ repeated: [], isOne: true })
    },
  )

  test.each(variables)('the variable $name has values', async ({ selector, label }) => {
    const values = await prometheus!.query(`group by (${label}) (${filledIn(selector, RATE_INTERVAL)})`)
    expect(values.map(({ labels }) => labels[label])).not.toContain(undefined)
    expect(values.length).toBeGreaterThan(0)
  })

  test('each alert that fires has its severity and a link to its page', async () => {
    const [{ expr }] = queries.filter(({ panel }) => panel.title === 'What fires now') as [(typeof queries)[number]]
    const firing = async () => (await prometheus!.query(expr)).map(({ labels }) => labels)
    // In this network a balance has run out, which is about a validator.
    const isOfBalance = ({ alertname, validator, page }: Record<string, string>) =>
      alertname!.startsWith('StakewatchL1') && validator !== 'All' && page === 'stakewatch-validator'
    await eventually('the alert about a balance fires', async () => (await firing()).some(isOfBalance))
    const pages = Object.values(dashboards).map(({ uid }) => uid)
    const strange = (await firing()).filter(
      ({ severity, page }) => !/^[123]$/.test(severity!) || !pages.includes(page!),
    )
    expect(strange).toEqual([])
  })

  /** What a query gives; of one without an answer in the demo a series with its labels. */
  async function answerOf(expr: string) {
    const asked = filledIn(expr, RATE_INTERVAL, RANGE)
    if (!isAbsent(asked)) return prometheus!.query(asked)
    return [{ labels: Object.fromEntries([...labelsOfQuery(expr)].map((label) => [label, label])), value: 0 }]
  }

  test.skipIf(!isThere).each(Object.entries(dashboards))(
    '%s looks right in Grafana, with what is there and with extreme values',
    async (_, dashboard) => {
      const panels = await Promise.all(
        panelsOf(dashboard).map(async (panel) => {
          const targets = targetsOf(dashboard).filter((one) => one.panel === panel)
          const answers = targets.map(async ({ query }) => [query.refId, await answerOf(query.expr)] as const)
          return { panel, answers: Object.fromEntries(await Promise.all(answers)) }
        }),
      )
      expect(await judge(eyes!, panels)).toEqual([])
    },
  )

  /** Tiles that are green a quarter of an hour later. */
  async function green(of: Prometheus, time: number): Promise<string[]> {
    const all = await Promise.all(
      tiles.map(async ({ name, panel, expr }) => {
        const [first] = await of.query(expr, time)
        return { name, colour: colourOf(panel, first?.value) }
      }),
    )
    return all.filter(({ colour }) => colour === 'green').map(({ name }) => name)
  }

  test('are not green while stakewatch answers and polls nothing', async () => {
    const text = atStandstill(await scrape(metricsUrl))
    const server = await startSink((_request, _body, response) => {
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(text)
    })
    const other = await startPrometheus(`${server.url}/metrics`)
    try {
      await eventually('it is scraped', async () => (await other.query('up == 1')).length === 1)
      expect(await green(other, Date.now() / 1_000)).toEqual([])
    } finally {
      await other.end()
      await server.end()
    }
  })

  test('are not green a quarter of an hour after stakewatch was last there', async () => {
    await demo.end()
    await eventually('it is gone', async () => (await prometheus!.query('up == 0')).length === 1)
    expect(await green(prometheus!, Date.now() / 1_000 + 900)).toEqual([])
  })
})

/** What stays of an exposition when the scheduler has stood still for a quarter of an hour: what does not expire. Verdicts are withheld. */
function atStandstill(exposition: string): string {
  const withheld = new Set<string>(judgeMetrics.map(({ name }) => name))
  const kept = new Set(
    [...configurationMetrics, ...daemonMetrics, ...createSelf('').metrics]
      .map(({ name }) => name)
      .filter((name) => !withheld.has(name)),
  )
  return exposition
    .split('\n')
    .filter((line) => {
      const [, name = ''] = /^(?:# \w+ )?(\w+)/.exec(line) ?? []
      return kept.has(name.replace(/_(bucket|sum|count)$/, '')) || kept.has(name)
    })
    .map((line) =>
      line
        .replace(/^(stakewatch_scheduler_stalled(?:\{.*\})?) 0$/, '$1 1')
        .replace(
          /^(stakewatch_collector_last_success_timestamp_seconds\{.*\}) (\S+)$/,
          (_, series: string, at: string) => `${series} ${Number(at) - 900}`,
        ),
    )
    .join('\n')
    .concat('\n')
}
