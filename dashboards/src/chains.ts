// Chains and nodes: whether chains advance, and whether the nodes that report them can be trusted.

import { chains as ofChain, evm, heads } from './chains/chains.ts'
import { dashboard, ofNodes } from './dashboard.ts'
import { attention, nodes } from './nodes/nodes.ts'
import { firingTable, texts } from './firing.ts'
import { ofChains } from './select.ts'

const ofNone = ['subnet=""', 'validator=""', 'address=""', 'collector=""']
const firingChains = firingTable({
  title: 'Alerts about chains and nodes',
  about: 'chains and nodes',
  height: 6,
  of: [
    ['chain=~"$chain"', 'source=~"$source|"', ...ofNone],
    ['source=~"$source"', 'chain=""', ...ofNone],
  ],
})

export const chains = dashboard(
  {
    page: 'chains',
    title: 'Chains and nodes',
    description: 'Whether the chains advance, and whether the nodes that report them can be trusted.',
    links: [ofNodes],
    texts,
  },
  ofChains,
  {
    'What needs attention': [firingChains, ...attention, heads],
    Nodes: nodes,
    Chains: ofChain,
    'EVM chains and gas': evm,
  },
)
