// Plays broken setups around a daemon: doctor finds and names each, and what it advises repairs it.

import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { type Chain, doctor, startChain } from './support/doctor.ts'
import { alertmanagerCases } from './support/doctor-alertmanager.ts'
import { grafanaCases } from './support/doctor-grafana.ts'
import { type Case, prometheusCases } from './support/doctor-prometheus.ts'
import { eventually } from './support/scrape.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain?.end())

const healthy = { code: 0, findings: [] }
const ask = (...more: readonly string[]) =>
  doctor(`--prometheus=${chain.prometheus.url}`, `--alertmanager=${chain.alertmanager.url}`, ...more)

/** Grafana only where a case breaks it: all its dashboards are a third of what doctor reads. */
describe.each([
  ['Prometheus', prometheusCases, () => ask()],
  ['Alertmanager', alertmanagerCases, () => ask()],
  ['Grafana', grafanaCases, () => ask(`--grafana=${chain.grafana.url}`)],
])('%s', (_, cases, ask) => {
  test('as the documentation sets it up has no finding', async () => {
    await chain.load(chain.healthy())
    await chain.loadSender(chain.healthySender())
    expect(await ask()).toEqual(healthy)
  })

  /** What stands there already is not done again. */
  let broken: Case['break'] | undefined

  test.each(cases.map((one) => [one.what, one] as const))('%s', async (_what, { check, level, found, fix, ...one }) => {
    if (one.break !== broken) await one.break(chain)
    broken = one.break
    const { code, findings } = await ask()
    const [first] = findings.filter((finding) => finding.check === check && found.test(finding.found))
    expect(first, `in ${JSON.stringify(findings, undefined, 1)}`).toEqual({
      check,
      level,
      found: expect.any(String) as unknown,
      why: expect.stringMatching(/\.$/) as unknown,
      fix: expect.stringMatching(fix) as unknown,
    })
    expect(code).toBe(findings.some((finding) => finding.level === 'failed') ? 11 : 10)
    if (one.repair === undefined) return
    broken = undefined
    await one.repair(chain, fix.exec(first!.fix!)!)
    // A scrape that a busy machine delays is a finding until the next one.
    let said: Awaited<ReturnType<typeof ask>> | undefined
    await eventually('it is healthy', async () => isDeepStrictEqual((said = await ask()), healthy)).catch(() => {})
    expect(said).toEqual(healthy)
  })
})

test('wrong flags of Prometheus', async () => {
  await chain.loadSender(chain.healthySender())
  const { code, findings } = await doctor(
    `--prometheus=${chain.replica.url}`,
    `--alertmanager=${chain.alertmanager.url}`,
  )
  expect(findings).toEqual([
    {
      check: 'prometheus/retention',
      level: 'failed',
      found: 'Prometheus keeps 10m, and rules look back 15m',
      why: 'Rules look back further than what Prometheus keeps.',
      fix: 'start Prometheus with --storage.tsdb.retention.time=15d',
    },
    {
      check: 'prometheus/grace-period',
      level: 'warning',
      found: expect.stringMatching(
        /^--rules.alert.for-grace-period is 10m, longer than the `for` of \d+ of \d+ critical alerts$/,
      ) as unknown,
      why: expect.stringMatching(/each page resolves and comes again\.$/) as unknown,
      // With this flag, and the retention of 15d that is the default, the other Prometheus has no finding.
      fix: 'start Prometheus with --rules.alert.for-grace-period=1m',
    },
  ])
  expect(code).toBe(11)
})

test('rules that were printed with another limit are right if doctor knows it, and changed rules if not', async () => {
  await chain.load({ ...chain.healthy(), rules: rulesYaml({ limits: { ...thresholds, restarts: 5 } }) })
  expect(await ask('--limit=restarts=5')).toEqual(healthy)
  expect((await ask()).findings).toMatchObject([
    { check: 'prometheus/rules', found: 'StakewatchDown was changed: it has 5 instead of 3' },
  ])
})
