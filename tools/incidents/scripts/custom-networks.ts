// What happens to a network that only nodes tell of, and to chains while the data service is behind on others.

import { action, fault, type Incident, pages, warns } from '../incident.ts'

const halt = (chain: string) => [action({ kind: 'halt-chain', chain })]

export const customNetworks: readonly Incident[] = [
  {
    name: 'the P-Chain stalls where only nodes tell of it',
    minutes: 12,
    scenery: { isNodesOnly: true },
    orders: () => ({ 0: halt('P') }),
    alerts: [pages('StakewatchChainStalled', [{ chain: 'p-chain' }], { at: 2 })],
  },
  {
    name: 'the C-Chain, whose number is not configured, stalls where only nodes tell of it',
    minutes: 12,
    scenery: { isNodesOnly: true },
    orders: () => ({ 0: halt('C') }),
    alerts: [pages('StakewatchChainStalled', [{ chain: 'c-chain' }], { at: 2 })],
  },
  {
    name: 'a wallet runs low where only nodes tell of it',
    minutes: 30,
    scenery: { isNodesOnly: true },
    orders: ({ vault }) => ({ 0: [action({ kind: 'drain', chain: 'P', address: vault })] }),
    // Balances are read four times an hour.
    alerts: [pages('StakewatchWalletLow', [{ address: 'vault', chain: 'p-chain' }], { within: 21 })],
  },
  {
    name: 'the data service falls behind on two chains, and a third one stalls',
    minutes: 40,
    orders: () => ({
      0: [fault('data', { kind: 'cached' }, 'list-latest-evm-blocks')],
      20: halt('P'),
    }),
    alerts: [
      warns('StakewatchDataServiceBehind', [{ chain: 'c-chain' }, { chain: 'orchard' }], { at: 5, within: 6 }),
      pages('StakewatchChainStalled', [{ chain: 'p-chain' }], { at: 22 }),
    ],
  },
]
