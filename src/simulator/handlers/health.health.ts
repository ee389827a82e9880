// health.health: the checks that a node makes of itself and of the chains that it runs.

import { health } from '../../operations/node/info.ts'
import { healthOf } from '../node/health-rounds.ts'
import { handles } from '../handler.ts'

export const handleHealth = handles(health, (place, { tags }) => healthOf(place, 'health', tags))
