// List UTXOs (v2): the same for many addresses, posted.

import { listUtxosV2 } from '../../operations/data/utxos.ts'
import { handles } from '../handler.ts'
import { utxosOf } from './utxos.ts'

export const handleListUtxosV2 = handles(listUtxosV2, utxosOf)
