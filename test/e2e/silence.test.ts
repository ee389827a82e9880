// silence with a real daemon and a real Alertmanager: what it silences, and what still gets through.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAlertmanager } from './support/alertmanager.ts'
import { stakewatch, temporaryFolder } from './support/processes.ts'
import { program } from './support/release.ts'
import { eventually, scrape } from './support/scrape.ts'
import { seriesOf } from '../support/exposition.ts'
import { postJson } from '../support/post.ts'
import { startSmallNetwork } from './support/small-network.ts'

/** Ended in reverse, whatever happened. */
const endings: (() => Promise<unknown>)[] = []
/** Base addresses. */
let [manager, daemon] = ['', '']
let file: string
/** The node id of val-1. */
let nodeId: string

beforeAll(async () => {
  const folder = await temporaryFolder()
  endings.push(folder.remove)
  const simulator = await startSmallNetwork(endings)
  // The nodes of the simulator are validators.
  const [a, b] = simulator.nodes
  nodeId = a!.nodeId
  file = join(folder.path, 'stakewatch.yml')
  await writeFile(
    file,
    `networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "${a!.url}", node_id: ${a!.nodeId} }
      - { name: node-b, url: "${b!.url}", node_id: ${b!.nodeId} }
    validators: [{ node_id: ${a!.nodeId}, name: val-1 }]
`,
  )
  const running = stakewatch(`--config.file=${file}`, '--web.listen-address=127.0.0.1:0')
  endings.push(running.end)
  daemon = `http://${await running.said(/msg=listening address=(\S+)/)}`
  const alertmanager = await startAlertmanager(60_000, () => {})
  endings.push(alertmanager.end)
  manager = `http://${alertmanager.address}`
  await eventually(
    'the daemon knows how long the validator may be down: the node that is not the validator says it',
    async () => seriesOf(await scrape(`${daemon}/metrics`), 'stakewatch_validator_may_stop_seconds').length === 1,
  )
})
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

function silence(...flags: readonly string[]) {
  const args = [program, 'silence', `--alertmanager=${manager}`, ...flags]
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

/** The ids that are printed. */
const idsIn = (stdout: string) => stdout.split('\n').flatMap((line) => /^[0-9a-f-]{36}(?= )/.exec(line) ?? [])

interface Shown {
  labels: { alertname: string; node_id?: string }
  status: { state: string; silencedBy: string[] }
}

/** Posts an alert about a validator, and returns how Alertmanager treats it. */
async function stateOf(alertname: string, about: Readonly<Record<string, string>>) {
  const labels = { alertname, severity: 'critical', job: 'stakewatch', network: 'fuji', ...about }
  await postJson(`${manager}/api/v2/alerts`, [{ labels }])
  return eventually(`Alertmanager has decided on ${alertname}`, async () => {
    const all = JSON.parse(await scrape(`${manager}/api/v2/alerts`)) as Shown[]
    const found = all.find((one) =>
      Object.entries(labels).every(([label, value]) => Object(one.labels)[label] === value),
    )
    return found && found.status.state !== 'unprocessed' && found.status.state
  })
}

test('a silence over a validator: made, listed, and ended', async () => {
  const what = ['val-1', '--for=2h', '--comment=new disk']
  const made = await silence(`--config.file=${file}`, `--url=${daemon}`, ...what)
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' })
  const ids = idsIn(made.stdout)
  // The validator, the machine on all its subnets, and its node.
  expect(ids).toHaveLength(3)

  const val1 = { subnet: 'primary', node_id: nodeId, validator: 'val-1' }
  const val2 = { ...val1, node_id: 'NodeID-2', validator: 'val-2' }
  expect([
    await stateOf('StakewatchValidatorDisconnected', val1),
    await stateOf('StakewatchValidatorDisconnected', val2),
    await stateOf('StakewatchValidatorUnobserved', { node_id: nodeId, validator: 'val-1' }),
    await stateOf('StakewatchNodeUnhealthy', { source: 'node-a' }),
    await stateOf('StakewatchNodeUnhealthy', { source: 'node-b' }),
    // Money is never silent.
    await stateOf('StakewatchStakeEndsSoon', val1),
    await stateOf('StakewatchUnexpectedOutflow', { address: 'vault' }),
  ]).toEqual(['suppressed', 'active', 'suppressed', 'suppressed', 'active', 'active', 'active'])

  const listed = await silence('--list')
  expect([listed.code, idsIn(listed.stdout).toSorted()]).toEqual([0, ids.toSorted()])
  expect(listed.stdout).toMatch(
    new RegExp(`network="fuji", subnet="primary", node_id="${nodeId}"  Stakewatch.* more  new disk\n`),
  )
  expect(listed.stdout).toMatch(/network="fuji", source="node-a" {2}Stakewatch.* more {2}new disk\n/)

  for (const id of ids) {
    expect(await silence(`--expire=${id}`)).toEqual({ code: 0, stdout: `${id}  ended\n`, stderr: '' })
  }
  expect((await silence('--list')).stdout).toBe('no silence of stakewatch is active or pending\n')
  expect((await silence(`--expire=${ids[0]}`)).code).toBe(4)
  expect(await stateOf('StakewatchValidatorDisconnected', { ...val1, again: 'yes' })).toBe('active')
})
