import { createHash } from 'node:crypto'
import { NODE_ID_PREFIX, toCb58 } from '../src/lib/ids.ts'
export const nodeIdOf = (i: number): string =>
  NODE_ID_PREFIX + toCb58(createHash('sha256').update(String(i)).digest().subarray(0, 20))
