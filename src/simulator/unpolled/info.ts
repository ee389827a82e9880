// What the info interface of a node tells besides the operations.

import { pathOf } from '../../operations/define.ts'
import { getNodeID } from '../../operations/node/info.getNodeID.ts'
import { chainIdOf, runsChain } from '../node/node-state.ts'
import { noSuchChain } from '../node/node-words.ts'
import { nodeOf } from '../handler.ts'
import { AVM, blockchainsOf, EVM, PLATFORM } from '../world/blockchains.ts'
import { methodsAt, named, plain } from './define.ts'

/** Extensions of the X-Chain and the P-Chain, which every node has. */
const fxs = {
  qd2U4HDWUvMrVUeTcCHp6xH3Qpnn1XbU5MDdnBoiifFqvgXwT: 'nftfx',
  rXJsCSEYXg2TehWxCEEGj6JU2PWKTkd6cBdNLjoe2SpsKD9cy: 'propertyfx',
  spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ: 'secp256k1fx',
}

/** Fixed fees, smallest unit: what nodes still tell since fees depend on the demand. */
const txFees = {
  txFee: '1000000',
  createAssetTxFee: '1000000',
  createSubnetTxFee: '100000000',
  transformSubnetTxFee: '100000000',
  createBlockchainTxFee: '100000000',
  addPrimaryNetworkValidatorFee: '0',
  addPrimaryNetworkDelegatorFee: '0',
  addSubnetValidatorFee: '1000000',
  addSubnetDelegatorFee: '1000000',
}

export const infoMethods = methodsAt(pathOf(getNodeID), {
  // Nobody proposes anything at the moment.
  'info.acps': plain(() => ({ acps: {} })),
  'info.getBlockchainID': named<{ alias: string }>(['alias'], (place, { alias }) => {
    const node = nodeOf(place)
    const id = chainIdOf(node, place.world, alias)
    // A node knows the chains of the primary network before it runs them.
    const isKnown = id !== undefined && (node.chainAliases.has(id) || runsChain(node, place.world, id))
    if (!isKnown) throw noSuchChain(alias)
    return { blockchainID: id }
  }),
  'info.getNetworkName': plain(() => ({ networkName: 'fuji' })),
  'info.getNodeIP': plain(() => ({ ip: '127.0.0.1:9651' })),
  'info.getTxFee': plain(() => txFees),
  'info.getVMs': plain((place) => {
    const { plugins } = nodeOf(place)
    const installed = [...plugins].flatMap(([id, one]) => ('aliases' in one ? [[id, one.aliases] as const] : []))
    const used = blockchainsOf(place.world).map(({ vmId }) => [vmId, []] as const)
    const own = { [AVM]: ['avm'], [EVM]: ['evm'], [PLATFORM]: ['platform'] }
    return { vms: { ...Object.fromEntries([...used, ...installed]), ...own }, fxs }
  }),
})
