// Blockchain details (document 1, operation 16), on the wire.

import { expect, test } from 'vitest'
import { chainIds } from '../../src/simulator/world/fixed-ids.ts'
import { ask, networkOfFile } from './network.ts'

const network = await networkOfFile({ speed: 0 })

const details = async (id: string, { dataUrl } = network, name = 'fuji') =>
  ask(`${dataUrl}/v1/networks/${name}/blockchains/${id}`)
const GAS = 12_000_000

test('of an L1 with an EVM, with the genesis that its blocks keep to', async () => {
  const { blockchainId, subnetId, name, evmChainId } = network.world.l1s.all[0]!
  const { body } = await details(blockchainId)
  expect(body).toMatchObject({
    createBlockTimestamp: network.world.chains.P.time(0),
    createBlockNumber: '0',
    blockchainId,
    vmId: 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy',
    subnetId,
    blockchainName: name,
    evmChainId,
    genesisData: {
      airdropAmount: null,
      gasLimit: '0xb71b00',
      config: { chainId: evmChainId, feeConfig: { gasLimit: GAS } },
    },
  })
  const chain = network.world.evm[1]!
  expect(chain.block(chain.head())).toMatchObject({ gasLimit: GAS })
})

test.each([
  ['the P-Chain, which no transaction created', '11111111111111111111111111111111LpoYY', 'fuji'],
  ['an id of no chain', 'nothing', 'fuji'],
  ['another network', chainIds.C, 'mainnet'],
])('%s is not there', async (_, id, name) => {
  const { status, body } = await details(id, network, name)
  expect([status, body]).toEqual([404, { statusCode: 404, error: 'Not Found', message: `blockchain ${id} not found` }])
})
