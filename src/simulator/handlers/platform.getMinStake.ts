// platform.getMinStake: of the test network.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getMinStake } from '../../operations/node/platform-subnets.ts'
import { refusal } from '../node/node-words.ts'
import { handles } from '../handler.ts'

export const handleGetMinStake = handles(getMinStake, (_, { subnetID = PRIMARY_NETWORK_ID }) => {
  if (subnetID !== PRIMARY_NETWORK_ID) {
    throw refusal(`failed fetching subnet transformation for ${subnetID}: not found`)
  }
  return { minValidatorStake: '1000000000', minDelegatorStake: '1000000000' }
})
