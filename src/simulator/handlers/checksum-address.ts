// Addresses of EVM chains as the live service writes them: their capitals are a checksum (EIP-55).

import { toEvmAddress } from '../../lib/ids.ts'
import type { Dialect } from '../handler.ts'

export function addressIn(address: string, dialect: Dialect): string {
  return dialect === 'live' ? toEvmAddress(address) : address
}
