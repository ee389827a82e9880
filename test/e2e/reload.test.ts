// A daemon of two threads whose configuration is read again: on SIGHUP, over HTTP, and when a file has changed.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import { stakewatch, temporaryFolder } from './support/processes.ts'
import { eventually, scrape, seriesOf, valueOf } from './support/scrape.ts'

async function network(): Promise<Simulator> {
  const simulator = await startSimulator({
    seed: 1,
    epoch: Math.floor(Date.now() / 1_000),
    clock: () => performance.now() / 1_000,
    validators: 20,
    delegations: 40,
  })
  onTestFinished(() => simulator.stop())
  return simulator
}

/** One collector with a task for each node, and one that counts blocks. */
function configOf({ nodes, dataUrl, world }: Simulator, validators: number, more = ''): string {
  const tracked = [...world.validators.all.keys()].slice(2, 2 + validators)
  return `networks:
  - name: fuji
    nodes: [${nodes.map(({ name, url }) => `{ name: ${name}, url: "${url}" }`).join(', ')}]
    data_api: { url: "${dataUrl}", key_file: key }
    validators: [${tracked.map((id, at) => `{ node_id: ${id}, name: val-${at + 1} }`).join(', ')}]
    chains: [{ id: x-chain }, { id: c-chain }]
${more}`
}

async function daemon(simulator: Simulator, ...flags: readonly string[]) {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const write = (text: string) => writeFileSync(join(path, 'stakewatch.yml'), text)
  const writeKey = (key: string) => writeFileSync(join(path, 'key'), key)
  writeKey('first')
  write(configOf(simulator, 1))
  const running = stakewatch(
    `--config.file=${join(path, 'stakewatch.yml')}`,
    '--web.listen-address=127.0.0.1:0',
    ...flags,
  )
  onTestFinished(async () => void (await running.end()))
  const url = `http://${await running.said(/address=(\S+) .*msg=listening/)}`
  const metrics = () => scrape(`${url}/metrics`)
  const once = (what: string, holds: (text: string) => boolean) =>
    eventually(what, async () => {
      const text = await metrics()
      return holds(text) && text
    })
  return { running, url, write, writeKey, metrics, once }
}

const tracked = (text: string) =>
  seriesOf(text, 'stakewatch_validator_tracked').map(({ labels }) => labels['validator'])
const uptimes = (text: string) =>
  seriesOf(text, 'stakewatch_validator_uptime_ratio').map(({ labels }) => `${labels['validator']} ${labels['source']}`)
const runs = (text: string, collector: string) =>
  seriesOf(text, 'stakewatch_collector_runs_total', { collector, result: 'success' }).map(({ value }) => value)

describe('SIGHUP', () => {
  test('a validator that is added has series, and what was counted goes on', async () => {
    const simulator = await network()
    const { running, write, once } = await daemon(simulator)
    const before = await once(
      'all has been polled',
      (text) =>
        uptimes(text).length === 2 &&
        runs(text, 'primary-blocks').every((count) => count === 1) &&
        runs(text, 'primary-blocks').length === 2,
    )
    expect(tracked(before)).toEqual(['val-1'])
    const requests = (text: string) =>
      valueOf(text, 'stakewatch_upstream_requests_total', {
        source: 'node-a',
        operation: 'platform.getCurrentValidators',
        code: 'ok',
      })!

    write(configOf(simulator, 2))
    running.signal('SIGHUP')
    const after = await once('the second one has series', (text) => uptimes(text).length === 4)
    expect(tracked(after)).toEqual(['val-1', 'val-2'])
    // A run of each chain from the start: their tasks are the same as before.
    expect(runs(after, 'primary-blocks')).toEqual([1, 1])
    expect(requests(after)).toBeGreaterThan(requests(before))
    // The tasks of uptime have one more run, and count on.
    expect(runs(after, 'uptime')).toEqual([2, 2])
    expect(running.stderr()).toMatch(
      /trigger=SIGHUP kept=\d+ restarted=\d+ added=\d+ removed=0 msg="the configuration is reloaded"/,
    )
  })
})
