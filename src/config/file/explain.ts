// The effective configuration in the form of a configuration file: each value with its origin, and without secrets.

import type { Item } from '../checks/clash.ts'
import { effectiveDocument, type Spot } from './effective.ts'
import type { Loaded } from '../load.ts'

/** Keys whose defaults depend on the known network. */
const ofKnownNetworks = ['upgrade_time', 'l1_fee', 'delegation']

/** `settings`: the effective settings of each collector; durations in milliseconds. */
export function explained(
  { value: config, written, places, lineOf }: Loaded,
  file: string,
  settings: Readonly<Record<string, Item>>,
): string {
  function originOf({ path, preset }: Spot): string {
    const place = places.get(path)
    if (place) {
      const line = `${file}:${lineOf(place.offset)}`
      return place.from === 'configuration' ? line : `${place.from} ${place.by}, ${line}`
    }
    const [, at, key = ''] = /^networks\[(\d+)\]\.(\w+)/.exec(path) ?? []
    const network = config.networks[Number(at)]
    if (preset !== undefined) return `preset ${network?.preset}`
    return network && ofKnownNetworks.includes(key) ? `default of ${network.network}` : 'default'
  }

  const document = effectiveDocument({ ...config, collectors: settings }, written, originOf)
  document.commentBefore = ` ${file} as it takes effect. Secrets are shown as <secret>.`
  return document.toString({ lineWidth: 0 })
}
