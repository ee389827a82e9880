// The profiles that a simulated node writes: it says what they are, as there is nothing to measure.

import { refusal } from '../node/node-words.ts'
import { nodeOf, type Place } from '../handler.ts'

/** Times are the network's. */
export function writeProfile(place: Place, file: string, of: string, since = place.world.now()): void {
  const { nodeId, writeProfile: write } = nodeOf(place)
  const [from, to] = [since, place.world.now()].map((seconds) => new Date(seconds * 1_000).toISOString())
  const text = `${JSON.stringify({ profile: of, of: 'a simulated node, which has nothing to measure', nodeId, from, to })}\n`
  try {
    write(file, text)
  } catch (error) {
    throw refusal(`couldn't write ${file}: ${(error as Error).message}`)
  }
}
