// subnet-owner: who may change a subnet, and which contract decides on the validators of an L1. platform.getSubnet.

import { z } from 'zod'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { ofSubnet } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getSubnet } from '../../operations/node/platform-subnets.ts'
import { unsupportedIfNotFound } from '../answers/not-found.ts'
import { countType } from '../counting/remembered.ts'
import { defineCollector } from '../define.ts'
import { allSubnets } from '../subjects/subnets.ts'

const info = ofSubnet.gauge('stakewatch_subnet_info', {
  help: 'Kind of the subnet, id of its conversion, and the contract that manages its validators, always 1 (platform.getSubnet).',
  details: '`kind` is permissioned, l1, or elastic, which has its own staking token.',
  labels: ['kind', 'conversion_id', 'manager_chain_id', 'manager_address'],
})
const keys = ofSubnet.gauge('stakewatch_subnet_owner_keys', {
  help: "Number of keys of the subnet's owner, which stays after the conversion to an L1 (platform.getSubnet).",
})
const threshold = ofSubnet.gauge('stakewatch_subnet_owner_threshold', {
  help: 'Owner signatures required (threshold) (platform.getSubnet).',
})
const changes = ofSubnet.counter('stakewatch_subnet_changes_total', {
  help: "Changes of the subnet's owner or manager, each confirmed by two consecutive runs (platform.getSubnet).",
  details:
    "`owner`: the owner's keys or threshold; `manager`: the conversion, the manager chain or the manager address.",
  labels: ['what'],
})

/** The last accepted answer, and how often it has changed. */
const heldType = z.object({
  value: z.string(),
  changes: countType,
  /** Reported by the last run alone. */
  doubted: z.string().optional(),
})
type Held = z.output<typeof heldType>

type Answer = AnswerOf<typeof getSubnet>

/** The empty id, which has the same text as that of the primary network. */
const NONE = PRIMARY_NETWORK_ID

export const subnetOwner = defineCollector({
  name: 'subnet-owner',
  about: 'Owner of each subnet, the manager contract of each L1, and changes of them.',
  every: '5m',
  uses: [getSubnet],
  metrics: [info, keys, threshold, changes],
  memory: z.object({ owner: heldType, manager: heldType }),
  subjects: (network) => allSubnets(network).filter(({ isPrimary }) => !isPrimary),
  estimate: () => ({ series: 5 }),
  async collect({ subject: { id }, memory, call }) {
    // The configured id may be that of no subnet, or not yet.
    const ifUnknown = unsupportedIfNotFound('the node does not know this subnet')
    const { value } = await call(getSubnet, { subnetID: id }).catch(ifUnknown)
    const owner = updateHeld(memory?.owner, ownerOf(value))
    const manager = updateHeld(memory?.manager, managerOf(value))
    const { conversionID, managerChainID, managerAddress = '' } = value
    return {
      samples: [
        info.sample(
          {
            kind: kindOf(value),
            conversion_id: orNothing(conversionID),
            manager_chain_id: orNothing(managerChainID),
            manager_address: managerAddress,
          },
          1,
        ),
        keys.sample({}, value.controlKeys.length),
        threshold.sample({}, value.threshold),
        changes.sample({ what: 'owner' }, owner.changes),
        changes.sample({ what: 'manager' }, manager.changes),
      ],
      memory: { owner, manager },
    }
  },
})

/** A lagging node behind a load balancer reports the previous owner: a change counts once the next run confirms it. */
function updateHeld(before: Held | undefined, value: string): Held {
  if (!before) return { value, changes: 0 }
  if (value === before.value) return { value, changes: before.changes }
  if (value === before.doubted) return { value, changes: before.changes + 1 }
  return { value: before.value, changes: before.changes, doubted: value }
}

function ownerOf({ controlKeys, threshold, locktime = 0n }: Answer): string {
  return [String(threshold), String(locktime), ...controlKeys.toSorted()].join(' ')
}

function managerOf({ conversionID, managerChainID, managerAddress = '' }: Answer): string {
  return [conversionID, managerChainID, managerAddress].join(' ')
}

function kindOf({ isPermissioned, conversionID, subnetTransformationTxID = NONE }: Answer): string {
  if (conversionID !== NONE) return 'l1'
  return isPermissioned || subnetTransformationTxID === NONE ? 'permissioned' : 'elastic'
}

function orNothing(id: string): string {
  return id === NONE ? '' : id
}
