// supply: the upper bound on the supply of a subnet's staking token. platform.getCurrentSupply (document 2); on the
// primary network it is compared with the newest P-Chain blocks (document 1, operation 14).

import { z } from 'zod'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { toTokens } from '../../lib/units.ts'
import { ofSubnet, type Sample } from '../../metrics/define.ts'
import {
  listLatestPrimaryNetworkBlocks,
  type PrimaryNetworkBlock as Block,
} from '../../operations/data/primary-network-blocks.ts'
import { getCurrentSupply } from '../../operations/node/platform-subnets.ts'
import { believedType, growth, refusalOf, updateTotal } from '../counting/believed.ts'
import { defineCollector } from '../define.ts'
import { listedBlocks } from '../answers/listed-blocks.ts'
import { unsupportedIfNotFound } from '../answers/not-found.ts'
import { decimalType, momentType, sumType } from '../counting/remembered.ts'

const supplyTokens = ofSubnet.gauge('stakewatch_supply_tokens', {
  help: "Upper bound on the supply of the subnet's staking token, burnt tokens not deducted (platform.getCurrentSupply).",
})
const differenceTokens = ofSubnet.gauge('stakewatch_supply_difference_tokens', {
  help: "Supply that the node states minus the data service's supply at the same P-Chain height (platform.getCurrentSupply, currentSupply).",
  details:
    'If the node states no height, all blocks within a minute of its answer are compared; the value is that of the newest answer for which both are known.',
})

const statedType = z.object({
  supply: sumType,
  height: decimalType.optional(),
  /** When the node was asked, in Unix seconds. */
  time: momentType,
})
type Stated = z.output<typeof statedType>

const memory = z.object({
  /** The newest answers first. */
  stated: z.array(statedType),
  /** Height of the newest answer; answers in the document's form have none. */
  height: believedType.optional(),
})

/** Answers kept until the data service lists their blocks. */
const KEPT = 12
/** Seconds by which the clocks of blocks, the node and this machine may differ, and by which a node may lag. */
const APART = 60

export const supply = defineCollector({
  name: 'supply',
  about: "Upper bound on each subnet's supply, and whether node and data service agree on it.",
  every: '5m',
  uses: [getCurrentSupply, listLatestPrimaryNetworkBlocks],
  metrics: [supplyTokens, differenceTokens],
  memory,
  subjects: ({ subnets, data_api }) =>
    subnets.map(({ id, name }) => ({
      id,
      name,
      labels: { subnet: name },
      dataNetwork: id === PRIMARY_NETWORK_ID ? data_api?.network : undefined,
    })),
  estimate: ({ dataNetwork }) => ({
    calls: [getCurrentSupply, { operation: listLatestPrimaryNetworkBlocks, times: dataNetwork ? 1 : 0 }],
    series: dataNetwork ? 2 : 1,
  }),
  async collect({ subject: { id, dataNetwork }, memory: before = { stated: [] }, now, call, attempt }) {
    // A subnet without its own staking token has none.
    const withoutSupply = unsupportedIfNotFound('the subnet has no supply')
    const { value, at } = await call(getCurrentSupply, { subnetID: id }).catch(withoutSupply)
    const height =
      value.height === undefined ? before.height : updateTotal(value.height, before.height, now, growth.accepted)
    const refused = value.height !== undefined && height && refusalOf(height, OLDER)
    if (refused) return { samples: [], memory: { ...before, height }, refused }
    const samples = [supplyTokens.sample({}, toTokens(value.supply))]
    if (!dataNetwork) return { samples, memory: { stated: [], height } }
    const newest = { supply: String(value.supply), height: value.height?.toString(), time: at.wall / 1_000 }
    const stated = [newest, ...before.stated].slice(0, KEPT)
    const asked = { chain: 'P', network: dataNetwork, blockchainId: 'p-chain' } as const
    const listed = await attempt((ask) => listedBlocks(ask.call, asked, now))
    const difference = { name: 'difference', of: [listed], samples: differenceSamples(stated, listed.value ?? []) }
    return { samples, parts: [difference], memory: { stated, height } }
  },
})

function differenceSamples(newestFirst: readonly Stated[], blocks: readonly Block[]): Sample[] {
  for (const stated of newestFirst) {
    const then = supplyAt(stated, blocks)
    if (then !== undefined) return [differenceTokens.sample({}, toTokens(BigInt(stated.supply) - then))]
  }
  return []
}

/** The supply in the blocks of the same moment; undefined if several blocks match and differ. */
function supplyAt({ height, time }: Stated, blocks: readonly Block[]): bigint | undefined {
  const meant =
    height === undefined ? blocksAround(time, blocks) : blocks.filter((block) => String(block.blockNumber) === height)
  const [first, ...others] = meant.map(({ currentSupply }) => currentSupply)
  return others.every((other) => other === first) ? first : undefined
}

/** The blocks that may have been the newest at that time; none if the list may lack one of them. */
function blocksAround(time: number, newestFirst: readonly Block[]): readonly Block[] {
  const before = newestFirst.find(({ blockTimestamp }) => blockTimestamp < time - APART)
  const [head] = newestFirst
  if (!head || !before || head.blockTimestamp <= time + APART) return []
  const around = newestFirst.filter(
    ({ blockNumber, blockTimestamp }) => blockNumber >= before.blockNumber && blockTimestamp <= time + APART,
  )
  return BigInt(around.length) > around[0]!.blockNumber - before.blockNumber ? around : []
}

const OLDER = 'the supply is that of a lower height than one stated before'
