// Wallets, routes and probes: does a source know them?

import type { Network, Wallet } from '../../../config/schema.ts'
import { amount } from '../../../lib/figures.ts'
import { ok, problem, unknown, type Verdict } from './verdict.ts'
import { asksAbout, type Seen, seriesOf, valueOf, whyUnknown } from './seen.ts'

/** The kinds of balances, and their collectors. */
const HOLDINGS = {
  balances: 'stakewatch_address_balance_tokens',
  'native-balances': 'stakewatch_address_native_balance_tokens',
  'node-balances': 'stakewatch_node_address_balance_tokens',
} as const
const USES = ['stakewatch_address_last_transaction_timestamp_seconds', 'stakewatch_address_stakes']

export function judgeWallet(seen: Seen, network: Network, { name }: Wallet): Verdict {
  const about = { network: network.name, address: name }
  const collectors = Object.keys(HOLDINGS) as (keyof typeof HOLDINGS)[]
  const asked = collectors.filter((collector) => asksAbout(seen, collector, about).length > 0)
  const failed = asked
    .flatMap((collector) => asksAbout(seen, collector, about))
    .find(({ status }) => status.result === 'failure')
  // The data service may report the balance too.
  const best = collectors
    .map((collector) => seriesOf(seen, HOLDINGS[collector], about))
    .find(({ length }) => length > 0)
  if (!best)
    return unknown(
      `its balance is unknown: ${failed?.status.reason ?? whyUnknown(seen, asked[0] ?? 'balances', about)}`,
    )
  const byChain = Map.groupBy(best, ({ labels }) => labels['chain'] ?? 'p-chain')
  const sums = [...byChain].map(([chain, held]) => [chain, held.reduce((sum, { value }) => sum + value, 0)] as const)
  const filled = sums.filter(([, sum]) => sum > 0)
  if (filled.length > 0) return ok(filled.map(([chain, sum]) => `${amount(sum)} on ${chain}`).join(', '))
  const uses = USES.flatMap((metric) => seriesOf(seen, metric, about))
  if (uses.some(({ value }) => value > 0)) return ok('is empty, and was used before')
  const isAsked = asksAbout(seen, 'transactions', about).some(({ status }) => status.result === 'success')
  return isAsked
    ? problem('was never used: no tokens, no transactions', 'is the address right?')
    : unknown('is empty; no source reports whether it was ever used', 'is the address right?')
}

export function judgeRoute(seen: Seen, network: Network, route: string): Verdict {
  const about = { network: network.name, route }
  const messages = seriesOf(seen, 'stakewatch_icm_messages', about)
  if (messages.length > 0) {
    const some = messages.filter(({ value }) => value > 0).map(({ labels, value }) => `${value} ${labels['state']}`)
    return ok(some.length === 0 ? 'no messages of late' : some.join(', '))
  }
  return unknown(`its messages are unknown: ${whyUnknown(seen, 'icm', about)}`)
}

export function judgeProbe(seen: Seen, network: Network, probe: string): Verdict {
  const about = { network: network.name, probe }
  const success = valueOf(seen, 'stakewatch_signature_aggregation_success', about)
  if (success === 1) return ok('enough validators sign it')
  if (success === 0) return problem('too few validators sign it', 'see L1MessagesUnsigned in the runbooks')
  return unknown(`was not tried: ${whyUnknown(seen, 'signature-probe', about)}`)
}
