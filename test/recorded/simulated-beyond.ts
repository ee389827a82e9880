// The simulated network that the requests beyond the two documents are put to, and what happens to its nodes: the recorded
// network went through outages, and the names of the cases say which.

import { nodeIdOf } from '../../src/simulator/world/ids.ts'
import type { L1 } from '../../src/simulator/world/l1.ts'
import type { World } from '../../src/simulator/world/world.ts'
import { order } from './asking.ts'
import type { Recorded } from './recorded.ts'
import { type Network, startRecorded, takeAll } from './simulated.ts'

/** The L1 of these recordings: the first node validates it and runs its chain, the second does not. */
const HAMLET = 'hamlet'
/** A permissioned subnet, which the second node tracks at times. */
const GUILD = 'guild'
const named = ({ world }: Network, name: string): L1 => world.l1s.all.find((one) => one.name === name)!
const hamlet = (network: Network) => named(network, HAMLET)

/** Of the recorded nodes, those that an outage or a request names: validators of the primary network and of the L1. */
interface Nodes {
  /** They have little of the stake. */
  three: string
  four: string
  five: string
  /** With delegators, and with little weight on the L1. */
  six: string
}

/** The validators that stand for the recorded nodes. They are chosen once, as stakes change with time. */
function nodesIn({ validators, now }: World): Nodes {
  const all = [...validators.all.values()].filter(
    ({ nodeId, signer, end: until }) => signer && until > now() + 86_400 && !validators.observers.includes(nodeId),
  )
  const six = all.find(({ delegations }) => delegations.length > 0)!.nodeId
  const [three, four, five] = all
    .filter(({ nodeId }) => nodeId !== six)
    .toSorted((a, b) => Number(a.weight - b.weight))
    .map(({ nodeId }) => nodeId) as [string, string, string]
  return { three, four, five, six }
}

export interface Beyond extends Network {
  cast: Nodes
}

/** A network with an L1 whose validators differ as the recorded ones do: one has no balance left. */
export async function startBeyond(): Promise<Beyond> {
  const recorded = await startRecorded()
  const network = { ...recorded, cast: nodesIn(recorded.world) }
  const { world, nodes, cast } = network
  const { three, four, five, six } = cast
  const founder = (nodeId: string, weight: number, balance = 2_000_000_000) => ({ nodeId, weight, balance })
  takeAll(world, [
    { kind: 'create-subnet', subnet: HAMLET, evmChainId: 43_302 },
    { kind: 'create-chain', subnet: HAMLET, secondsPerBlock: 2 },
    {
      kind: 'convert',
      subnet: HAMLET,
      // The first node has so much that the L1 can do without any one of the others, but not without two of them.
      validators: [
        founder(nodes[0]!.nodeId, 400),
        founder(three, 100),
        founder(four, 100),
        founder(five, 100),
        founder(six, 10),
        founder(nodeIdOf('hamlet, without a balance'), 5, 10_000),
      ],
    },
    { kind: 'follow', subnet: HAMLET, nodeId: nodes[0]!.nodeId },
  ])
  named(network, GUILD).followers.clear()
  // The chain looks at its validators once in a minute.
  pass(network, 120)
  return network
}

/** Time goes on, and nothing happens but what was ordered: no other validator goes away, and no node runs another chain. */
function pass(network: Beyond, seconds: number): void {
  const { world, nodes } = network
  world.advance(world.now() + seconds)
  for (const { name, followers } of world.l1s.all) if (name !== GUILD) followers.clear()
  hamlet(network).followers.add(nodes[0]!.nodeId)
  const ofL1s = world.l1s.all.flatMap(({ validators, legacy }) => [...validators, ...legacy])
  for (const { views } of [...world.validators.all.values(), ...ofL1s]) {
    for (const view of views.values()) {
      for (const reason of view.reasons) if (/^(?!ordered$|benched on )/.test(reason)) view.reasons.delete(reason)
      if (view.reasons.size === 0) view.since = undefined
    }
  }
}

/** A validator of the L1 for the time of a request. */
const NEWEST = nodeIdOf('hamlet newest')

/** Its chain does not know it yet: it looks at its validators at each full minute. */
function registerNewest({ world }: Beyond): void {
  world.advance(Math.ceil(world.now() / 60) * 60)
  takeAll(world, [{ kind: 'register', subnet: HAMLET, nodeId: NEWEST, weight: 7, balance: 2_000_000_000 }])
}

type Name = 'node-a' | 'node-b'

/** What is done to the asked node, and how it is undone where the end of all outages does not undo it. */
type Scene = (network: Beyond, node: Name) => Promise<void>

async function restart(network: Beyond, node: Name): Promise<void> {
  await order(network, { kind: 'start', node })
  await order(network, { kind: 'bootstrapped', node })
}

const phase =
  (kind: 'start' | 'bootstrap'): Scene =>
  (network, node) =>
    order(network, { kind, node })

/** So long that a round of health checks finds it. */
const ROUND = 60

function take(network: Beyond, kind: 'disconnect' | 'reconnect', nodeIds: readonly string[]): void {
  for (const nodeId of nodeIds) network.world.take({ kind, nodeId })
}

const down =
  (...who: readonly (keyof Nodes)[]): Scene =>
  async (network) => {
    take(
      network,
      'disconnect',
      who.map((one) => network.cast[one]),
    )
    pass(network, ROUND)
  }

/** Nodes 3 and 5, and as many of the others as it takes until too little of the primary network's stake is connected. */
const manyDown: Scene = async (network) => {
  const { three, five } = network.cast
  const { all, observers } = network.world.validators
  const heaviest = [...all.values()]
    .filter(({ nodeId }) => !observers.includes(nodeId))
    .toSorted((a, b) => Number(b.weight - a.weight))
  take(network, 'disconnect', [three, five, ...heaviest.slice(0, all.size / 3).map(({ nodeId }) => nodeId)])
  pass(network, ROUND)
}

/** The first chain of the L1 that waits for its stake does so since its node has started. */
const waiting =
  (...away: readonly (keyof Nodes)[]): Scene =>
  async (network, node) => {
    await down(...away)(network, node)
    await restart(network, node)
    pass(network, ROUND)
  }

const atChain =
  (kind: 'kill-chain' | 'freeze-chain', seconds: number): Scene =>
  async (network, node) => {
    await order(network, { kind, node, blockchainId: hamlet(network).blockchainId })
    pass(network, seconds)
  }

const failed =
  (subnet: string, chains: Readonly<Record<string, 'plugin' | 'genesis'>>): Scene =>
  async (network, node) => {
    const { subnetId } = named(network, subnet)
    for (const [blockchainId, reason] of Object.entries(chains)) {
      await order(network, { kind: 'fail-chain', node, blockchainId, subnetId, reason })
    }
    await restart(network, node)
    // So long that the node reports who has connected to it.
    pass(network, node === 'node-b' ? 660 : ROUND)
  }

/** The first recorded node tracked a subnet of which it could create one chain of three. */
const UNKNOWN_CHAINS = [
  '2A9t6E6viNm34a4v2wTwK6gu7xTwV3DJWUmH8Wr6BZH1y76G6g',
  '2cCWsCkkoBJPWWWdqTD32WiKsa9PeJ5f73YiSR3aBc3zsZfW6n',
] as const
const firstNode: Scene = async (network, node) => {
  const [one, other] = UNKNOWN_CHAINS
  named(network, GUILD).followers.add(network.nodes[1]!.nodeId)
  await failed(GUILD, { [one]: 'genesis', [other]: 'plugin' })(network, node)
}

const benched: Scene = async (network) => {
  const observer = network.nodes[0]!.nodeId
  const { blockchainId } = hamlet(network)
  registerNewest(network)
  network.world.take({ kind: 'bench', nodeId: network.cast.six, observer, blockchainId })
}

/** By what the name of a case says, the first that fits. While a node started it was asked again and again: so often. */
const scenes: readonly (readonly [says: RegExp, scene: Scene])[] = [
  [/^node start.*#[1-6]$/, phase('start')],
  [/^node starts while most .*#8$/, phase('bootstrap')],
  [/^node starts while most .*#\d+$|24 %/, waiting('three', 'four', 'five', 'six')],
  [
    /plugin of (an|the) L1 chain did not start/,
    (network, node) => failed(HAMLET, { [hamlet(network).blockchainId]: 'plugin' })(network, node),
  ],
  [/73 %/, waiting('three', 'five')],
  [
    /cannot bootstrap/,
    async (network, node) => {
      await manyDown(network, node)
      await phase('start')(network, node)
      await phase('bootstrap')(network, node)
      pass(network, ROUND)
    },
  ],
  [/nodes 3 and 5 down/, manyDown],
  [/node 5 (frozen|killed)/, down('five')],
  [/benched/, benched],
  [/registered under a minute ago/, async (network) => registerNewest(network)],
  [/plugin died/, atChain('kill-chain', ROUND)],
  [/frozen \(SIGSTOP\) 73 s/, atChain('freeze-chain', 120)],
  [/frozen \(SIGSTOP\) 30 s/, atChain('freeze-chain', 30)],
]

/** Begins what the name of a case says. Only a node that has just started was asked about the health of the L1. */
export async function begin(network: Beyond, { of, case: name }: Recorded, node: Name): Promise<void> {
  if (of.startsWith('health')) {
    if (node === 'node-b') return firstNode(network, node)
    await restart(network, node)
    pass(network, ROUND)
  }
  const [, scene] = scenes.find(([says]) => says.test(name)) ?? []
  await scene?.(network, node)
}

/** Ends whatever has begun. */
export async function end(network: Beyond, node: Name): Promise<void> {
  const { world } = network
  const { blockchainId, validators } = hamlet(network)
  world.take({ kind: 'unbench', nodeId: network.cast.six, observer: network.nodes[0]!.nodeId, blockchainId })
  take(network, 'reconnect', [...world.validators.all.keys()])
  if (validators.some(({ nodeId }) => nodeId === NEWEST)) {
    takeAll(world, [{ kind: 'set-weight', subnet: HAMLET, nodeId: NEWEST, weight: 0 }])
  }
  for (const id of [blockchainId, ...UNKNOWN_CHAINS])
    await order(network, { kind: 'revive-chain', node, blockchainId: id })
  await order(network, { kind: 'bootstrapped', node })
  named(network, GUILD).followers.clear()
  pass(network, 0)
}

/** Of the recorded L1, from the lightest validator to one of the heaviest: a method reports the same members of each. */
const VALIDATIONS = [
  'u1apP8rmj1QEAE8bgTPLFWtGUuTGzve2FUwHG9zAGQmsnwAqZ',
  '2U3QN7KfMF26DvgkkmfhfNp1crGXDWMazuw7MruKdyvb8g9u24',
  '2cVHdRQW4zZqNiGVkednpwmAXKLL1bfM1G8sE6Hbg6hSfp47Dq',
  'KUWFJWHFPEDiqgXD5YiKGPjCt2Kfw2VDvaW3EURkGEyrHt4PZ',
  'Lyr7GRFosRtuJ4Wt3iKdokcgDeJHKXGPwWFiEL447wyFx85T1',
  '27ALrsLSgw1NL7BBfdPQaY7SK4Asjej4LpzuBh34kv8eUcqpDT',
]

/** What a request of those recordings names, as the simulated network has it at that time: in its path and in its body. */
export function translatedBeyond(network: Beyond, { of }: Recorded, text: string): string {
  const { world, nodes } = network
  const { three, four, five, six } = network.cast
  const head = world.chains.P.head()
  const isOfValidation = of === 'platform.getL1Validator'
  const names: readonly (readonly [recorded: string, simulated: string])[] = [
    ['231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv', hamlet(network).subnetId],
    ['fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet', hamlet(network).blockchainId],
    ['8xTt7scM5uN3DJkqSakzTkPWRvpHuxMm7d68vqNTU8kfTrrko', conversionIn(network)],
    ['22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2', named(network, GUILD).subnetId],
    ['uEnjfoQdeNoEJXrK2bT7XbATBYLr7axFzDGTfra72RvW614sH', named(network, GUILD).blockchainId],
    ['oFZous6FgK5S4GAzAGjmDikqy2cQA1izRuUZoiqVNbjk1UHbz', named(network, 'village').subnetId],
    ...VALIDATIONS.map((id) => [id, isOfValidation ? hamlet(network).validators[0]!.validationId : id] as const),
    // The node that is asked, and validates the L1; the first node, which does not; and others.
    ['NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ', nodes[0]!.nodeId],
    ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', nodes[1]!.nodeId],
    ['NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN', three],
    ['NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu', four],
    ['NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5', five],
    ['NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i', six],
    ['NodeID-6txADf7AQMHhappJS1i7GpcaAFP9gd2Sr', NEWEST],
    ['local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', stakerIn(world)],
    ['0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC', world.evmWallets.treasury],
  ]
  const translated = names.reduce((said, [before, after]) => said.replaceAll(before, after), text)
  // The newest block at that time, and one that is still to come.
  const heights = translated.replace(/("height": "?)12[12]\b/, `$1${head}`)
  return heights.replace(/("height": )1121\b/, `$1${head + 1_000}`)
}

function conversionIn(network: Beyond): string {
  const { validationId } = hamlet(network).validators[0]!
  const all = network.world.ledger.transactionsOf(validationId)
  return all.find(({ type }) => type === 'ConvertSubnetToL1Tx')!.id
}

/** Whose stake has come to a validator in the time that is simulated. */
function stakerIn({ ledger, validators }: World): string {
  return [...validators.all.values()].find(({ owner }) => [...ledger.unspentOf(owner)].some(({ stake }) => stake))!
    .owner
}
