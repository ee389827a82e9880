// Aggregate signatures: the validators of a subnet sign a message, if those that can be reached have weight enough.

import { aggregateSignatures } from '../../operations/data/signatures.ts'
import { handles, Refusal } from '../handler.ts'
import { toCb58 } from '../../lib/ids.ts'
import { chainIds } from '../world/fixed-ids.ts'
import { signersOf, sourceOf, subnetOf, unsignedMessage } from '../world/warp.ts'
import { mustBeFuji } from './must-be-fuji.ts'
import { collectSignatures } from './signatures.ts'

export const handleAggregateSignatures = handles(aggregateSignatures, ({ world, dialect }, given) => {
  const { network, justification = '', quorumPercentage, quorumPercentageBuffer, pChainHeight } = given
  mustBeFuji(network)
  if (pChainHeight > BigInt(world.chains.P.head())) {
    throw new Refusal(400, `pChainHeight ${pChainHeight} is above the newest block`)
  }
  // What a justification alone speaks for is a message of the P-Chain.
  const message =
    given.message === undefined
      ? unsignedMessage(chainIds.P, bytesOf('justification', justification))
      : bytesOf('message', given.message)
  const source = sourceOf(message)
  if (source === undefined) throw new Refusal(400, 'message is no unsigned message of this network')
  const subnetId = given.signingSubnetId === undefined ? subnetOf(world, source) : idOf(given.signingSubnetId)
  if (subnetId === undefined) throw new Refusal(400, `the source blockchain ${source} is unknown`)
  const signers = signersOf(world, subnetId)
  if (!signers) throw new Refusal(400, `the signing subnet ${subnetId} is unknown`)
  const triedFor = quorumPercentage + quorumPercentageBuffer
  return { signedMessage: collectSignatures(message, signers, { needed: quorumPercentage, triedFor }, dialect) }
})

function bytesOf(name: string, text: string): Uint8Array {
  const digits = text.replace(/^0x/, '')
  if (digits.length % 2 !== 0) throw new Refusal(400, `${name} must have an even number of digits`)
  return Buffer.from(digits, 'hex')
}

/** The same id in base58, however it was given. */
function idOf(text: string): string {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]
  return digits === undefined ? text : toCb58(Buffer.from(digits, 'hex'))
}
