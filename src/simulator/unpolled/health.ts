// The reports of a node on its health that have pages as well.

import { pathOf } from '../../operations/define.ts'
import { health } from '../../operations/node/health.health.ts'
import { healthOf } from '../node/health-rounds.ts'
import { methodsAt, named } from './define.ts'

interface Tagged {
  tags: readonly string[]
}

export const healthMethods = methodsAt(pathOf(health), {
  'health.liveness': named<Tagged>(['tags'], (place, { tags }) => healthOf(place, 'liveness', tags)),
  'health.readiness': named<Tagged>(['tags'], (place, { tags }) => healthOf(place, 'readiness', tags)),
})
