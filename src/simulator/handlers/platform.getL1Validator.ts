// platform.getL1Validator: by the id of its validation, as of the newest block.

import { getL1Validator } from '../../operations/node/platform.getL1Validator.ts'
import { refusal } from '../node-words.ts'
import { handles } from '../serve.ts'
import { newestBlockTime } from './newest-block.ts'

export const handleGetL1Validator = handles(getL1Validator, ({ world }, { validationID }) => {
  const { l1s, chains } = world
  const subnet = l1s.all.find(({ validators }) => validators.some((one) => one.validationId === validationID))
  const found = l1s.find(validationID)
  if (!subnet || !found) throw refusal(`fetching L1 validator "${validationID}" failed: not found`)
  const owner = { locktime: '0', threshold: '1', addresses: [`P-${found.owner}`] }
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
