// index.getContainerRange: as many as there are from a position on.

import { getContainerRange } from '../../operations/node/index.getContainerRange.ts'
import { badNumToFetch, refusal } from '../node-words.ts'
import { handles } from '../serve.ts'
import { containerRecord, containersOf } from './container.ts'

export const handleGetContainerRange = handles(getContainerRange, (place, asked) => {
  const { startIndex, numToFetch } = asked
  const isLive = place.dialect === 'live'
  if (numToFetch === 0) {
    if (isLive) throw badNumToFetch(0, 'live')
    return null
  }
  const last = containersOf(place, asked).last()
  if (last < 0) throw refusal('no containers have been accepted')
  if (startIndex > last) throw refusal(`start index (${startIndex}) > last accepted index (${last})`)
  const start = Number(startIndex)
  const count = Math.min(numToFetch, last - start + 1)
  const containers = Array.from({ length: count }, (_, at) => containerRecord(place, asked, start + at))
  return isLive ? { containers } : containers
})
