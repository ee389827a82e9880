// The X-Chain's own interface. avalanchego, vms/avm/service.go: GetHeight replies with api.GetHeightResponse.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'avm.getHeight',
  asks: [{ params: {}, request: 'POST /ext/bc/X', body: {} }],
  refuses: [],
  answers: [{ fixture: 'node/avm.getHeight.live', value: { height: 12_345_678n } }],
  amounts: [{ item: '{"height":@}', path: 'height', isRequired: true }],
}
