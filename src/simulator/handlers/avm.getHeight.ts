// avm.getHeight: the newest block of the X-Chain.

import { avmGetHeight } from '../../operations/node/chains.ts'
import { handles } from '../handler.ts'

export const handleAvmGetHeight = handles(avmGetHeight, ({ world }) => ({ height: String(world.chains.X.head()) }))
