// List UTXOs: what wallets have.

import { listUtxos } from '../../operations/data/utxos.ts'
import { handles } from '../handler.ts'
import { utxosOf } from './utxos.ts'

export const handleListUtxos = handles(listUtxos, utxosOf)
