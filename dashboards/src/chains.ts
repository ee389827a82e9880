// Chains and nodes: whether chains advance, and whether the nodes that report them can be trusted.

import { chains as ofChain, evm, heads } from './chains/chains.ts'
import { dashboard, ofNodes } from './dashboard.ts'
import { attention, nodes } from './nodes/nodes.ts'
import { ofChains } from './select.ts'

export const chains = dashboard(
  {
    page: 'chains',
    title: 'Chains and nodes',
    description: 'Whether the chains advance, and whether the nodes that report them can be trusted.',
    links: [ofNodes],
  },
  ofChains,
  { 'What needs attention': [...attention, heads], Nodes: nodes, Chains: ofChain, 'EVM chains and gas': evm },
)
