// listed-chains: whether the data service has the configured EVM chains and reaches their nodes; if not, its data about
// them is missing or old. Supported chains (beyond the documents).

import { BaseError } from '../../errors.ts'
import { ofChain } from '../../metrics/define.ts'
import { supportedChains } from '../../operations/data/chains.ts'
import { knownSpelling } from '../answers/spelling.ts'
import { defineCollector } from '../define.ts'
import { evmChains } from '../subjects/evm-chains.ts'

const state = ofChain.stateSet('stakewatch_evm_listed_state', {
  help: 'State of the EVM chain in the data service: 1 for the current one (supported-chains).',
  details:
    "`ok`: the service reaches the chain's nodes; `unavailable`: it does not; `unlisted`: it does not have the chain.",
  states: ['ok', 'unavailable', 'unlisted', 'other'],
})

export const listedChains = defineCollector({
  name: 'listed-chains',
  about: 'Whether the data service has the configured EVM chains and reaches their nodes.',
  every: '5m',
  uses: [supportedChains],
  metrics: [state],
  // One run for all of them, as there is one list.
  subjects: (network) => {
    const chains = evmChains(network)
    if (!network.data_api || chains.length === 0) return []
    return [{ name: 'all', labels: {}, network: network.data_api.network, chains }]
  },
  estimate: ({ chains }) => ({ series: state.states.length * chains.length }),
  async collect({ subject: { network, chains }, call, flawed }) {
    const { value, dropped } = await call(supportedChains, { network })
    const statuses = new Map(value.chains.map(({ chainId, status }) => [chainId, status]))
    const missing = chains.find(({ chainId }) => !statuses.has(chainId))
    if (dropped > 0 && missing) {
      flawed(new BaseError('bad_response', `chain ${missing.name} may be among the unreadable records`))
    }
    return {
      samples: chains.flatMap(({ name: chain, chainId }) => {
        const status = statuses.get(chainId)
        if (status === undefined && dropped > 0) return []
        const current = status === undefined ? 'unlisted' : (knownSpelling(['ok', 'unavailable'], status) ?? 'other')
        return state.sample({ chain }, current)
      }),
    }
  },
})
