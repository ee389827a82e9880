// index.getContainerRange: as many as there are from a position on.

import { getContainerRange } from '../../operations/node/indexes.ts'
import { badNumToFetch, refusal } from '../node/node-words.ts'
import { handles } from '../handler.ts'
import { containerRecord, containersOf } from './container.ts'

/** The definition keeps to it already; a live node says so in its own words. */
const MOST = 1_024

export const handleGetContainerRange = handles(getContainerRange, (place, asked) => {
  const { startIndex, numToFetch } = asked
  const isLive = place.dialect === 'live'
  if (isLive && (numToFetch < 1 || numToFetch > MOST)) throw badNumToFetch(numToFetch, 1)
  if (numToFetch === 0) return null
  const last = containersOf(place, asked).last()
  if (last < 0) throw refusal('no containers have been accepted')
  if (startIndex > last) throw refusal(`start index (${startIndex}) > last accepted index (${last})`)
  const start = Number(startIndex)
  const count = Math.min(numToFetch, last - start + 1)
  const containers = Array.from({ length: count }, (_, at) => containerRecord(place, asked, start + at))
  return isLive ? { containers } : containers
})
