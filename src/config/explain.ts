// The configuration as it takes effect, in the form of a configuration file: each value with where it comes from, and
// without secrets.

import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { z } from 'zod'
import { formatDuration } from '../lib/duration.ts'
import type { Secret } from '../lib/secret.ts'
import { type Item, listOf, mapOf } from './clash.ts'
import { itemOf, keysOf, unwrap } from './keys.ts'
import type { Loaded } from './load.ts'
import { presets } from './presets.ts'
import { joined } from './read.ts'
import { configSchema } from './schema.ts'

/** A value, and what stands in its place in the configuration file and in the preset of the network. */
interface Spot {
  value: unknown
  schema: z.ZodType | undefined
  /** As `showPath` writes it. */
  path: string
  written: unknown
  preset: unknown
}

/** Keys of a network whose defaults are those of the known network that it is. */
const ofKnownNetworks = ['upgrade_time', 'l1_fee', 'delegation']

/** `settings`: those of each collector that exists, as they take effect; durations in milliseconds. */
export function explained(
  { config, written, places, lineOf }: Loaded,
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

  function nodeOf(spot: Spot): Node {
    const { value } = spot
    if (Array.isArray(value) && value.length > 0) return listNodeOf(spot, value)
    if (isMap(value) && Object.keys(value).length > 0) return mapNodeOf(spot, value)
    const empty = Array.isArray(value) ? new YAMLSeq() : isMap(value) ? new YAMLMap() : undefined
    // As [] and {}.
    if (empty) empty.flow = true
    const node = empty ?? new Scalar(shown(spot))
    node.comment = ` ${originOf(spot)}`
    return node
  }

  function listNodeOf({ schema, path, written, preset }: Spot, values: readonly unknown[]): Node {
    const list = new YAMLSeq()
    list.items = values.map((value, at) =>
      nodeOf({
        value,
        schema: schema && itemOf(schema),
        path: joined(path, at),
        written: listOf(written)[at],
        // In the list of networks, each may have a preset; all else that a preset has is inside of a network.
        preset: path === 'networks' ? presetOf(value) : listOf(preset)[at],
      }),
    )
    return list
  }

  function mapNodeOf({ schema, path, written, preset }: Spot, values: Item): Node {
    const keys = schema && keysOf(schema)
    const map = new YAMLMap()
    // What follows from other keys, such as the number of a network, is no key of its own.
    for (const key of keys?.keys() ?? Object.keys(values)) {
      const value = values[key]
      if (value === undefined) continue
      const own = mapOf(written)[key]
      const node = nodeOf({
        value,
        schema: keys?.get(key)?.schema,
        path: joined(path, key),
        written: own,
        // A list that is written replaces that of the preset.
        preset: Array.isArray(own) ? undefined : mapOf(preset)[key],
      })
      map.items.push(new Pair(new Scalar(key), node))
    }
    return map
  }

  const networks = config.networks.map((network) => ({
    ...network,
    // The first one is the primary network, which is not written.
    subnets: network.subnets.slice(1),
  }))
  const value = { ...config, networks, collectors: settings }
  const schema = configSchema(Object.keys(settings))
  const document = new Document()
  document.contents = nodeOf({ value, schema, path: '', written, preset: undefined })
  document.commentBefore = ` ${file} as it takes effect. Keys are shown as ***, and addresses as their hosts.`
  return document.toString({ lineWidth: 0 })
}

function presetOf(network: unknown): unknown {
  const { preset } = mapOf(network)
  return preset === undefined ? undefined : presets[preset as keyof typeof presets]
}

/** As the file would have it. What was written is shown as written, but for secrets. */
function shown({ value, written, schema }: Spot): unknown {
  if (isSecret(value)) return value.toString()
  if (written !== undefined) return written
  const form = schema && unwrap(schema)
  if (typeof value !== 'number' || !form) return value
  // Written as a text, a number is a time or a duration.
  if (form instanceof z.ZodISODateTime) return new Date(value * 1_000).toISOString().replace('.000Z', 'Z')
  return form instanceof z.ZodString ? formatDuration(value) : value
}

function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && 'reveal' in value
}

/** A secret is an object as well, but no map. */
function isMap(value: unknown): value is Item {
  return mapOf(value) === value && !isSecret(value)
}
