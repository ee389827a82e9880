// What the status of a played daemon shows of alerts.

import { request } from 'undici'
import { type Labels, sortedLabels } from '../../src/lib/label-text.ts'
import { statusSchema } from '../../src/status/value/status-schema.ts'

/** Minutes after the start of a daemon in which it has not evaluated what it polled. */
const STARTING = 2

export const keyOf = (alert: string, labels: Labels) =>
  `${alert} ${JSON.stringify(sortedLabels(Object.entries(labels)))}`

/** Each instance has labels of its own. */
export const shownKey = (alert: string, { severity: _, instance, pod, job, ...labels }: Labels) => keyOf(alert, labels)

interface Shows {
  /** Undefined while it is down. */
  address: string | undefined
  /** Minutes for which it has run. */
  age: number
}

/** The alerts that are shown, and whether each is firing. */
export type Shown = ReadonlyMap<string, boolean>

/** What daemons show; undefined while one of them is down or has just started. */
export async function shownBy(daemons: readonly Shows[]): Promise<Shown | undefined> {
  const shown = new Map<string, boolean>()
  for (const { address, age } of daemons) {
    if (address === undefined || age < STARTING) return undefined
    const { body } = await request(`http://${address}/api/v1/status`)
    const { alerts } = statusSchema.parse(await body.json())
    for (const { alert, labels, state } of alerts) {
      const key = shownKey(alert, labels)
      shown.set(key, shown.get(key) === true || state === 'firing')
    }
  }
  return shown
}
