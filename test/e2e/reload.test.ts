// A daemon whose configuration is read again: on SIGHUP, over HTTP, and when a file has changed.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { stakewatch, temporaryFolder } from './support/processes.ts'
import { configOf, network } from './support/reloading.ts'
import { eventually, scrape } from './support/scrape.ts'
import { seriesOf, valueOf } from '../support/exposition.ts'

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
  const url = `http://${await running.said(/msg=listening address=(\S+)/)}`
  const metrics = () => scrape(`${url}/metrics`)
  const until = (what: string, holds: (text: string) => boolean) =>
    eventually(what, async () => {
      const text = await metrics()
      return holds(text) && text
    })
  return { running, url, write, writeKey, metrics, until }
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
    const { running, write, until } = await daemon(simulator)
    const before = await until(
      'all has been polled',
      (text) => uptimes(text).length === 2 && runs(text, 'primary-blocks').join() === '2',
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
    // The requests are published once a second, a little after what they brought.
    const after = await until(
      'the second one has series, and their requests are counted',
      (text) => uptimes(text).length === 4 && requests(text) > requests(before),
    )
    expect(tracked(after)).toEqual(['val-1', 'val-2'])
    // A run of each chain from the start: their tasks are the same as before.
    expect(runs(after, 'primary-blocks')).toEqual([2])
    // The tasks of uptime have one more run, and count on.
    expect(runs(after, 'uptime')).toEqual([2, 2])
    const line = running
      .stderr()
      .split('\n')
      .find((one) => one.includes('configuration reloaded'))
    expect(line).toMatch(/\btrigger=SIGHUP\b/)
    expect(line).toMatch(/\bremoved=0\b/)
  })
})

describe('POST /-/reload', () => {
  test('takes a new key from its file, and refuses a mistake without a word of the file', async () => {
    const simulator = await network()
    const { running, url, write, writeKey, metrics } = await daemon(simulator, '--web.enable-lifecycle')
    const reload = async () => {
      const answer = await fetch(`${url}/-/reload`, { method: 'POST' })
      return [answer.status, await answer.text()] as const
    }
    writeKey(SECRETS[0])
    const [status, text] = await reload()
    // All that asks the data service; the nodes are asked for uptime and the like without it.
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(
        /^The configuration is reloaded\. Tasks: [1-9]\d* unchanged, [1-9]\d* restarted, 0 added, 0 removed\.\n$/,
      ),
    ])
    write(`${configOf(simulator, 1)}${SECRETS[1]}: 1\ndefaults: { ttl: ${SECRETS[2]} }\n`)
    const [refused, why] = await reload()
    expect(refused).toBe(500)
    expect(why).toMatch(/stakewatch\.yml:\d+:\d+: .*defaults\.ttl: expected a number/s)
    const shown = await metrics()
    expect(valueOf(shown, 'stakewatch_config_last_reload_successful')).toBe(0)
    expect(tracked(shown)).toEqual(['val-1'])
    // The name of a key that does not exist is reported, or the operator would not find the mistake.
    for (const secret of [SECRETS[0], SECRETS[2]]) expect(why + shown + running.stderr()).not.toContain(secret)
  })
})

/** Of a key in a file, of a key of the configuration, and of a value. */
const SECRETS = ['hunter2-in-a-file', 'unknown_key', 'hunter2-as-a-value'] as const

test('a file that has changed is read by itself, where a flag says so', async () => {
  const simulator = await network()
  const { write, until } = await daemon(simulator, '--config.enable-auto-reload', '--config.auto-reload-interval=1s')
  await until('it has begun', (text) => tracked(text).length === 1)
  write(configOf(simulator, 2))
  await until('the second validator is watched', (text) => tracked(text).length === 2)
  write(`${configOf(simulator, 1)}nonsense: 1\n`)
  const refused = await until(
    'it is refused',
    (text) => valueOf(text, 'stakewatch_config_last_reload_successful') === 0,
  )
  expect(tracked(refused)).toEqual(['val-1', 'val-2'])
  write(configOf(simulator, 1))
  const taken = await until('it is taken', (text) => valueOf(text, 'stakewatch_config_last_reload_successful') === 1)
  expect(tracked(taken)).toEqual(['val-1'])
})
