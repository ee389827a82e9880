// Chains and nodes: whether chains move, and whether the nodes that tell of them can be believed.

import { chains as ofChain, evm, heads } from './chains/chains.ts'
import { dashboard, ofNodes } from './dashboard.ts'
import { attention, nodes } from './nodes/nodes.ts'
import { ofChains } from './select.ts'

export const chains = dashboard(
  {
    page: 'chains',
    title: 'Chains and nodes',
    description: 'Whether the chains move, and whether the nodes that tell of them can be believed.',
    links: [ofNodes],
  },
  ofChains,
  { 'What needs attention': [...attention, heads], Nodes: nodes, Chains: ofChain, 'EVM chains and gas': evm },
)
