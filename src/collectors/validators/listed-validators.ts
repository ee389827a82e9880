// listed-validators: the tracked primary network validators as the data service's node sees them from outside. Its view
// is one more opinion, may be wrong, and is never mixed with what nodes see. List validators (beyond the documents).

import { BaseError } from '../../errors.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { toRatio, toTokens } from '../../lib/units.ts'
import { opinionOfShownValidator, opinionOfValidator, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { listValidators } from '../../operations/data/validators.ts'
import { isWord } from '../answers/spelling.ts'
import { defineCollector } from '../define.ts'
import { byNodeId, trackedOnPrimary, validatorLabels } from '../subjects/subnets.ts'

const isListed = opinionOfShownValidator.gauge('stakewatch_validator_listed_active', {
  help: 'Whether the data service lists the tracked primary network validator as active: 1 or 0 (list-validators).',
})
const uptime = opinionOfValidator.gauge('stakewatch_validator_listed_uptime_ratio', {
  is: 'share',
  help: "Share of its time that the data service's node saw the validator connected (list-validators).",
  details: 'It does not count in the vote on the reward.',
})
const reachable = opinionOfValidator.gauge('stakewatch_validator_listed_reachable_ratio', {
  is: 'share',
  help: "Share of requests that the validator answered in the last polling by the data service's node (list-validators).",
})
const benched = opinionOfShownValidator.gauge('stakewatch_validator_listed_benched_ratio', {
  is: 'share',
  help: "Share of requests for which the data service's node had benched the validator in its last polling, by chain (list-validators).",
  labels: ['blockchain'],
})
const version = opinionOfShownValidator.gauge('stakewatch_validator_listed_info', {
  help: 'Software version that the validator reports to the data service, always 1 (list-validators).',
  labels: ['version'],
})
const capacity = opinionOfShownValidator.gauge('stakewatch_validator_listed_delegation_capacity_tokens', {
  help: 'How much more can be delegated to the validator, as calculated by the data service (list-validators).',
})
const end = opinionOfShownValidator.gauge('stakewatch_validator_listed_end_timestamp_seconds', {
  is: 'end',
  help: 'When the validation ends according to the data service, or the current period of an auto-renewed one (list-validators).',
})
const nextPeriod = opinionOfShownValidator.gauge('stakewatch_validator_listed_next_period_seconds', {
  help: 'Length of the next period of an auto-renewed validation according to the data service; 0 if it leaves after this one (list-validators).',
})
const compounded = opinionOfShownValidator.gauge('stakewatch_validator_listed_compounded_weight_tokens', {
  help: 'Stake of the auto-renewed validator with the rewards that it has staked again, according to the data service (list-validators).',
})

type Details = AnswerOf<typeof listValidators>['validators'][number]

const PAGE = 100
/** Ids per request, as they go into the URL. */
const MOST_IDS = 50

export const listedValidators = defineCollector({
  name: 'listed-validators',
  about:
    'Tracked primary network validators as the data service sees them: reachable, benched, version, capacity, renewal.',
  every: '5m',
  uses: [listValidators],
  isReserved: true,
  observer: 'each',
  metrics: [isListed, uptime, reachable, benched, version, capacity, end, nextPeriod, compounded],
  // One run for all of them, as one request covers many.
  subjects: (network) => {
    const tracked = trackedOnPrimary(network)
    if (!network.data_api || tracked.length === 0) return []
    return [{ name: 'primary', labels: { subnet: 'primary' }, network: network.data_api.network, tracked }]
  },
  estimate: ({ tracked }) => ({
    calls: [{ operation: listValidators, times: Math.ceil(tracked.length / MOST_IDS) }],
    series: 11 * tracked.length,
  }),
  async collect({ subject: { network, tracked }, pages, flawed }) {
    const found = new Map<string, Details>()
    let dropped = 0
    for (let at = 0; at < tracked.length; at += MOST_IDS) {
      const some = tracked.slice(at, at + MOST_IDS)
      const nodeIds = some.map(({ node_id }) => node_id).join(',')
      for await (const answer of pages(listValidators, { ...ONLY, network, nodeIds, pageSize: PAGE })) {
        dropped += answer.dropped
        for (const one of answer.value.validators) if (isRunning(one)) found.set(one.nodeId, one)
      }
    }
    const missing = tracked.find(({ node_id }) => !found.has(node_id))
    if (dropped > 0 && missing) {
      flawed(new BaseError('bad_response', `validator ${missing.name} may be among the unreadable records`))
    }
    const named = byNodeId(tracked)
    return {
      samples: tracked.flatMap(({ node_id }) => {
        const details = found.get(node_id)
        const labels = validatorLabels(node_id, named)
        if (details) return [isListed.sample(labels, 1), ...detailSamples(details, labels)]
        return dropped > 0 ? [] : [isListed.sample(labels, 0)]
      }),
    }
  },
})

const ONLY = { subnetId: PRIMARY_NETWORK_ID, validationStatus: 'active' } as const

/** A service that ignores the filters also lists other subnets and past validations. */
function isRunning({ subnetId = PRIMARY_NETWORK_ID, validationStatus = 'active' }: Details): boolean {
  return subnetId === PRIMARY_NETWORK_ID && isWord(validationStatus, 'active')
}

function detailSamples(details: Details, labels: ReturnType<typeof validatorLabels>): Sample[] {
  const { uptimePerformance, avalancheGoVersion, delegationCapacity, endTimestamp, autoRenew } = details
  const { validatorHealth: health } = details
  return [
    ...uptime.ifKnown(labels, toRatio(uptimePerformance)),
    ...reachable.ifKnown(labels, toRatio(health?.reachabilityPercent)),
    ...benched.ifKnown({ ...labels, blockchain: 'P' }, toRatio(health?.benchedPChainRequestsPercent)),
    ...benched.ifKnown({ ...labels, blockchain: 'X' }, toRatio(health?.benchedXChainRequestsPercent)),
    ...benched.ifKnown({ ...labels, blockchain: 'C' }, toRatio(health?.benchedCChainRequestsPercent)),
    ...(avalancheGoVersion === undefined ? [] : [version.sample({ ...labels, version: avalancheGoVersion }, 1)]),
    ...capacity.ifKnown(labels, toTokens(delegationCapacity)),
    ...end.ifKnown(labels, endTimestamp),
    ...nextPeriod.ifKnown(labels, autoRenew?.nextPeriodSeconds),
    ...compounded.ifKnown(labels, toTokens(autoRenew?.compoundedWeight)),
  ]
}
