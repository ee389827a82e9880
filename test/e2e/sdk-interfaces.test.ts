// The node's own SDK against simulated nodes in the live dialect: what nodes report about themselves. The SDK reads
// the answers of a chain with an EVM; of the others it is the witness of path, methods and parameters. What it asks stands in
// the cases of each operation (`witnessed`), and each answer is compared here with the world.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCases, type Sdks, type Seen } from '../operations/cases.ts'
import { nodeSdk, startLive } from './support/sdk.ts'

let network: Awaited<ReturnType<typeof startLive>>['network']
let sdks: Sdks
let seen: Seen
beforeAll(async () => {
  const live = await startLive()
  ;({ network } = live)
  const { world } = live
  const { url, nodeId } = network.nodes[0]!
  seen = {
    world,
    self: world.validators.all.get(nodeId)!,
    l1: world.l1s.all.find(({ name }) => name === 'orchard')!,
  }
  sdks = {
    node: await nodeSdk(url),
    cChain: await nodeSdk(`${url}/ext/bc/C/rpc`),
    l1Chain: await nodeSdk(`${url}/ext/bc/${seen.l1.blockchainId}/rpc`),
  }
})
afterAll(() => network.stop())

const rows = (await allCases()).flatMap(({ operation, witnessed = [] }) =>
  witnessed.map((one) => [operation, one.what, one] as const),
)

test.each(rows)('%s: %s', async (_, _what, { asks, finds }) => {
  expect({ answer: await asks(sdks, seen) }).toMatchObject({ answer: finds(seen) })
})
