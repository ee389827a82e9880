import { describe, expect, test } from 'vitest'
import { blockchains } from '../../../src/collectors/chains/blockchains.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Upstream } from '../../support/poll.ts'

const L1 = 'zJytnh96Pc8rM337bBrtMvJDbEdDNjcXG3WkTNCiLp18ergm9'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    data_api: { url: "http://127.0.0.1:3" }
    subnets: [{ id: ${SUBNET}, name: my-subnet }]
    chains: [{ id: p-chain }, { id: c-chain }, { id: ${L1}, name: my-l1 }]
`
const list = () => fixture('node/platform.getBlockchains.network')
const gone = new BaseError('unsupported', 'HTTP 404: not there')

/** Both services; of blockchains that are not given the data service knows nothing. */
const service =
  (listed: unknown, details: Readonly<Record<string, unknown>> = {}): Upstream =>
  (operation, { path }) =>
    operation === 'platform.getBlockchains' ? listed : (details[path.split('/').at(-1)!] ?? gone)

async function polled(answers: Upstream, text = yaml) {
  const poller = createPoller(text, blockchains, 0)
  await poller.poll(answers)
  return poller
}
const own = /^stakewatch_(blockchain_info|subnet_blockchains|chain_)/
const results = ({ status }: Awaited<ReturnType<typeof polled>>) =>
  status().map(({ key, result }) => [key.replace('blockchains/fuji/', ''), result])
const chain = 'network="fuji",chain="my-l1"'
const infoOf = (labels: string) => `stakewatch_blockchain_info{${labels}} 1`
const ofNode = `blockchain_id="${L1}",blockchain_name="My L1",vm_id="srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy",subnet_id="${SUBNET}"`
const ofC = infoOf(
  'network="fuji",chain="c-chain",blockchain_id="yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp",blockchain_name="C-Chain",vm_id="mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6",subnet_id="11111111111111111111111111111111LpoYY",evm_chain_id=""',
)
const counts = [
  'stakewatch_subnet_blockchains{network="fuji",subnet="primary"} 2',
  'stakewatch_subnet_blockchains{network="fuji",subnet="my-subnet"} 2',
]

describe('blockchains (document 2, platform.getBlockchains; document 1, operation 16)', () => {
  test("combines the node's record with the data service's genesis; resolves aliases within their subnet", async () => {
    const asked: unknown[] = []
    const answers = service(list(), { [L1]: fixture('data/get-blockchain-details.l1') })
    const poller = await polled((operation, wire, source) => {
      if (source === 'data-api') asked.push(wire.path)
      return answers(operation, wire, source)
    })
    expect(poller.lines(own)).toEqual([
      ofC,
      infoOf(`${chain},${ofNode},evm_chain_id="99999"`),
      ...counts,
      `stakewatch_chain_gas_limit{${chain}} 8000000`,
      `stakewatch_chain_target_gas{${chain}} 15000000`,
      // 25 x 10^9 of 10^18.
      `stakewatch_chain_min_base_fee_tokens{${chain}} 2.5e-8`,
    ])
    expect(asked).toEqual([
      '/v1/networks/fuji/blockchains/yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
      `/v1/networks/fuji/blockchains/${L1}`,
    ])
  })

  const details = { [L1]: fixture('data/get-blockchain-details.l1-live') }
  test.each<[string, Upstream, string[]]>([
    [
      'the live form: the genesis is a text, and has what it has',
      service(list(), details),
      [
        infoOf(`${chain},${ofNode},evm_chain_id="99998"`),
        `stakewatch_chain_gas_limit{${chain}} 20000000`,
        `stakewatch_chain_target_gas{${chain}} 100000000`,
      ],
    ],
    [
      'a node without the method: the data service says all',
      service(new BaseError('unsupported', 'no such method'), details),
      [
        infoOf(
          `${chain},blockchain_id="${L1}",blockchain_name="Name of the service",vm_id="vm-of-the-service",subnet_id="${SUBNET}",evm_chain_id="99998"`,
        ),
        `stakewatch_chain_gas_limit{${chain}} 20000000`,
        `stakewatch_chain_target_gas{${chain}} 100000000`,
      ],
    ],
    [
      'the least that a node can say',
      service({ blockchains: [{ id: L1 }] }),
      [infoOf(`${chain},blockchain_id="${L1}",blockchain_name="",vm_id="",subnet_id="",evm_chain_id=""`)],
    ],
    [
      'of another virtual machine',
      service(list(), { [L1]: { blockchainId: L1, genesisData: '00000000ff' } }),
      [infoOf(`${chain},${ofNode},evm_chain_id=""`)],
    ],
  ])('%s', async (_, answers, expected) => {
    const poller = await polled(answers)
    expect(poller.lines(own).filter((line) => line.includes('my-l1'))).toEqual(expected)
  })

  test('details of another chain than was asked for fail and keep the values', async () => {
    const poller = await polled(service(list(), details))
    const before = poller.lines(own)
    poller.clock.now = 3_600_000
    await poller.poll(service(list(), { [L1]: { blockchainId: SUBNET } }))
    expect(poller.lines(own)).toEqual(before)
    expect(poller.lines(/collector_success.* 0$/)).toEqual([expect.stringContaining('target="chain:my-l1"')])
  })

  test.each([
    [
      'not there, and unknown to every source',
      { blockchains: [{ id: SUBNET, subnetID: SUBNET }] },
      [0, 1],
      'unsupported',
    ],
    ['perhaps among those that do not fit', { blockchains: [{ id: SUBNET, subnetID: SUBNET }, {}] }, [], 'failure'],
    ['of an unknown subnet', { blockchains: [{ id: SUBNET }] }, [], 'unsupported'],
    ['an empty list, which no network has', { blockchains: [] }, [], 'failure'],
    ['a body of another form', { chains: [] }, [], 'failure'],
    ['an error', new BaseError('network', 'refused'), [], 'failure'],
  ])('a chain that is %s', async (_, listed, counted, result) => {
    const poller = await polled(service(listed))
    expect(poller.lines(/^stakewatch_(blockchain_info|chain_)/)).toEqual([])
    expect(poller.list('stakewatch_subnet_blockchains')).toEqual(counted)
    expect(results(poller)).toContainEqual(['chain:my-l1', result])
  })

  test('withdraws a chain that is no longer listed, without failure', async () => {
    const poller = await polled(service(list(), details))
    poller.clock.now = 3_600_000
    await poller.poll(service({ blockchains: [{ id: SUBNET, subnetID: SUBNET }] }))
    expect(poller.lines(own).filter((line) => line.includes('my-l1'))).toEqual([])
    expect(poller.lines(/collector_success.* 0$/)).toEqual([])
  })

  test('leaves out the genesis without a data service, without failure', async () => {
    const poller = await polled(service(list(), details), yaml.replace(/ +data_api.*\n/, ''))
    expect(poller.lines(own)).toEqual([ofC, infoOf(`${chain},${ofNode},evm_chain_id=""`), ...counts])
    expect(poller.lines(/collector_success.* 0$/)).toEqual([])
  })

  test.each([
    ['as declared', 'gas_limit: 8000000, target_gas: 15000000, min_base_fee: 25000000000', 'l1', [1, 1, 1]],
    ['not as declared', 'gas_limit: 15000000, target_gas: 8000000, min_base_fee: 25000000001', 'l1', [0, 0, 0]],
    ['declared in part', 'target_gas: 15000000', 'l1', [1]],
    // The live form has no least fee.
    ['not all of it known', 'gas_limit: 20000000, target_gas: 1, min_base_fee: 0', 'l1-live', [1, 0]],
    ['of which nothing is declared', '', 'l1', []],
  ])('a genesis: %s', async (_, keys, form, met) => {
    const text = yaml.replace('name: my-l1', `name: my-l1, expect: { ${keys} }`)
    const poller = await polled(service(list(), { [L1]: fixture(`data/get-blockchain-details.${form}`) }), text)
    const names = ['gas_limit', 'target_gas', 'min_base_fee'].filter((name) => keys.includes(name))
    expect(poller.lines(/expectation_met/)).toEqual(
      met.map((value, at) => `stakewatch_chain_expectation_met{${chain},expectation="${names[at]}"} ${value}`),
    )
  })
})
