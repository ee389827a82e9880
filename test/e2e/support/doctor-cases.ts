// Plays broken setups: doctor finds and names each, and what it advises repairs it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, doctor, startChain } from './doctor.ts'
import type { Case } from './doctor-prometheus.ts'

/** Gives the chain once the tests run. */
export function playCases(cases: readonly Case[]): () => Chain {
  let chain: Chain
  beforeAll(async () => {
    chain = await startChain()
  }, 90_000)
  afterAll(() => chain?.end())
  const healthy = { code: 0, findings: [] }
  const ask = async () =>
    doctor(
      `--prometheus=${chain.prometheus.url}`,
      `--alertmanager=${chain.alertmanager.url}`,
      `--grafana=${chain.grafana.url}`,
    )

  test('the setup of the documentation has no finding', async () => {
    expect(await ask()).toEqual(healthy)
  })

  test.each(cases.map((one) => [one.what, one] as const))('%s', async (_what, { check, level, found, fix, ...one }) => {
    await one.break(chain)
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
    await one.repair(chain, fix.exec(first!.fix!)!)
    expect(await ask()).toEqual(healthy)
  })
  return () => chain
}
