// A real Alertmanager with the example configuration, and the people whom it tells.

import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { parse, stringify } from 'yaml'
import { parseDuration } from '../../../src/lib/duration.ts'
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

/** Every receiver is a webhook here; `hear` is called for each notification. A minute takes `minute` milliseconds. */
export async function startAlertmanager(
  minute: number,
  hear: (notification: Notification) => void,
): Promise<Alertmanager> {
  const receivers = createServer((request, response) => {
    void json(request).then((body) => {
      hear(body as Notification)
      response.end()
    })
  })
  await new Promise<void>((resolve) => receivers.listen(0, '127.0.0.1', resolve))
  const folder = await temporaryFolder()
  const file = join(folder.path, 'alertmanager.yml')
  await writeFile(file, hastened(`http://127.0.0.1:${(receivers.address() as AddressInfo).port}/`, minute))
  const alertmanager = start('prometheus-alertmanager', [
    `--config.file=${file}`,
    `--storage.path=${join(folder.path, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
    '--cluster.listen-address=',
  ])
  async function end() {
    await alertmanager.end()
    await new Promise<void>((resolve) => {
      receivers.close(() => resolve())
      receivers.closeAllConnections()
    })
    await folder.remove()
  }
  try {
    return { address: await alertmanager.said(/msg="Listening on" address=(\S+)/), end }
  } catch (error) {
    await end()
    throw error
  }
}

/** The example with all of its webhooks at one address, and each of its times scaled. */
function hastened(url: string, minute: number): string {
  const scaled = (_: unknown, key: string, time: string) =>
    `${key}: ${Math.ceil((parseDuration(time)! * minute) / 60_000)}ms`
  const config = readFileSync(example, 'utf8').replace(/(\w+_(?:wait|interval|timeout)): (\w+)/g, scaled)
  const parsed = parse(config) as { receivers: { webhook_configs?: { url: string }[] }[] }
  for (const webhook of parsed.receivers.flatMap(({ webhook_configs: all = [] }) => all)) webhook.url = url
  return stringify(parsed)
}
