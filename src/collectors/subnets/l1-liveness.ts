// l1-liveness: an L1 as its own chain on each node sees it: which validators are connected, their uptime, and how much
// more weight may go missing before the L1 stops. validators.getCurrentValidators of the chain on the node; the
// balances are from platform.getCurrentValidators (document 2, Validator record).

import { BaseError } from '../../errors.ts'
import {
  afterDepletion,
  margin,
  isSpare,
  type Threshold,
  thresholds,
  type Weights,
  weightsOf,
  withoutGreatest,
} from '../../judgements/liveness.ts'
import { toRatio } from '../../lib/units.ts'
import { opinionOfShownValidator, opinionOfSubnet, opinionOfValidator, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { health } from '../../operations/node/info.ts'
import { getBlockchains } from '../../operations/node/platform-subnets.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { getCurrentValidatorsOfChain } from '../../operations/node/chains.ts'
import { type BlockchainList, isAlias, listBlockchains, notListed } from '../answers/blockchain-list.ts'
import { CHAIN_STATES, chainStateBy, chainStates } from '../answers/chain-state.ts'
import { isNotFound, isNotReady } from '../answers/not-found.ts'
import { type Ask, type Attempt, defineCollector, FAILED, type Part } from '../define.ts'
import { allSubnets, byNodeId, membersOf, type SubnetSubject, validatorLabels } from '../subjects/subnets.ts'

const connected = opinionOfValidator.gauge('stakewatch_l1_validator_connected', {
  help: "Whether the L1's chain on the node `source` is connected to the validator: 1 or 0 (validators.getCurrentValidators).",
  details: 'A peer that the node has benched on any chain counts as disconnected on all.',
})
const uptimeRatio = opinionOfValidator.gauge('stakewatch_l1_validator_uptime_ratio', {
  is: 'share',
  help: "Share of its validation time that the L1's chain on the node `source` saw the validator connected (validators.getCurrentValidators).",
  details: 'Time without a balance counts as time without a connection.',
})
const mayBeStopped = opinionOfShownValidator.gauge('stakewatch_l1_validator_may_stop', {
  help: "Whether 75 % of the L1's weight stays connected if only this validator stops now: 1 or 0 (validators.getCurrentValidators).",
  details: 'As the node `source` sees it; two validators that may each stop may not stop together.',
})
const chainState = opinionOfSubnet.stateSet('stakewatch_l1_chain_state', {
  help: "State of the L1's chain on the node `source`: 1 for the current one (validators.getCurrentValidators, health.health).",
  details: CHAIN_STATES,
  states: chainStates,
})
const chainInfo = opinionOfSubnet.gauge('stakewatch_l1_chain_info', {
  help: "Blockchain id of the L1's chain, which names its health check on each node, always 1 (platform.getBlockchains).",
  labels: ['id'],
})
const weight = opinionOfSubnet.gauge('stakewatch_l1_weight', {
  help: "Weight of the L1's validators on the node `source`: all (total), with a balance (active), active and connected (connected) (validators.getCurrentValidators).",
  labels: ['of'],
})
const livenessMargin = opinionOfSubnet.gauge('stakewatch_l1_liveness_margin', {
  help: "Connected share of the L1's weight on the node `source` minus the share needed (validators.getCurrentValidators, platform.getCurrentValidators).",
  details:
    '`threshold`: blocks need 0.75, messages to other chains 0.67, a healthy node 0.80; `when`: now, when the largest connected validator stops (greatest_stops), or when the next balance has run out (balance_ends).',
  labels: ['threshold', 'when'],
})

/** How many validators may be too new for the chain in one run. */
const MOST_NEW = 10

type Call = Ask<typeof getCurrentValidators | typeof getCurrentValidatorsOfChain>['call']
type OfChain = AnswerOf<typeof getCurrentValidatorsOfChain>['validators'][number]
type OfPlatform = AnswerOf<typeof getCurrentValidators>['validators'][number]

/** The chain's answer: its validators, and whether it left out some that it does not know yet. */
interface Seen {
  members: readonly OfChain[]
  isWhole: boolean
  /** The node that answered: what a node reports about itself is no evidence. */
  nodeId: string | undefined
}

export const l1Liveness = defineCollector({
  name: 'l1-liveness',
  about: 'L1s as their own chain on each node sees them: uptimes, connections, and the weight that may go missing.',
  every: '1m',
  uses: [getCurrentValidatorsOfChain, getCurrentValidators, getBlockchains, health],
  observer: 'each',
  isEssential: true,
  metrics: [connected, uptimeRatio, mayBeStopped, chainState, chainInfo, weight, livenessMargin],
  subjects(network) {
    const chains = network.chains.map(({ id }) => id)
    return allSubnets(network).flatMap((one) => (one.isPrimary ? [] : [{ ...one, chains }]))
  },
  estimate: (subject) => ({
    calls: [getCurrentValidatorsOfChain, getCurrentValidators],
    series: chainStates.length + 4 + 9 + 3 * membersOf(subject),
  }),
  async collect({ subject, call, attempt, flawed }) {
    let chain: string
    try {
      chain = await chainOf(subject, call)
    } catch (error) {
      if (!isNotReady(error)) throw error
      // A node starts the chains of subnets after the P-Chain.
      flawed(error)
      return { samples: [chainState.sample({}, 'bootstrapping')] }
    }
    const platform = await attempt((ask) => ask.call(getCurrentValidators, { subnetID: subject.id }))
    const records = platform.value?.value.validators ?? []
    let seen: Seen
    try {
      seen = await seenBy(chain, records, call)
    } catch (error) {
      const state = await chainStateBy(error, { id: chain, subnetId: subject.id }, call)
      return { samples: [chainState.sample({}, state), chainInfo.sample({ id: chain }, 1)] }
    }
    const labelsOf = labelling(subject)
    return {
      samples: [
        chainState.sample({}, 'running'),
        chainInfo.sample({ id: chain }, 1),
        ...connectionSamples(seen, labelsOf),
      ],
      parts: weightParts(seen, platform, labelsOf),
    }
  },
})

interface ChainSubject extends SubnetSubject {
  chains: readonly string[]
}

/** The configured chain, else the first of the subnet. */
async function chainOf({ id, chains }: ChainSubject, call: Parameters<typeof listBlockchains>[0]) {
  const ofSubnet = ({ records }: BlockchainList) => records.filter(({ subnetID }) => subnetID === id)
  const configured = (one: BlockchainList) => ofSubnet(one).find((each) => chains.includes(each.id))
  const isListed =
    ({ records }: BlockchainList) =>
    (chain: string) =>
      isAlias(chain) || records.some((one) => one.id === chain)
  // A configured chain that an older list lacks may be one of the subnet.
  const list = await listBlockchains(
    call,
    (one) => configured(one) !== undefined || (ofSubnet(one).length > 0 && chains.every(isListed(one))),
  )
  const found = configured(list) ?? ofSubnet(list)[0]
  if (!found && list.dropped > 0) throw notListed(list)
  if (!found) throw new BaseError('unsupported', 'the node knows no chain of this subnet')
  return found.id
}

/**
 * For up to a minute after a registration a chain does not know the validator and refuses the whole list. It still
 * lists the others, which the node's P-Chain knows.
 */
async function seenBy(chain: string, records: readonly OfPlatform[], call: Call): Promise<Seen> {
  const unknown = new Set<string>()
  for (;;) {
    const nodeIDs = records.map(({ nodeID }) => nodeID).filter((id) => !unknown.has(id))
    try {
      const { value, dropped, nodeId } = await call(
        getCurrentValidatorsOfChain,
        unknown.size === 0 ? { chain } : { chain, nodeIDs },
        // A node that has just started does not serve its chains yet.
        { maxAge: '0s' },
      )
      const members = [...new Map(value.validators.map((one) => [one.validationID, one])).values()]
      return { members, isWhole: unknown.size === 0 && dropped === 0, nodeId }
    } catch (error) {
      const newest = isNotFound(error) ? newestIn(error, records) : undefined
      // It was not requested, so asking again would not help.
      if (newest === undefined || unknown.has(newest)) throw error
      // All may be too new, and an empty list would request all.
      if (unknown.size === MOST_NEW || nodeIDs.length <= 1) return { members: [], isWhole: false, nodeId: undefined }
      unknown.add(newest)
    }
  }
}

/** The node whose validation the chain does not know yet. */
function newestIn({ details }: BaseError, records: readonly OfPlatform[]): string | undefined {
  return records.find(({ validationID }) => validationID !== undefined && details?.includes(validationID))?.nodeID
}

/** Returns the labels of a validator; undefined for one that is not watched. */
function labelling({ all, tracked }: SubnetSubject) {
  const named = byNodeId(tracked)
  return ({ nodeID }: OfChain) => (all || named.has(nodeID) ? validatorLabels(nodeID, named) : undefined)
}
type LabelsOf = ReturnType<typeof labelling>

/** A node always sees itself as connected, so its view of itself is left out. */
function connectionSamples({ members, nodeId }: Seen, labelsOf: LabelsOf): Sample[] {
  return members.flatMap((member) => {
    const { isConnected, uptimePercentage } = member
    const labels = labelsOf(member)
    if (!labels || member.nodeID === nodeId) return []
    return [connected.sample(labels, isConnected), ...uptimeRatio.ifKnown(labels, toRatio(uptimePercentage))]
  })
}

/** While the chain does not know all validators, what was published stays. */
function weightParts(
  { members, isWhole }: Seen,
  platform: Attempt<{ value: { validators: OfPlatform[] }; dropped: number }>,
  labelsOf: LabelsOf,
): Part[] {
  const known = isWhole ? [] : [FAILED]
  const balances = new Map(platform.value?.value.validators.map(({ validationID, balance }) => [validationID, balance]))
  const withBalances = members.map((one) => ({ ...one, balance: balances.get(one.validationID) }))
  return [
    { name: 'weights', of: known, samples: weightSamples(members, labelsOf) },
    {
      name: 'after the next balance',
      // An unreadable balance must not count as a balance that lasts.
      of: [...known, platform, ...(platform.value?.dropped ? [FAILED] : [])],
      samples: marginSamples('balance_ends', afterDepletion(withBalances)),
    },
  ]
}

function weightSamples(members: readonly OfChain[], labelsOf: LabelsOf): Sample[] {
  const weights = weightsOf(members)
  return [
    ...members.flatMap((one) => {
      const labels = labelsOf(one)
      return labels ? [mayBeStopped.sample(labels, isSpare(weights, one))] : []
    }),
    ...Object.entries(weights).map(([of, sum]) => weight.sample({ of }, sum)),
    ...marginSamples('now', weights),
    ...marginSamples('greatest_stops', withoutGreatest(members)),
  ]
}

function marginSamples(when: string, weights: Weights): Sample[] {
  return (Object.keys(thresholds) as Threshold[]).flatMap((threshold) => {
    const value = margin(weights, threshold)
    return livenessMargin.ifKnown({ threshold, when }, value)
  })
}
