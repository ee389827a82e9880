// List ICM messages by address: those that an address sent or gets, newest first.

import { listIcmMessagesByAddress } from '../../operations/data/messages.ts'
import { handles } from '../handler.ts'
import { pageOfMessages } from './icm-record.ts'

export const handleListIcmMessagesByAddress = handles(
  listIcmMessagesByAddress,
  (place, { address: given, network, pageToken, pageSize }) => {
    const address = given.toLowerCase()
    return pageOfMessages(place, {
      list: ['icm of', address, network].join(' '),
      pageToken,
      pageSize,
      network,
      after: (last) => place.world.icm.sentWith(address, last),
    })
  },
)
