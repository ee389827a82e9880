// evm-node-heads: the newest block of each EVM chain on each node, and the price of the next one. For chains that no
// data service lists, this is the source of height, age and fee. eth_getBlockByNumber, eth_baseFee, eth_chainId (the
// chain's own interface on a node).

import { BaseError } from '../../errors.ts'
import { isInFuture } from '../../lib/clock.ts'
import { toTokens } from '../../lib/units.ts'
import { opinionOfChain, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { ethBaseFee, ethChainId, ethGetBlockByNumber } from '../../operations/node/chains.ts'
import { health } from '../../operations/node/info.ts'
import { CHAIN_STATES, chainStateBy, chainStates } from '../answers/chain-state.ts'
import { believedType, growth, inFuture, refusalOf, updateTotal } from '../counting/believed.ts'
import { defineCollector } from '../define.ts'
import { possiblyEvmChains } from '../subjects/evm-chains.ts'

const chainState = opinionOfChain.stateSet('stakewatch_node_evm_chain_state', {
  help: 'State of the EVM chain on the node: 1 for the current one (eth_getBlockByNumber, health.health).',
  details: CHAIN_STATES,
  states: chainStates,
})
const headHeight = opinionOfChain.gauge('stakewatch_node_evm_head_height', {
  help: "Height of the EVM chain's newest block on the node (eth_getBlockByNumber).",
})
const headTimestamp = opinionOfChain.gauge('stakewatch_node_evm_head_timestamp_seconds', {
  is: 'past',
  help: "Time of the EVM chain's newest block on the node (eth_getBlockByNumber).",
})
const gasUsed = opinionOfChain.gauge('stakewatch_node_evm_head_gas_used_ratio', {
  is: 'share',
  help: "Share of its gas limit that the EVM chain's newest block on the node used (eth_getBlockByNumber).",
})
const baseFee = opinionOfChain.gauge('stakewatch_node_evm_base_fee_tokens', {
  help: "Base fee per gas reported by the node, in the chain's own token (eth_getBlockByNumber, eth_baseFee).",
  details: '`newest`: of the newest block; `next`: of a block made now, which is lower after a pause.',
  labels: ['block'],
})

type Block = AnswerOf<typeof ethGetBlockByNumber>

export const evmNodeHeads = defineCollector({
  name: 'evm-node-heads',
  about: 'Newest block of each EVM chain on each node, with its age, gas and fee, and the state of the chain.',
  every: '1m',
  uses: [ethGetBlockByNumber, ethBaseFee, ethChainId, health],
  observer: 'each',
  isEssential: true,
  metrics: [chainState, headHeight, headTimestamp, gasUsed, baseFee],
  memory: believedType,
  // Nodes need no chain id, so a custom network need not configure one.
  subjects: possiblyEvmChains,
  // The chain id is asked for once an hour.
  estimate: () => ({ calls: [ethGetBlockByNumber, ethBaseFee], series: chainStates.length + 5 }),
  async collect({ subject: { blockchain: chain, chainId, decimals }, memory: before, now, call, attempt }) {
    let head: Block
    try {
      // A node that has just started does not serve its chains yet.
      head = (await call(ethGetBlockByNumber, { chain }, { maxAge: '0s' })).value
    } catch (error) {
      const state = await chainStateBy(error, { id: chain }, call)
      // A node that runs a chain without an EVM answers like one that does not track it.
      const isEvm = chainId !== undefined || chain === 'C'
      return { samples: state === 'untracked' && !isEvm ? [] : [chainState.sample({}, state)] }
    }
    if (chainId !== undefined) {
      const { value: served } = await call(ethChainId, { chain }, { maxAge: '1h' })
      const details = `its eth_chainId is ${served}`
      if (String(served) !== chainId)
        throw new BaseError('bad_response', 'the node serves another EVM chain than `evm_chain_id` says', { details })
    }
    const memory = updateTotal(head.number, before, now, growth.accepted)
    const refused = refusalOf(memory, "the node's newest block is older than a previous one")
    if (refused) return { samples: [], memory, refused }
    if (isInFuture(head.timestamp, now)) return { samples: [], refused: inFuture('the newest block') }
    const next = await attempt((ask) => ask.call(ethBaseFee, { chain }))
    const fee = next.value?.value
    return {
      samples: [chainState.sample({}, 'running'), ...headSamples(head, decimals)],
      parts: [{ name: 'next fee', of: [next], samples: baseFee.ifKnown({ block: 'next' }, toTokens(fee, decimals)) }],
      memory,
    }
  },
})

function headSamples(
  { number, timestamp, gasLimit, gasUsed: used, baseFeePerGas: fee }: Block,
  decimals: number,
): Sample[] {
  return [
    headHeight.sample({}, number),
    headTimestamp.sample({}, timestamp),
    ...(gasLimit === 0n ? [] : [gasUsed.sample({}, Number(used) / Number(gasLimit))]),
    // A block under the oldest rules has no such fee.
    ...baseFee.ifKnown({ block: 'newest' }, toTokens(fee, decimals)),
  ]
}
