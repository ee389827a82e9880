// A real Alertmanager with the example configuration, and the receivers that it notifies.

import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { parseDuration } from '../../../src/lib/duration.ts'
import { startSink } from '../../support/sink.ts'
import { start, temporaryFolder } from './processes.ts'

export const example = new URL('../../../alerts/alertmanager.example.yml', import.meta.url).pathname

/** What Alertmanager posts to a webhook, as far as it matters here. */
export interface Notification {
  receiver: string
  groupKey: string
  groupLabels: Record<string, string>
  alerts: {
    status: 'firing' | 'resolved'
    labels: Record<string, string>
    annotations: Record<string, string>
    fingerprint: string
  }[]
}

interface Alertmanager {
  /** host:port */
  address: string
  end(): Promise<void>
}

export const exampleText = readFileSync(example, 'utf8')

/**
 * Every receiver is a webhook here; `hear` is called for each notification. A minute takes `minute` milliseconds. `config`
 * is the example or a variant of it.
 */
export async function startAlertmanager(
  minute: number,
  hear: (notification: Notification) => void,
  config: string = exampleText,
): Promise<Alertmanager> {
  const receivers = await startSink((_, body, response) => {
    hear(JSON.parse(body) as Notification)
    response.end()
  })
  const folder = await temporaryFolder()
  const file = join(folder.path, 'alertmanager.yml')
  await writeFile(file, hastened(config, `${receivers.url}/`, minute))
  const alertmanager = start('prometheus-alertmanager', [
    `--config.file=${file}`,
    `--storage.path=${join(folder.path, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
    '--cluster.listen-address=',
  ])
  async function end() {
    await alertmanager.end()
    await receivers.end()
    await folder.remove()
  }
  try {
    return { address: await alertmanager.said(/msg="Listening on" address=(\S+)/), end }
  } catch (error) {
    await end()
    throw error
  }
}

interface Receiver {
  name: string
  [configs: string]: unknown
}

/** The configuration with a webhook in place of each receiver, and each of its times scaled. */
function hastened(config: string, url: string, minute: number): string {
  const scaled = (_: unknown, key: string, time: string) =>
    `${key}: ${Math.ceil((parseDuration(time)! * minute) / 60_000)}ms`
  const faster = config.replace(/(\w+_(?:wait|interval|timeout)): (\w+)/g, scaled)
  const parsed = parse(faster, { merge: true }) as { receivers: Receiver[] }
  const receivers = parsed.receivers.map(({ name, ...configs }) => {
    const given = Object.values(configs).flat() as { send_resolved?: boolean }[]
    return { name, webhook_configs: given.map(({ send_resolved = true }) => ({ url, send_resolved })) }
  })
  return stringify({ ...parsed, receivers })
}
