// index-head: whether each node has the index that the configuration declares, and how far it reaches.
// index.getLastAccepted (document 2, Index interface).

import { opinionOfChain } from '../../metrics/define.ts'
import { getLastAccepted } from '../../operations/node/indexes.ts'
import { isUnsupported } from '../answers/not-found.ts'
import { believedType, growth, inFuture, refusalOf, updateTotal } from '../counting/believed.ts'
import { isInFuture } from '../../lib/clock.ts'
import { defineCollector } from '../define.ts'
import { type Container, indexedChains, newestContainer, SHORTER, sizeOf } from './indexes.ts'

const reachable = opinionOfChain.gauge('stakewatch_node_index_reachable', {
  help: 'Whether the node serves the index of the chain: 1 or 0 (index.getLastAccepted).',
  details: 'Only for nodes configured with `index: true`; absent while the node is starting or does not answer.',
})
const lastAccepted = opinionOfChain.gauge('stakewatch_index_last_accepted', {
  help: "Position of the newest container in the node's index, counted from 0 (index.getLastAccepted).",
  labels: ['index'],
})
const lastAcceptedTime = opinionOfChain.gauge('stakewatch_index_last_accepted_timestamp_seconds', {
  is: 'past',
  help: 'When the node accepted the newest container in its index, by its own clock (index.getLastAccepted).',
  details: 'While the node catches up, this is later than when the network accepted it.',
  labels: ['index'],
})

export const indexHead = defineCollector({
  name: 'index-head',
  about: 'Whether nodes that are configured with an index have one, and its newest block on the P-, X- and C-Chain.',
  every: '1m',
  uses: [getLastAccepted],
  observer: 'each',
  isObserver: ({ index }) => index,
  metrics: [reachable, lastAccepted, lastAcceptedTime],
  memory: believedType,
  subjects: indexedChains,
  estimate: () => ({ series: 3 }),
  async collect({ subject: { of }, memory: before, now, call }) {
    let newest: Container | undefined
    try {
      newest = await newestContainer(call, of)
    } catch (error) {
      if (!isUnsupported(error)) throw error
      return { samples: [reachable.sample({}, 0)] }
    }
    const memory = updateTotal(sizeOf(newest), before, now, growth.accepted)
    const refused = refusalOf(memory, SHORTER)
    if (refused) return { samples: [], memory, refused }
    if (newest && isInFuture(newest.timestamp, now)) return { samples: [], refused: inFuture('the newest container') }
    const isThere = reachable.sample({}, 1)
    if (!newest) return { samples: [isThere], memory }
    const index = of.kind
    return {
      samples: [
        isThere,
        lastAccepted.sample({ index }, newest.index),
        lastAcceptedTime.sample({ index }, newest.timestamp),
      ],
      memory,
    }
  },
})
