// npm run history: plays the last hours of the demo and writes them as blocks of Prometheus, so that its graphs begin with
// a past. An hour takes about 50 seconds of an idle processor. Needs the prometheus of a Linux distribution.

import { chmodSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { start, temporaryFolder } from '../test/e2e/support/processes.ts'
import { JOB } from '../src/alerts/groups.ts'
import { DEFAULT_PORT } from '../src/commands/io.ts'
import { type Past, playPast } from './history/play.ts'
import { createRequests, type Target } from './history/remote-write.ts'

const COMPOSE = fileURLToPath(new URL('../deploy/compose/', import.meta.url))

/** Writes the blocks into a folder; gives how many there are. */
export async function writeHistory(folder: string, target: Target, past: Omit<Past, 'take'>): Promise<number> {
  const temporary = await temporaryFolder()
  const config = join(temporary.path, 'prometheus.yml')
  writeFileSync(config, 'scrape_configs: []\n')
  const prometheus = start('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(temporary.path, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
    '--web.enable-remote-write-receiver',
    '--web.enable-admin-api',
  ])
  try {
    const api = `http://${await prometheus.said(/msg="Listening on" address=(\S+)/)}/api/v1`
    await prometheus.said(/msg="(Server is ready) to receive web requests/)
    const request = createRequests(target, past.since)
    await playPast({ ...past, take: (exposition, at) => post(`${api}/write`, request(exposition, at)) })
    const { data } = JSON.parse(await post(`${api}/admin/tsdb/snapshot`)) as { data: { name: string } }
    cpSync(join(temporary.path, 'data/snapshots', data.name), folder, { recursive: true })
    return readdirSync(folder).length
  } finally {
    await prometheus.end()
    await temporary.remove()
  }
}

async function post(url: string, body: Buffer = Buffer.of()): Promise<string> {
  const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }
  const answer = await fetch(url, { method: 'POST', body, headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
  return text
}

/** Prometheus runs as another user in its container, and writes next to the blocks. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o777)
  for (const one of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(one.parentPath, one.name), one.isDirectory() ? 0o777 : 0o666)
  }
}

/** Where deploy/compose has stakewatch. */
export const TARGET: Target = { job: JOB, instance: `stakewatch:${DEFAULT_PORT}` }

/** What compose.yml takes from its environment. */
export const environment = (flags: string) => `PROMETHEUS_DATA=./history\nSTAKEWATCH_COMMAND=demo ${flags}\n`

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: join(COMPOSE, 'history') },
      instance: { type: 'string', default: TARGET.instance },
      job: { type: 'string', default: TARGET.job },
    },
  })
  const [hours, seed] = [Number(values.hours), Number(values.seed)]
  if (!(hours > 0 && hours <= 24)) throw new Error('--hours: expected a number up to 24')
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed: expected a whole number from 0 on')
  const { job, instance, out } = values
  const since = Math.floor(Date.now() / 1_000 - hours * 3_600)
  rmSync(out, { recursive: true, force: true })
  const blocks = await writeHistory(
    out,
    { job, instance },
    {
      seed,
      since,
      until: () => Date.now() / 1_000,
      log: { info: () => {}, warn: (fields, message) => console.error(message, fields) },
    },
  )
  openToAll(out)
  const flags = `--seed=${seed} --since=${since}`
  if (out === join(COMPOSE, 'history')) writeFileSync(join(COMPOSE, '.env'), environment(flags))
  console.log(`${blocks} blocks are in ${out}. The demo that goes on from there: stakewatch demo ${flags}`)
}
