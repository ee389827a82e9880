// listed-delegations: the delegations to the tracked validators as the data service lists them, and when they leave. List
// delegators (beyond the documents).

import { sumOf, toTokens } from '../../lib/units.ts'
import { ofShownValidator, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { listDelegators } from '../../operations/data/validators.ts'
import { isWord } from '../answers/spelling.ts'
import { wholeList } from '../answers/whole-list.ts'
import { defineCollector } from '../define.ts'
import { validatorsOnPrimary } from '../subjects/subnets.ts'
import { least } from '../../lib/statistics.ts'

const stakes = ofShownValidator.gauge('stakewatch_validator_listed_delegated_tokens', {
  help: 'Stake that others delegated to the validator (data service, list-delegators).',
})
const ending = ofShownValidator.gauge('stakewatch_validator_listed_delegated_ending_tokens', {
  help: 'Delegated stake that leaves the validator within 7 days (data service, list-delegators).',
})
const nextEnd = ofShownValidator.gauge('stakewatch_validator_listed_delegation_next_end_timestamp_seconds', {
  is: 'end',
  help: 'When the next delegation to the validator ends; absent without delegations (data service, list-delegators).',
})

type Delegation = AnswerOf<typeof listDelegators>['delegators'][number]

const PAGE = 100
const WEEK = 7 * 86_400

export const listedDelegations = defineCollector({
  name: 'listed-delegations',
  about: 'Delegations to the tracked primary network validators as the data service lists them, and when they end.',
  every: '1h',
  uses: [listDelegators],
  metrics: [stakes, ending, nextEnd],
  subjects: (network) => {
    const { data_api } = network
    return data_api ? validatorsOnPrimary(network).map((one) => ({ ...one, network: data_api.network })) : []
  },
  estimate: () => ({ series: 3 }),
  async collect({ subject: { network, nodeId }, now, pages }) {
    const asked = { network, nodeIds: nodeId, delegationStatus: 'active' as const, pageSize: PAGE }
    const all = await wholeList(
      'delegations',
      pages(listDelegators, asked),
      ({ delegators }) => delegators.filter((one) => isRunning(one, nodeId, now / 1_000)),
      ({ txHash }) => txHash,
    )
    const soon = all.filter(({ endTimestamp }) => endTimestamp - now / 1_000 <= WEEK)
    const samples: Sample[] = [
      stakes.sample({}, toTokens(sumOf(all.map(amountOf)))),
      ending.sample({}, toTokens(sumOf(soon.map(amountOf)))),
    ]
    if (all.length > 0) samples.push(nextEnd.sample({}, least(all.map(({ endTimestamp }) => endTimestamp))))
    return { samples }
  },
})

/** A service that ignores the filters also lists other validators' delegations and past ones. */
function isRunning({ nodeId, delegationStatus = 'active', endTimestamp }: Delegation, wanted: string, now: number) {
  return nodeId === wanted && isWord(delegationStatus, 'active') && endTimestamp > now
}

const amountOf = ({ amountDelegated }: Delegation) => amountDelegated
