// What each action does, as calls of the parts of the world.

import type { Action } from './actions.ts'
import type { GrowingChain } from './blocks.ts'
import type { EvmChain } from './evm-chains.ts'
import { chainIds } from './fixed-ids.ts'
import type { L1Activity } from './l1-activity.ts'
import type { L1, L1Validator } from './l1.ts'
import type { L1s } from './l1s.ts'
import { createLinks, type Links } from './peer-links.ts'
import type { Relayer } from './relayer.ts'
import type { Releases } from './releases.ts'
import type { Sights } from './sights.ts'
import type { Staking } from './staking.ts'
import type { SubnetActivity } from './subnet-activity.ts'
import type { Turns } from './turns.ts'
import { signerOf, type Validator } from './stakes.ts'
import type { Validators } from './validators.ts'
import { benchedOn } from './views.ts'
import type { WalletActivity } from './wallet-activity.ts'

interface Parts {
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
  links: Links
  turns: Pick<Turns, 'setRule' | 'setBuilding'>
}

type ActionOf<Kind, One = Action> = One extends { kind: infer Kinds } ? (Kind extends Kinds ? One : never) : never
type Take<One> = (parts: Parts, action: One, now: number) => boolean

/** The reason why one node has no connection to a validator. */
const partedFrom = (observer: string) => `parted from ${observer}`

/** Returns the id of a chain that is given by its letter or by its id. */
const idOf = (chain: string) => new Map(Object.entries(chainIds)).get(chain) ?? chain

const evmOf = ({ evm }: Parts, chain: string) => evm.find(({ blockchainId }) => blockchainId === idOf(chain))

/** Takes an action on a subnet that exists. */
function onSubnet<One extends { subnet: string }>(
  take: (parts: Parts, subnet: L1, action: One, now: number) => boolean | void,
): Take<One> {
  return (parts, action, now) => {
    const subnet = parts.l1s.all.find(({ name }) => name === action.subnet)
    return subnet !== undefined && take(parts, subnet, action, now) !== false
  }
}

/** Takes an action on a validator of the primary network that exists. */
function onValidator<One extends { nodeId: string }>(
  take: (parts: Parts, validator: Validator, action: One, now: number) => boolean | void,
): Take<One> {
  return (parts, action, now) => {
    const validator = parts.validators.all.get(action.nodeId)
    return validator !== undefined && take(parts, validator, action, now) !== false
  }
}

/** Takes an action on a validator of an L1 that exists. */
function onL1Validator<One extends { subnet: string; nodeId: string }>(
  take: (parts: Parts, subnet: L1, validator: L1Validator, action: One, now: number) => boolean | void,
): Take<One> {
  return onSubnet((parts, subnet, action, now) => {
    const validator = subnet.validators.find(({ nodeId }) => nodeId === action.nodeId)
    return validator !== undefined && take(parts, subnet, validator, action, now) !== false
  })
}

/** Takes an action that always succeeds. */
const always =
  <One>(take: (parts: Parts, action: One, now: number) => void): Take<One> =>
  (parts, action, now) => {
    take(parts, action, now)
    return true
  }

const setHalted: Take<ActionOf<'halt-chain'>> = ({ growing }, action, now) => {
  const chain = growing.get(idOf(action.chain))
  if (action.kind === 'halt-chain') chain?.halt()
  else chain?.resume(now)
  return chain !== undefined
}

const setIndex: Take<ActionOf<'stall-index'>> = ({ validators, sights }, { kind, nodeId, chain }) => {
  if (!validators.observers.includes(nodeId)) return false
  const change = ({ 'stall-index': 'stall', 'resume-index': 'resume', 'begin-index': 'begin' } as const)[kind]
  sights.setIndex(nodeId, chain, change)
  return true
}

const moveTokens: Take<ActionOf<'drain'>> = (parts, { kind, chain, address, amount, token }, now) => {
  const { wallets } = parts
  const moving = { address, amount: amount === undefined ? undefined : BigInt(amount) }
  if (chain === 'P' || chain === 'X') {
    return kind === 'drain' ? wallets.drain(chain, moving, now) : wallets.fund(chain, moving)
  }
  const found = evmOf(parts, chain)
  return found !== undefined && wallets.move(found, kind, { ...moving, token })
}

const lag = always<ActionOf<'lag'>>(({ sights }, { kind, seconds }) => sights.lag('data', seconds, kind === 'relist'))

const hold = always<ActionOf<'hold-rewards'>>(({ staking }, { kind }) => staking.hold(kind === 'hold-rewards'))

const setSilent = onSubnet<ActionOf<'give-signatures'>>((_, subnet, { kind }) => {
  subnet.isSilent = kind === 'withhold-signatures'
})

const remakeStake: Take<ActionOf<'set-reward-owner'> | ActionOf<'set-signer'>> = onValidator(
  ({ seed, staking, validators }, validator, action, now) => {
    if (validator.renewal) return false
    const { nodeId, owner, weight } = validator
    const isSigner = action.kind === 'set-signer'
    staking.provide(isSigner ? owner : action.owner, isSigner ? 0n : weight)
    const change = isSigner ? { signer: signerOf(`${seed}/${nodeId}/${now}`) } : { owner: action.owner }
    validators.remake(validator, change, now)
    return true
  },
)

const remakeL1Validator: Take<ActionOf<'set-balance-owner'> | ActionOf<'set-l1-signer'>> = onL1Validator(
  ({ seed, l1Activity }, subnet, validator, action) => {
    const { publicKey } = signerOf(`${seed}/${validator.validationId}`)!
    l1Activity.remake(subnet, validator, 'owner' in action ? { owner: action.owner } : { publicKey })
  },
)

const setBuilding = onValidator<ActionOf<'stop-building'>>(({ turns }, { nodeId }, { kind }) =>
  turns.setBuilding(nodeId, kind === 'resume-building'),
)

const setRule = always<ActionOf<'change-draw'>>(({ turns }, { kind }, now) =>
  turns.setRule(kind === 'change-draw', now),
)

const takers: { [Kind in Action['kind']]: Take<ActionOf<Kind>> } = {
  stake({ validators, staking, owner }, { nodeId, fee, duration, renewal, name, ...action }) {
    if (validators.all.has(nodeId)) return false
    const [weight, reward] = [BigInt(action.amount), BigInt(action.reward)]
    staking.stake(weight, owner, (at) =>
      validators.join({ nodeId, fee, weight, reward, owner, renewal, end: at + duration }, at, name),
    )
    return true
  },
  delegate: onValidator(({ validators, staking, owner }, to, { amount, duration }) =>
    staking.delegate(BigInt(amount), owner, to, (at) =>
      validators.delegate(to, { weight: BigInt(amount), owner, end: at + duration }, at),
    ),
  ),
  'set-reachability'({ levels, validators }, { nodeId, share }) {
    levels.reachability.set(nodeId, share)
    return validators.all.has(nodeId)
  },
  'set-renewal': onValidator(({ staking }, validator, { renewal }) => staking.setRenewal(validator, renewal)),
  restore({ validators, sights }, { nodeId, behind, pace, name = nodeId }, now) {
    if (!validators.observers.includes(nodeId)) return false
    validators.forget(nodeId, now - behind, now, name)
    sights.restore({ nodeId: name, at: now, behind, pace }, nodeId)
    return true
  },
  'halt-chain': setHalted,
  'resume-chain': setHalted,
  fork: ({ validators, sights }, { nodeId, chain, from }) =>
    validators.observers.includes(nodeId) && sights.fork(nodeId, idOf(chain), from),
  unfork: ({ sights }, { nodeId, chain }) => sights.unfork(nodeId, idOf(chain)),
  'stall-index': setIndex,
  'resume-index': setIndex,
  'begin-index': setIndex,
  drain: moveTokens,
  fund: moveTokens,
  'set-traffic'(parts, { chain, factor }, now) {
    const found = evmOf(parts, chain)
    found?.setTraffic(factor, now)
    return found !== undefined
  },
  lag,
  relist: lag,
  'schedule-upgrade': always(({ releases }, { seconds, share, without }, now) =>
    releases.schedule(now + seconds, share, without),
  ),
  'install-release': ({ releases }, { nodeId }) => releases.install(nodeId),
  'set-l1-price': always(({ l1s }, { price }, now) => l1s.setPrice(price, now)),
  'join-l1s': always(({ l1s }, { count }, now) => l1s.join(count, now)),
  'set-gas-price': always(({ levels }, { price }) => (levels.gasPrice = price)),
  'hold-rewards': hold,
  'drop-rewards': hold,
  'freeze-averages': always(({ levels }, { seconds }, now) => (levels.averagesAt = now - seconds)),
  'thaw-averages': always(({ levels }) => (levels.averagesAt = Infinity)),
  'stop-relayer': always(({ relayer }, _, now) => relayer.stop(now)),
  'start-relayer': always(({ relayer }, _, now) => relayer.start(now)),
  part: ({ validators, links }, { nodeId, observer }, now) =>
    validators.observers.includes(observer) && links.lose(nodeId, partedFrom(observer), now, [observer]),
  meet: ({ links }, { nodeId, observer }, now) => links.regain(nodeId, partedFrom(observer), now),
  isolate: ({ links }, { nodeId, share }, now) => links.isolate(nodeId, share, now),
  rejoin: ({ links }, { nodeId }, now) => links.rejoin(nodeId, now),
  'set-past'({ validators, l1s, links }, { nodeId, seconds, observer }) {
    const seenBy = validators.observers.filter((one) => one !== nodeId && (observer ?? one) === one)
    validators.setLost(nodeId, seconds, seenBy)
    l1s.setLost(nodeId, seconds, seenBy)
    return seenBy.length > 0 && links.isValidator(nodeId)
  },
  'set-end': onValidator(({ validators }, validator, { seconds, isLast }, now) =>
    validators.endAt(validator, now + seconds, isLast),
  ),
  'set-reward-owner': remakeStake,
  'set-signer': remakeStake,
  disconnect: ({ links }, { nodeId }, now) => links.lose(nodeId, 'ordered', now),
  reconnect: ({ links }, { nodeId }, now) => links.regain(nodeId, 'ordered', now),
  'stop-building': setBuilding,
  'resume-building': setBuilding,
  'change-draw': setRule,
  'restore-draw': setRule,
  bench: ({ validators, links }, { nodeId, observer, blockchainId }, now) =>
    validators.observers.includes(observer) && links.lose(nodeId, benchedOn(blockchainId), now, [observer]),
  unbench: always(({ links }, { nodeId, blockchainId }, now) => links.regain(nodeId, benchedOn(blockchainId), now)),
  'top-up'({ l1Activity, l1s }, { validationId, amount }) {
    l1Activity.topUp(validationId, amount)
    return l1s.find(validationId) !== undefined
  },
  'create-subnet': always(({ subnets }, { subnet, evmChainId }) => subnets.create(subnet, evmChainId)),
  'add-to-subnet': onSubnet(({ subnets }, subnet, action) =>
    subnets.add(subnet, { ...action, weight: BigInt(action.weight) }),
  ),
  'remove-from-subnet': onSubnet(({ subnets }, subnet, { nodeId }) => subnets.remove(subnet, nodeId)),
  'transfer-subnet': onSubnet(({ subnets }, subnet, { owner }) => subnets.transfer(subnet, owner)),
  'create-chain': onSubnet(({ subnets, grow }, subnet, { secondsPerBlock }) =>
    subnets.createChain(subnet, (since) => grow(subnet, secondsPerBlock, since)),
  ),
  follow: onSubnet((_, { followers }, { nodeId }) => void followers.add(nodeId)),
  convert: onSubnet(({ l1Activity }, subnet, { validators }) =>
    l1Activity.convert(
      subnet,
      validators.map((one) => ({ ...one, weight: BigInt(one.weight) })),
    ),
  ),
  register: onSubnet(({ l1Activity }, subnet, action) => {
    if (subnet.validators.some(({ nodeId }) => nodeId === action.nodeId)) return false
    l1Activity.register(subnet, { ...action, weight: BigInt(action.weight) })
    return true
  }),
  'withhold-signatures': setSilent,
  'give-signatures': setSilent,
  'set-balance': onL1Validator(({ l1s }, _, validator, { seconds }, now) => l1s.setBalance(validator, seconds, now)),
  'set-balance-owner': remakeL1Validator,
  'set-l1-signer': remakeL1Validator,
  'set-weight': onL1Validator(({ l1Activity }, _, { validationId }, { weight }) =>
    l1Activity.setWeight(validationId, BigInt(weight)),
  ),
}

/** The function that takes actions. It returns false, and does nothing, when the subject of an action does not exist. */
export function createScript(options: Omit<Parts, 'links'>): (action: Action, now: number) => boolean {
  const parts = { ...options, links: createLinks(options.validators, options.l1s) }
  return (action, now) => (takers[action.kind] as Take<Action>)(parts, action, now)
}

// Levels that hold until an action sets another one.

export interface Levels {
  /** Of a unit of gas on the P-Chain, in the smallest unit of the token. */
  gasPrice: number
  /** The metrics service works out no averages after this time (Unix seconds). */
  averagesAt: number
  /** Share of the requests of the data service's own node that a validator answers while it is there, by node id. */
  reachability: Map<string, number>
}

export const createLevels = (): Levels => ({ gasPrice: 1, averagesAt: Infinity, reachability: new Map() })
