// Signature aggregation over HTTP (document 1, operations 1 and 2).

import { describe, expect, test } from 'vitest'
import { readId } from '../../src/lib/ids.ts'
import type { L1 } from '../../src/simulator/world/l1.ts'
import { ask, EPOCH, networkOfFile, post } from './network.ts'

const network = await networkOfFile({ speed: 0 })

const PATH = '/v1/signatureAggregator/fuji/aggregateSignatures'
const C_CHAIN = '7fc93d85c6d62c5b2ac0b519c87010ea5294012d1e407030d6acd0021cac10d5'
const P_CHAIN = '00'.repeat(32)
const hexOf = (id: string) => Buffer.from(readId(id).value!).toString('hex')
/** Version 0, network 5, the source chain, and the length of what follows. */
const messageOf = (source: string, payload = 'c0ffee', networkId = '00000005') =>
  `0000${networkId}${source}${(payload.length / 2).toString(16).padStart(8, '0')}${payload}`
const l1 = (name: string): L1 => network.world.l1s.all.find((one) => one.name === name)!

/** A minute later on the clock, while the network stands still. */
async function aggregate(body: object, from = network) {
  from.clock.now += 60
  return post(from.dataUrl + PATH, body)
}
async function signed(body: object): Promise<string> {
  const answer = await aggregate(body)
  expect(answer.status).toBe(200)
  return (answer.body as { signedMessage: string }).signedMessage
}

/** Who signed, by the bits of the block after the message: type 0, the length of the bits, the bits, 96 bytes. */
function signersIn(signedMessage: string, message: string, nodeIds: readonly string[]): string[] {
  expect(signedMessage.startsWith(`0x${message}00000000`)).toBe(true)
  const block = signedMessage.slice(2 + message.length + 8)
  const length = Number.parseInt(block.slice(0, 8), 16)
  expect(block).toHaveLength(8 + 2 * length + 192)
  const bits = BigInt(`0x${block.slice(8, 8 + 2 * length)}`)
  return nodeIds.toSorted().filter((_, at) => (bits >> BigInt(at)) & 1n)
}
const sum = (weights: readonly bigint[]) => weights.reduce((total, one) => total + one, 0n)

/** The primary network as its first observer sees it. */
function primary() {
  return [...network.world.validators.all.values()].map(({ nodeId, weight, delegations, views }) => ({
    nodeId,
    weight: weight + sum(delegations.map((one) => one.weight)),
    isConnected: views.get(network.nodes[0]!.nodeId)!.since === undefined,
  }))
}
const weightOf = (nodeIds: readonly string[]) =>
  sum(primary().flatMap(({ nodeId, weight }) => (nodeIds.includes(nodeId) ? [weight] : [])))
const nodeIds = () => primary().map(({ nodeId }) => nodeId)
const total = () => weightOf(nodeIds())
/** The whole percentages of the weight that is connected. */
const reachable = () =>
  Number((100n * sum(primary().map(({ weight, isConnected }) => (isConnected ? weight : 0n)))) / total())

describe('aggregate signatures', () => {
  test.each([
    ['the C-Chain', C_CHAIN],
    ['the P-Chain', P_CHAIN],
  ])('a message of %s is signed by connected validators of the primary network', async (_, source) => {
    const message = messageOf(source)
    const signers = signersIn(await signed({ message, quorumPercentage: 50 }), message, nodeIds())
    expect(weightOf(signers) * 100n).toBeGreaterThanOrEqual(total() * 50n)
    const away = primary().filter(({ isConnected }) => !isConnected)
    expect(away.length).toBeGreaterThan(0)
    for (const { nodeId } of away) expect(signers).not.toContain(nodeId)
  })

  test('a buffer makes more validators sign, and does no harm where there are no more', async () => {
    const message = messageOf(C_CHAIN)
    const ask = async (quorumPercentage: number, quorumPercentageBuffer: number) =>
      weightOf(signersIn(await signed({ message, quorumPercentage, quorumPercentageBuffer }), message, nodeIds()))
    const [plain, more, all] = [await ask(20, 0), await ask(20, 20), await ask(20, 80)]
    expect(plain * 100n).toBeGreaterThanOrEqual(total() * 20n)
    expect(more * 100n).toBeGreaterThanOrEqual(total() * 40n)
    expect(more).toBeGreaterThan(plain)
    expect(Number((100n * all) / total())).toBe(reachable())
  })

  test('what is needed is met exactly, or the answer is 500 and says by how much it was missed', async () => {
    const message = messageOf(C_CHAIN)
    expect(reachable()).toBeLessThan(100)
    await signed({ message, quorumPercentage: reachable() })
    const { status, body } = await aggregate({ message, quorumPercentage: reachable() + 1 })
    expect([status, body]).toEqual([
      500,
      {
        statusCode: 500,
        error: 'Internal Server Error',
        message: expect.stringMatching(
          new RegExp(`^quorum not reached: ${reachable()}(\\.\\d+)? % of the weight signed, ${reachable() + 1} % are`),
        ),
      },
    ])
  })

  test('a justification alone speaks for a message of the P-Chain', async () => {
    const found = await signed({ justification: '0xabcdef', quorumPercentage: 50 })
    expect(signersIn(found, messageOf(P_CHAIN, 'abcdef'), nodeIds()).length).toBeGreaterThan(1)
  })

  test('the subnet of an L1 signs for its chain, and for others on request', async () => {
    const { blockchainId, subnetId, validators } = l1('orchard')
    const all = validators.map(({ nodeId }) => nodeId)
    const own = messageOf(hexOf(blockchainId))
    expect(signersIn(await signed({ message: own, quorumPercentage: 100 }), own, all)).toEqual(all.toSorted())
    const other = messageOf(C_CHAIN)
    for (const signingSubnetId of [subnetId, hexOf(subnetId), `0x${hexOf(subnetId).toUpperCase()}`]) {
      const found = await signed({ message: other, signingSubnetId, quorumPercentage: 100 })
      expect(signersIn(found, other, all)).toEqual(all.toSorted())
    }
  })

  test('those from before the conversion and those without a balance count, but do not sign', async () => {
    const { blockchainId, validators, legacy } = l1('harbour')
    const message = messageOf(hexOf(blockchainId))
    const paying = sum(validators.map(({ weight }) => weight))
    const percent = Number((100n * paying) / (paying + sum(legacy.map(({ weight }) => weight))))
    const all = [...validators, ...legacy].map(({ nodeId }) => nodeId)
    const found = await signed({ message, quorumPercentage: percent })
    expect(signersIn(found, message, all)).toEqual(validators.map(({ nodeId }) => nodeId).toSorted())
    expect((await aggregate({ message, quorumPercentage: percent + 1 })).status).toBe(500)
    // Half an hour after the beginning one of these was out of balance.
    const lantern = l1('lantern')
    const active = lantern.validators.filter((one) => network.world.l1s.balance(one, EPOCH) > 0)
    expect(active).toHaveLength(lantern.validators.length - 1)
    const share = Number(
      (100n * sum(active.map(({ weight }) => weight))) / sum(lantern.validators.map(({ weight }) => weight)),
    )
    const statuses = [share, share + 1].map(async (quorumPercentage) => {
      return (await aggregate({ message: messageOf(hexOf(lantern.blockchainId)), quorumPercentage })).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 500])
  })

  test.each([
    ['half a byte', { message: `${messageOf(C_CHAIN)}0` }],
    ['a message that ends too soon', { message: messageOf(C_CHAIN).slice(0, 60) }],
    ['a payload of another length than it says', { message: `${messageOf(C_CHAIN)}00` }],
    ['a message of another network', { message: messageOf(C_CHAIN, 'c0ffee', '00000001') }],
    ['an unknown source', { message: messageOf('ab'.repeat(32)) }],
    ['an unknown subnet', { message: messageOf(C_CHAIN), signingSubnetId: 'ab'.repeat(32) }],
    ['a chain in place of a subnet', { message: messageOf(C_CHAIN), signingSubnetId: C_CHAIN }],
    ['half a justification', { justification: 'abc' }],
  ])('%s is refused', async (_, body) => {
    expect((await aggregate(body)).body).toMatchObject({ statusCode: 400, error: 'Bad Request' })
  })

  test('the validators of any height up to the newest are asked', async () => {
    const head = network.world.chains.P.head()
    await signed({ message: messageOf(C_CHAIN), quorumPercentage: 50, pChainHeight: head })
    expect((await aggregate({ message: messageOf(C_CHAIN), pChainHeight: head + 1 })).status).toBe(400)
  })
})

describe('get aggregated signatures for a transaction', () => {
  const read = (hash: string, path = PATH) => ask(`${network.dataUrl}${path}/${hash}`)

  test('any other transaction is not found', async () => {
    const { chains, ledger } = network.world
    const stranger = chains.P.block(5)!.transactions[0]!
    const [stake] = ledger.transactionsOf([...network.world.validators.all.values()][0]!.owner)
    for (const hash of [stranger, stake!.id, 'nothing']) {
      expect((await read(hash)).body).toMatchObject({ statusCode: 404, error: 'Not Found' })
    }
    expect((await read(stake!.id, PATH.replace('fuji', 'mainnet'))).status).toBe(404)
  })
})
