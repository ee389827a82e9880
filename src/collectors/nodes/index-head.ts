// index-head: how far each node's index of accepted blocks reaches. index.getLastAccepted (document 2, Index interface).

import { gauge } from '../../metrics/define.ts'
import { getLastAccepted } from '../../operations/node/index.getLastAccepted.ts'
import { believed, believedType } from '../counting/believed.ts'
import { defineCollector } from '../define.ts'
import { indexedChains, newestContainer, shorterThanBefore, sizeOf } from './indexes.ts'

const lastAccepted = gauge({
  name: 'stakewatch_index_last_accepted',
  help: 'Position of the newest container in the index of the node `source`; the first one is 0 (index.getLastAccepted).',
  of: 'chain',
  opinion: true,
  labels: ['index'],
})
const lastAcceptedTime = gauge({
  name: 'stakewatch_index_last_accepted_timestamp_seconds',
  help: 'When the node `source` accepted the newest container in its index; of what it caught up on, when it did (index.getLastAccepted).',
  of: 'chain',
  opinion: true,
  labels: ['index'],
})

export const indexHead = defineCollector({
  name: 'index-head',
  about: 'How far the index of each node that has one reaches, on the P-, X- and C-Chain.',
  every: '1m',
  uses: [getLastAccepted],
  observer: 'each',
  isObserver: ({ index }) => index,
  metrics: [lastAccepted, lastAcceptedTime],
  memory: believedType,
  subjects: indexedChains,
  estimate: () => ({ calls: [{ operation: getLastAccepted, times: 1 }], series: 2 }),
  async collect({ subject: { of }, memory: before, now, call }) {
    const newest = await newestContainer(call, of)
    const memory = believed(sizeOf(newest), before, now)
    if (memory.refused) return { samples: [], memory, refused: shorterThanBefore() }
    if (!newest) return { samples: [], memory }
    const index = of.kind
    return {
      samples: [
        lastAccepted.sample({ index }, Number(newest.index)),
        lastAcceptedTime.sample({ index }, newest.timestamp),
      ],
      memory,
    }
  },
})
