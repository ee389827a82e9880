// The turns of a tracked validator within the last week, as the judge remembers them.

import type { Readings } from '../../conditions/board.ts'
import type { Asked, Weeks } from '../../conditions/turns-week.ts'
import type { Network, Validator as Configured } from '../../config/schema.ts'
import { ofTurns } from './metric-names.ts'
import type { OwnReadings, TurnsOf } from './readings.ts'
import type { Turns } from './status-schema.ts'

interface About {
  network: Network
  validator: Configured
  own: OwnReadings
  readings: Readings
  turnsOf: TurnsOf
  now: number
}

export function turnsIn({ network, validator, own, readings, turnsOf, now }: About): Turns | null {
  const { subnet, node_id } = validator
  const current: Asked['current'] = (chain) => {
    const isContradicted = (readings.get(ofTurns.contradicted) ?? []).some(
      ({ labels, value }) => value === 1 && labels['network'] === network.name && labels['chain'] === chain,
    )
    const counterOf = (outcome: string) =>
      own.all(ofTurns.turns).find(({ labels }) => labels['chain'] === chain && labels['outcome'] === outcome)?.value
    const [made, missed] = [counterOf('made'), counterOf('missed')]
    return isContradicted || made === undefined || missed === undefined ? undefined : { made, missed }
  }
  const chains = network.chains.map(({ name }) => name)
  const weeks = turnsOf({ network: network.name, subnet, node_id }, { chains, current, now })
  return weeks && { ...named(weeks), chains: weeks.chains.map((one) => ({ chain: one.chain, ...named(one) })) }
}

const named = ({ made, missed, since, isWhole }: Omit<Weeks, 'chains'>) => ({
  made,
  missed,
  since_timestamp_seconds: since,
  whole_week: isWhole,
})
