// Turns each action into calls of the parts of the world.

import type { Action } from './actions.ts'
import type { GrowingChain } from './blocks.ts'
import { chainIds } from './ids.ts'
import type { L1Activity } from './l1-activity.ts'
import type { L1 } from './l1.ts'
import type { L1s } from './l1s.ts'
import type { Sights } from './sights.ts'
import type { Staking } from './staking.ts'
import type { SubnetActivity } from './subnet-activity.ts'
import type { Validators } from './validators.ts'
import { benchedOn } from './views.ts'

interface ScriptOptions {
  validators: Validators
  staking: Staking
  l1s: L1s
  l1Activity: L1Activity
  subnets: SubnetActivity
  sights: Omit<Sights<never>, 'seenBy'>
  /** By the ids of the chains. */
  growing: ReadonlyMap<string, GrowingChain>
  /** Gets the rewards of stakes, and back what was staked. */
  owner: string
  grow: (subnet: L1, secondsPerBlock: number, since: number) => void
}

const indexChanges = { 'stall-index': 'stall', 'resume-index': 'resume', 'begin-index': 'begin' } as const

/** Of a chain that goes by its letter or by its id. */
const idOf = (chain: string) => new Map(Object.entries(chainIds)).get(chain) ?? chain

/** The function that takes actions. It returns false, and does nothing, when the subject of an action does not exist. */
export function createScript({
  validators,
  staking,
  l1s,
  l1Activity,
  subnets,
  sights,
  growing,
  owner,
  grow,
}: ScriptOptions) {
  const { observers } = validators
  const subnetOf = (action: Action) =>
    'subnet' in action ? l1s.all.find(({ name }) => name === action.subnet) : undefined

  function ofSubnet(action: Extract<Action, { subnet: string }>, subnet: L1): boolean {
    switch (action.kind) {
      case 'create-subnet':
        return false
      case 'add-to-subnet':
        subnets.add(subnet, { ...action, weight: BigInt(action.weight) })
        return true
      case 'remove-from-subnet':
        subnets.remove(subnet, action.nodeId)
        return true
      case 'transfer-subnet':
        subnets.transfer(subnet, action.owner)
        return true
      case 'create-chain':
        subnets.createChain(subnet, (since) => grow(subnet, action.secondsPerBlock, since))
        return true
      case 'follow':
        subnet.followers.add(action.nodeId)
        return true
      case 'convert':
        l1Activity.convert(
          subnet,
          action.validators.map((one) => ({ ...one, weight: BigInt(one.weight) })),
        )
        return true
      case 'register':
        if (subnet.validators.some(({ nodeId }) => nodeId === action.nodeId)) return false
        l1Activity.register(subnet, { ...action, weight: BigInt(action.weight) })
        return true
      case 'set-weight': {
        const validator = subnet.validators.find(({ nodeId }) => nodeId === action.nodeId)
        if (validator) l1Activity.setWeight(validator.validationId, BigInt(action.weight))
        return validator !== undefined
      }
      default:
        return action satisfies never
    }
  }

  return (action: Action, now: number): boolean => {
    switch (action.kind) {
      case 'stake': {
        const { nodeId, fee, duration, renewal } = action
        if (validators.all.has(nodeId)) return false
        const [weight, reward] = [BigInt(action.amount), BigInt(action.reward)]
        staking.stake(weight, owner, (at) =>
          validators.join({ nodeId, fee, weight, reward, owner, renewal, end: at + duration }, at),
        )
        return true
      }
      case 'set-renewal': {
        const validator = validators.all.get(action.nodeId)
        return validator !== undefined && staking.setRenewal(validator, action.renewal)
      }
      case 'restore': {
        const { nodeId, behind, pace, name = nodeId } = action
        if (!observers.includes(nodeId)) return false
        validators.forget(nodeId, now - behind, now, name)
        sights.restore({ nodeId: name, at: now, behind, pace }, nodeId)
        return true
      }
      case 'halt-chain':
      case 'resume-chain': {
        const chain = growing.get(idOf(action.chain))
        if (action.kind === 'halt-chain') chain?.halt()
        else chain?.resume(now)
        return chain !== undefined
      }
      case 'fork':
      case 'unfork':
        return observers.includes(action.nodeId) && sights[action.kind](action.nodeId, idOf(action.chain))
      case 'stall-index':
      case 'resume-index':
      case 'begin-index': {
        const { nodeId, chain } = action
        if (!observers.includes(nodeId)) return false
        sights.setIndex(nodeId, chain, indexChanges[action.kind])
        return true
      }
      case 'lag':
      case 'relist':
        sights.lag('data', action.seconds, action.kind === 'relist')
        return true
      case 'disconnect':
      case 'reconnect':
        validators[action.kind](action.nodeId, 'ordered', now)
        l1s[action.kind](action.nodeId, 'ordered', now, observers)
        return validators.all.has(action.nodeId) || l1s.isMember(action.nodeId)
      case 'bench':
        if (!observers.includes(action.observer)) return false
        validators.disconnect(action.nodeId, benchedOn(action.blockchainId), now, [action.observer])
        l1s.disconnect(action.nodeId, benchedOn(action.blockchainId), now, [action.observer])
        return validators.all.has(action.nodeId) || l1s.isMember(action.nodeId)
      case 'unbench':
        validators.reconnect(action.nodeId, benchedOn(action.blockchainId), now)
        l1s.reconnect(action.nodeId, benchedOn(action.blockchainId), now)
        return true
      case 'top-up':
        l1Activity.topUp(action.validationId, action.amount)
        return l1s.find(action.validationId) !== undefined
      case 'create-subnet':
        subnets.create(action.subnet, action.evmChainId)
        return true
      default: {
        const subnet = subnetOf(action)
        return subnet !== undefined && ofSubnet(action, subnet)
      }
    }
  }
}
