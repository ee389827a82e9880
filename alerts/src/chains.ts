// Alerts about chains: heads that stand still, sources that contradict each other.

import { type Group, HOLD, HOUR, latest, lastAsked, MINUTE } from './rule.ts'

/** Nodes have the newest blocks before the data service lists them. */
const MOST_AHEAD = 2
/** A head that is listed this late is late also on a chain that has a block every second. */
const MOST_LAG = 5 * MINUTE

/** How old the newest listed block was when the list was read. */
const primaryAge = `${lastAsked('primary-blocks', 'chain')} - ${latest('stakewatch_chain_head_timestamp_seconds')}`
const evmAge = `${lastAsked('evm-blocks', 'chain')} - ${latest('stakewatch_evm_head_timestamp_seconds')}`
/** Where nodes have blocks that the data service has not listed, the age of the newest listed one says nothing. */
const unlisted = `max without (source, instance, pod) (stakewatch_node_head_height) - ${latest('stakewatch_chain_head_height')} > ${MOST_AHEAD}`

const mismatches = ['balances', 'primary_blocks', 'stakes', 'transactions', 'utxos'].map(
  (collector) => `${latest(`stakewatch_${collector}_chain_mismatch`)} == 1`,
)

export const chains: Group = {
  name: 'stakewatch-chains',
  rules: [
    {
      alert: 'StakewatchChainStalled',
      severity: 'critical',
      // Of the C-Chain there may be both, and one that goes on is enough.
      expr: `(
    ${evmAge} <= ${primaryAge}
  or
    ${primaryAge}
  or
    ${evmAge}
) > ${latest('stakewatch_chain_stall_threshold_seconds')}
  unless on (job, network, chain) ${unlisted}`,
      for: 2 * MINUTE,
      hold: HOLD,
      summary: 'The chain has had no new block for longer than it may.',
      description:
        'The newest block of chain {{ $labels.chain }} of {{ $labels.network }} that the data service lists is {{ humanizeDuration $value }} old. No node tells of more than two later ones; where no node tells its height, it may be the data service that lags.',
    },
    {
      alert: 'StakewatchDataServiceBehind',
      severity: 'warning',
      // By its age as well: of a chain that is fast, a node that was asked later always has more.
      expr: `${unlisted}
  and on (job, network, chain) ${primaryAge} > ${MOST_LAG}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The data service does not list blocks that nodes have had for minutes.',
      description:
        'Nodes have {{ $value }} blocks of chain {{ $labels.chain }} of {{ $labels.network }} that the data service has not listed yet. What it says of balances, transactions and messages is as old, and whether the chain stalls cannot be told.',
    },
    {
      alert: 'StakewatchSourcesDisagree',
      severity: 'warning',
      // The greatest difference, whatever its sign.
      expr: [...mismatches, `${latest('abs(stakewatch_supply_difference_tokens)')} > 0`].join('\n  or '),
      for: HOUR,
      hold: HOLD,
      summary: 'The data service contradicts the node, or answers with the data of another chain.',
      description:
        '{{ if $labels.subnet }}Node and data service state supplies of {{ $labels.network }}/{{ $labels.subnet }} that are {{ $value }} tokens apart at the same height.{{ else }}Asked for{{ with $labels.address }} wallet {{ . }}{{ end }}{{ with $labels.chain }} {{ . }}{{ end }} of {{ $labels.network }}, the data service answers with another chain or network: it is withheld.{{ end }}',
    },
  ],
}
