// doctor and a chain whose Prometheus has wrong rules, evaluates them wrongly, or does not send its alerts.

import { expect, test } from 'vitest'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { doctor } from './support/doctor.ts'
import { playCases } from './support/doctor-cases.ts'
import { isAboutRules, prometheusCases } from './support/doctor-prometheus.ts'

const chain = playCases(prometheusCases.filter(isAboutRules))

test('wrong flags of Prometheus', async () => {
  const { replica, alertmanager } = chain()
  const { code, findings } = await doctor(`--prometheus=${replica.url}`, `--alertmanager=${alertmanager.url}`)
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
  const { prometheus, alertmanager, grafana, healthy, load } = chain()
  const flags = [`--prometheus=${prometheus.url}`, `--alertmanager=${alertmanager.url}`, `--grafana=${grafana.url}`]
  await load({ ...healthy(), rules: rulesYaml({ limits: { ...thresholds, restarts: 5 } }) })
  expect(await doctor(...flags, '--limit=restarts=5')).toEqual({ code: 0, findings: [] })
  expect((await doctor(...flags)).findings).toMatchObject([
    { check: 'prometheus/rules', found: 'StakewatchDown was changed: it has 5 instead of 3' },
  ])
})
