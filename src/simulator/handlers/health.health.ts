// health.health: the checks that a node makes of itself and of the chains that it runs.

import { health } from '../../operations/node/health.health.ts'
import { healthOf } from '../health.ts'
import { handles } from '../serve.ts'

export const handleHealth = handles(health, (place, { tags }) => healthOf(place, 'health', tags))
