// Whether a shard has anything to do.

import { collectors } from '../collectors/index.ts'
import type { Config } from '../config/schema.ts'
import type { Shard } from '../lib/shard.ts'
import { planOf } from '../scheduler/shard.ts'

export function isIdle(config: Config, shard: Shard): boolean {
  return planOf(config, collectors, shard).length === 0
}
