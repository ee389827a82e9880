// Get aggregated signatures: what the P-Chain says to an L1 about its validators, by the transaction that changed them.

import { getAggregatedSignatures } from '../../operations/data/signatures.ts'
import { handles, Refusal } from '../handler.ts'
import { chainIds } from '../world/fixed-ids.ts'
import { signersOf, unsignedMessage } from '../world/warp.ts'
import { mustBeFuji } from './must-be-fuji.ts'
import { collectSignatures } from './signatures.ts'

export const handleGetAggregatedSignatures = handles(
  getAggregatedSignatures,
  ({ world, dialect }, { network, txHash }) => {
    mustBeFuji(network)
    const subnetId = world.ledger.find(txHash)?.facts.l1Validators?.[0]?.subnetId
    const signers = subnetId === undefined ? undefined : signersOf(world, subnetId)
    if (!signers) throw new Refusal(404, `no transaction ${txHash} that concerns the validators of an L1`)
    const message = unsignedMessage(chainIds.P, Buffer.from(txHash))
    return { signedMessage: collectSignatures(message, signers, { needed: 67, triedFor: 67 }, dialect) }
  },
)
