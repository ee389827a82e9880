// platform.getL1Validator: by the id of its validation, as of the newest block.

import { getL1Validator } from '../../operations/node/platform-validators.ts'
import { refusal } from '../node/node-words.ts'
import { handles } from '../handler.ts'
import { newestBlockTime } from './newest-block.ts'
import { ownerOf } from './owner-record.ts'

export const handleGetL1Validator = handles(getL1Validator, ({ world }, { validationID }) => {
  const { l1s, chains } = world
  const subnet = l1s.ofValidation(validationID)
  const found = l1s.find(validationID)
  if (!subnet || !found) throw refusal(`fetching L1 validator "${validationID}" failed: not found`)
  const owner = ownerOf(found.owner)
  return {
    nodeID: found.nodeId,
    weight: String(found.weight),
    startTime: String(found.start),
    validationID,
    publicKey: found.publicKey,
    remainingBalanceOwner: owner,
    deactivationOwner: owner,
    minNonce: String(found.minNonce),
    balance: String(l1s.balance(found, newestBlockTime(world))),
    subnetID: subnet.subnetId,
    height: String(chains.P.head()),
  }
})
