// The objects that a command line names, as a maintenance window over them.

import { coveredLists } from '../../maintenance/window.ts'
import type { MaintenanceWindow } from '../../maintenance/window.ts'
import type { Config, Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { suggestionFor } from '../../lib/suggestion.ts'
import { coveredBy } from '../../maintenance/coverage.ts'

/** As a window names them: `validators`. */
type Key = keyof typeof coveredLists
const keys = Object.keys(coveredLists) as Key[]
/** As a command line names one: `validator`. */
const kindOf = (key: Key) => key.slice(0, -1)

/** Not a name that a configured window may have. */
export const THIS_SILENCE = 'this silence'

export interface Planned {
  network: Network
  window: MaintenanceWindow
}

interface Found {
  network: Network
  key: Key
  name: string
}

interface Times {
  from: number
  to: number
}

/** For each network of the names. Throws a BaseError with code `config`. */
export function windowsOver(
  names: readonly string[],
  { networks }: Config,
  { only, ...times }: Times & { only?: string | undefined },
): Planned[] {
  const among = only === undefined ? networks : networks.filter(({ name }) => name === only)
  if (among.length === 0) {
    throw new BaseError('config', `--network: expected one of ${networks.map(({ name }) => name).join(', ')}`)
  }
  const found = names.map((name) => theOne(name, among))
  return [...Map.groupBy(found, ({ network }) => network)].map(([network, all]) => ({
    network,
    window: windowOf(all, times),
  }))
}

/** `val-1`, or `validator/val-1` where a name has several kinds. */
function theOne(text: string, networks: readonly Network[]): Found {
  const [, ofKind, name = text] = /^(\w+)\/(.*)$/.exec(text) ?? []
  const all = networks.flatMap((network) =>
    keys.flatMap((key): Found[] => network[coveredLists[key][0]].map((one) => ({ network, key, name: one.name }))),
  )
  const found = distinct(all.filter((one) => one.name === name && (ofKind === undefined || kindOf(one.key) === ofKind)))
  const [first, other] = found
  if (first && !other) return first
  if (!first) {
    const known = [...new Set(all.map((one) => one.name))]
    const near = suggestionFor(name, known)
    const hint = near === undefined ? `there are ${known.join(', ')}` : `did you mean ${near}?`
    throw new BaseError('config', `${text} is no ${ofKind ?? 'validator, node, chain, subnet or wallet'} here; ${hint}`)
  }
  const inNetworks = [...new Set(found.map(({ network }) => network.name))]
  throw new BaseError(
    'config',
    inNetworks.length > 1
      ? `${text} is in several networks; give ${inNetworks.map((one) => `--network=${one}`).join(' or ')}`
      : `${text} is the name of several things; give ${found.map(({ key }) => `${kindOf(key)}/${name}`).join(' or ')}`,
  )
}

/** A validator and its node are the same machine, and may share their name. */
function distinct(found: readonly Found[]): Found[] {
  const coverage = (one: Found) =>
    JSON.stringify([one.network.name, coveredBy(windowOf([one], { from: 0, to: 1 }), one.network)])
  return [...new Map(found.toReversed().map((one) => [coverage(one), one])).values()].toReversed()
}

function windowOf(found: readonly Found[], times: Times): MaintenanceWindow {
  const named = keys.map(
    (wanted) => [wanted, found.filter(({ key }) => key === wanted).map(({ name }) => name)] as const,
  )
  return { name: THIS_SILENCE, timezone: 'UTC', grace: 0, ...times, ...Object.fromEntries(named) }
}
