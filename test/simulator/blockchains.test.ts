// Blockchain details (document 1, operation 16), on the wire.

import { expect, test } from 'vitest'
import { chainIds } from '../../src/simulator/world/fixed-ids.ts'
import { ask, networkOfFile } from './network.ts'

const network = await networkOfFile({ speed: 0 })

const details = async (id: string, { dataUrl } = network, name = 'fuji') =>
  ask(`${dataUrl}/v1/networks/${name}/blockchains/${id}`)
test.each([
  ['the P-Chain, which no transaction created', '11111111111111111111111111111111LpoYY', 'fuji'],
  ['an id of no chain', 'nothing', 'fuji'],
  ['another network', chainIds.C, 'mainnet'],
])('%s is not there', async (_, id, name) => {
  const { status, body } = await details(id, network, name)
  expect([status, body]).toEqual([404, { statusCode: 404, error: 'Not Found', message: `blockchain ${id} not found` }])
})
