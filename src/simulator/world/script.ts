// Turns each action into calls of the parts of the world.

import type { Action } from './actions.ts'
import type { GrowingChain } from './blocks.ts'
import type { EvmChain } from './evm-chains.ts'
import { chainIds } from './fixed-ids.ts'
import type { L1Activity } from './l1-activity.ts'
import type { L1 } from './l1.ts'
import type { L1s } from './l1s.ts'
import type { Levels } from './levels.ts'
import { createLinks } from './peer-links.ts'
import type { Relayer } from './relayer.ts'
import type { Releases } from './releases.ts'
import type { Sights } from './sights.ts'
import type { Staking } from './staking.ts'
import type { SubnetActivity } from './subnet-activity.ts'
import { signerOf } from './stakes.ts'
import type { Validators } from './validators.ts'
import { benchedOn } from './views.ts'
import type { WalletActivity } from './wallet-activity.ts'

interface ScriptOptions {
  seed: number
  relayer: Relayer
  releases: Releases
  levels: Levels
  evm: readonly EvmChain[]
  wallets: WalletActivity
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

/** Why one node has no connection to a validator. */
const partedFrom = (observer: string) => `parted from ${observer}`

/** Of a chain that goes by its letter or by its id. */
const idOf = (chain: string) => new Map(Object.entries(chainIds)).get(chain) ?? chain

/** The function that takes actions. It returns false, and does nothing, when the subject of an action does not exist. */
export function createScript({
  seed,
  relayer,
  releases,
  levels,
  evm,
  wallets,
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
  const links = createLinks(validators, l1s)
  const subnetOf = (action: Action) =>
    'subnet' in action ? l1s.all.find(({ name }) => name === action.subnet) : undefined

  function ofSubnet(action: Extract<Action, { subnet: string }>, subnet: L1, now: number): boolean {
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
      case 'withhold-signatures':
      case 'give-signatures':
        subnet.isSilent = action.kind === 'withhold-signatures'
        return true
      case 'set-balance':
      case 'set-balance-owner':
      case 'set-l1-signer': {
        const validator = subnet.validators.find(({ nodeId }) => nodeId === action.nodeId)
        if (!validator) return false
        if (action.kind === 'set-balance') return l1s.setBalance(validator, action.seconds, now)
        const publicKey = signerOf(`${seed}/${validator.validationId}`)!.publicKey
        l1Activity.remake(subnet, validator, 'owner' in action ? { owner: action.owner } : { publicKey })
        return true
      }
      case 'set-weight': {
        const validator = subnet.validators.find(({ nodeId }) => nodeId === action.nodeId)
        if (validator) l1Activity.setWeight(validator.validationId, BigInt(action.weight))
        return validator !== undefined
      }
      default:
        return action satisfies never
    }
  }

  const evmOf = (chain: string) => evm.find(({ blockchainId }) => blockchainId === idOf(chain))

  function moved({ kind, chain, address, amount, token }: Extract<Action, { kind: 'drain' | 'fund' }>, now: number) {
    const moving = { address, amount: amount === undefined ? undefined : BigInt(amount) }
    if (chain === 'P' || chain === 'X') {
      return kind === 'drain' ? wallets.drain(chain, moving, now) : wallets.fund(chain, moving)
    }
    const found = evmOf(chain)
    return found !== undefined && wallets.move(found, kind, { ...moving, token })
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
      case 'delegate': {
        const { nodeId, amount, duration } = action
        const to = validators.all.get(nodeId)
        if (!to) return false
        staking.delegate(BigInt(amount), owner, to, (at) =>
          validators.delegate(to, { weight: BigInt(amount), owner, end: at + duration }, at),
        )
        return true
      }
      case 'set-reachability':
        levels.reachability.set(action.nodeId, action.share)
        return validators.all.has(action.nodeId)
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
      case 'fork': {
        const { nodeId, chain, from } = action
        return observers.includes(nodeId) && sights.fork(nodeId, idOf(chain), from)
      }
      case 'unfork':
        return sights.unfork(action.nodeId, idOf(action.chain))
      case 'stall-index':
      case 'resume-index':
      case 'begin-index': {
        const { nodeId, chain } = action
        if (!observers.includes(nodeId)) return false
        sights.setIndex(nodeId, chain, indexChanges[action.kind])
        return true
      }
      case 'drain':
      case 'fund':
        return moved(action, now)
      case 'set-traffic': {
        const chain = evmOf(action.chain)
        chain?.setTraffic(action.factor, now)
        return chain !== undefined
      }
      case 'lag':
      case 'relist':
        sights.lag('data', action.seconds, action.kind === 'relist')
        return true
      case 'schedule-upgrade':
        releases.schedule(now + action.seconds, action.share, action.without)
        return true
      case 'install-release':
        return releases.install(action.nodeId)
      case 'set-l1-price':
        l1s.setPrice(action.price, now)
        return true
      case 'join-l1s':
        l1s.join(action.count, now)
        return true
      case 'set-gas-price':
        levels.gasPrice = action.price
        return true
      case 'hold-rewards':
      case 'drop-rewards':
        staking.hold(action.kind === 'hold-rewards')
        return true
      case 'freeze-averages':
        levels.averagesAt = now - action.seconds
        return true
      case 'thaw-averages':
        levels.averagesAt = Infinity
        return true
      case 'stop-relayer':
        relayer.stop(now)
        return true
      case 'start-relayer':
        relayer.start(now)
        return true
      case 'part':
        if (!observers.includes(action.observer)) return false
        return links.lose(action.nodeId, partedFrom(action.observer), now, [action.observer])
      case 'meet':
        return links.regain(action.nodeId, partedFrom(action.observer), now)
      case 'isolate':
        return links.isolate(action.nodeId, action.share, now)
      case 'rejoin':
        return links.rejoin(action.nodeId, now)
      case 'set-past': {
        const { nodeId, seconds, observer } = action
        const seenBy = observers.filter((one) => one !== nodeId && (observer ?? one) === one)
        validators.setLost(nodeId, seconds, seenBy)
        l1s.setLost(nodeId, seconds, seenBy)
        return seenBy.length > 0 && links.isValidator(nodeId)
      }
      case 'set-end': {
        const validator = validators.all.get(action.nodeId)
        if (validator) validators.endAt(validator, now + action.seconds, action.isLast)
        return validator !== undefined
      }
      case 'set-reward-owner':
      case 'set-signer': {
        const validator = validators.all.get(action.nodeId)
        if (!validator || validator.renewal) return false
        const { nodeId, owner: before, weight } = validator
        const isSigner = action.kind === 'set-signer'
        staking.provide(isSigner ? before : action.owner, isSigner ? 0n : weight)
        const change = isSigner ? { signer: signerOf(`${seed}/${nodeId}/${now}`) } : { owner: action.owner }
        validators.remake(validator, change, now)
        return true
      }
      case 'disconnect':
        return links.lose(action.nodeId, 'ordered', now)
      case 'reconnect':
        return links.regain(action.nodeId, 'ordered', now)
      case 'bench':
        if (!observers.includes(action.observer)) return false
        return links.lose(action.nodeId, benchedOn(action.blockchainId), now, [action.observer])
      case 'unbench':
        links.regain(action.nodeId, benchedOn(action.blockchainId), now)
        return true
      case 'top-up':
        l1Activity.topUp(action.validationId, action.amount)
        return l1s.find(action.validationId) !== undefined
      case 'create-subnet':
        subnets.create(action.subnet, action.evmChainId)
        return true
      default: {
        const subnet = subnetOf(action)
        return subnet !== undefined && ofSubnet(action, subnet, now)
      }
    }
  }
}
