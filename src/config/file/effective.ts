// The effective configuration in the form of a configuration file, with defaults and presets, and with masked secrets.

import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { z } from 'zod'
import { formatDuration, parseDuration } from '../../lib/duration.ts'
import { isSecret, type Secret } from '../../lib/secret.ts'
import { type Item, listOf, mapOf } from '../checks/clash.ts'
import { duration, timeText as writtenTime } from '../forms.ts'
import { itemOf, keysOf, unwrap, valueOf } from './keys.ts'
import type { Loaded } from '../load.ts'
import { presetOf } from '../presets.ts'
import { joined } from './places.ts'
import { type Config, configSchema } from '../schema.ts'

/** A value, with its counterparts in the configuration file and in the preset of the network. */
interface Spot {
  value: unknown
  schema: z.ZodType | undefined
  /** As `showPath` writes it. */
  path: string
  written: unknown
  preset: unknown
}

/** The mask that exporters use for secrets. */
const MASK = '<secret>'

interface Shown extends Pick<Config, 'networks' | 'defaults'> {
  /** Settings by collector; durations in milliseconds. */
  collectors: Readonly<Record<string, Item | undefined>>
}

/** As a valid file, except that secrets are masked. */
export function shownConfig(config: Config): string {
  return effectiveDocument(config).toString({ lineWidth: 0 })
}

/** Keys whose defaults depend on the known network. */
const ofKnownNetworks = ['upgrade_time', 'l1_fee', 'delegation']

/** Each value with its origin. `settings`: the effective settings of each collector; durations in milliseconds. */
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

/** `written`: the values in the file, which are shown as written. `noteOf` returns the comment next to a value. */
function effectiveDocument(config: Shown, written?: unknown, noteOf?: (spot: Spot) => string): Document {
  function nodeOf(spot: Spot): Node {
    const { value } = spot
    if (Array.isArray(value) && value.length > 0) return listNodeOf(spot, value)
    if (isMap(value) && Object.keys(value).length > 0) return mapNodeOf(spot, value)
    const empty = Array.isArray(value) ? new YAMLSeq() : isMap(value) ? new YAMLMap() : undefined
    // As [] and {}.
    if (empty) empty.flow = true
    const node = empty ?? new Scalar(shown(spot))
    if (noteOf) node.comment = ` ${noteOf(spot)}`
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
        // Each network in the list may have a preset, whose values are all inside of that network.
        preset: path === 'networks' ? presetOf(mapOf(value)) : listOf(preset)[at],
      }),
    )
    return list
  }

  function mapNodeOf({ schema, path, written, preset }: Spot, values: Item): Node {
    const keys = schema && keysOf(schema)
    const named = schema && valueOf(schema)
    const map = new YAMLMap()
    // Derived values, such as the number of a network, are not keys.
    for (const key of keys?.keys() ?? Object.keys(values)) {
      const value = values[key]
      if (value === undefined) continue
      const own = mapOf(written)[key]
      const node = nodeOf({
        value,
        schema: keys?.get(key)?.schema ?? named,
        path: joined(path, key),
        written: own,
        // A list in the file replaces the list of the preset.
        preset: Array.isArray(own) ? undefined : mapOf(preset)[key],
      })
      map.items.push(new Pair(new Scalar(key), node))
    }
    return map
  }

  const networks = config.networks.map((network) => ({
    ...network,
    // The first subnet is the primary network, which files do not list.
    subnets: network.subnets.slice(1),
    maintenance: network.maintenance.map((window) => ({
      ...window,
      from: timeText(window.from),
      to: timeText(window.to),
    })),
  }))
  const schema = configSchema(Object.keys(config.collectors))
  const document = new Document()
  document.contents = nodeOf({ value: { ...config, networks }, schema, path: '', written, preset: undefined })
  return document
}

/** The value in file form. Values from the file are shown as written, except secrets. */
function shown({ value, written, schema }: Spot): unknown {
  if (isSecret(value)) return masked(value)
  const form = schema && unwrap(schema)
  const isAsWritten = form !== unwrap(duration) || parseDuration(String(written)) === value
  if (written !== undefined && isAsWritten) return written
  if (typeof value !== 'number' || !form) return value
  // A number that was written as text is a time or a duration.
  if (form === writtenTime) return timeText(value * 1_000)
  return form instanceof z.ZodString ? formatDuration(value) : value
}

/** Of milliseconds since the epoch. */
function timeText(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString().replace('.000Z', 'Z')
}

/** Shows scheme, host and port of a URL, and masks the rest. */
function masked(secret: Secret): string {
  const url = URL.parse(secret.reveal())
  // A key may look like a URL, and must not show as a host.
  if (!url || String(secret) !== url.host) return MASK
  const user = url.username === '' && url.password === '' ? '' : `${MASK}@`
  const rest = url.pathname === '/' && url.search === '' ? '' : `/${MASK}`
  return `${url.protocol}//${user}${url.host}${rest}`
}

/** A secret is an object too, but not a map. */
function isMap(value: unknown): value is Item {
  return mapOf(value) === value && !isSecret(value)
}
