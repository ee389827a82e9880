// check --live against the simulated network: what each watched thing is said to be, and how the command ends.

import { describe, expect, test } from 'vitest'
import { seenIn } from '../../src/commands/check/live/seen.ts'
import { checkService } from '../../src/commands/check/live/watched.ts'
import { checkSubnet } from '../../src/commands/check/live/validators.ts'
import type { Series } from '../../src/metrics/read-exposition.ts'
import { secret, secretUrl } from '../../src/lib/secret.ts'
import { networkOfTest, post } from '../simulator/network.ts'
import { runCommand } from '../support/command.ts'
import { closedPort } from '../support/hostile-server.ts'
import { configFrom } from '../support/poll.ts'

/** On none of the networks here. */
const STRANGER = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const NO_SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const NO_CHAIN = 'z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA'
const NO_WALLET = 'P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66'

type Network = Awaited<ReturnType<typeof simulated>>

async function simulated() {
  // The command has the clock of the machine: its network is of today.
  const network = await networkOfTest({ isCalm: true, epoch: Math.floor(Date.now() / 1_000) - 60 })
  const act = async (action: object) => {
    const { status } = await post(`${network.controlUrl}/actions`, action)
    expect(status).toBe(200)
  }
  const order = (fault: object) => post(`${network.controlUrl}/faults`, fault)
  await act({ kind: 'follow', subnet: 'orchard', nodeId: network.nodes[1]!.nodeId })
  // The nodes run another L1, of which too little weight is active: their health checks would fail.
  const { validators } = network.world.l1s.all.find(({ name }) => name === 'lantern')!
  for (const { validationId } of validators) await act({ kind: 'top-up', validationId, amount: 1e12 })
  network.clock.now += 60
  return { ...network, act, order }
}

/** Everything here is as it should be. The L1 is one that both nodes run. */
function configOf({ nodes, world, dataUrl, metricsUrl }: Network): string {
  const [a, b] = nodes as [Network['nodes'][number], Network['nodes'][number]]
  const third = [...world.validators.all.values()][2]!
  const orchard = world.l1s.all.find(({ name }) => name === 'orchard')!
  const member = orchard.validators.find(({ nodeId }) => nodeId !== a.nodeId && nodeId !== b.nodeId)!
  const [c, l1] = world.evm as [(typeof world.evm)[number], (typeof world.evm)[number]]
  const tx = world.ledger.transactionsOf(member.validationId)[0]!.id
  return `networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "${a.url}", node_id: ${a.nodeId} }
      - { name: node-b, url: "${b.url}", node_id: ${b.nodeId} }
    data_api: { url: "${dataUrl}", key: any }
    metrics_api: { url: "${metricsUrl}" }
    validators:
      - { node_id: ${third.nodeId}, name: third }
      - { node_id: ${member.nodeId}, name: member, subnet: orchard }
    subnets: [{ id: ${orchard.subnetId}, name: orchard }]
    chains:
      - { id: p-chain }
      - { id: c-chain, evm_chain_id: 43113 }
      - { id: ${orchard.blockchainId}, name: orchard }
    addresses: [{ name: owner, addresses: [P-${third.owner}] }]
    icm: { routes: [{ name: out, from: ${c.blockchainId}, to: ${l1.blockchainId} }] }
    signature_probes: [{ name: probe, tx: ${tx} }]
collectors: { signature-probe: { enabled: true } }
`
}

async function live(yaml: string) {
  const ended = await runCommand(['check', '--config.file=a.yml', '--live'], { readFile: () => yaml })
  const lines = ended.stdout.trimEnd().split('\n')
  /** With single spaces. */
  const single = lines.map((line) => line.trim().replace(/ +/g, ' '))
  /** By kind and name. */
  const about = (thing: string) => {
    const at = single.findIndex((line) => line.split(' ').slice(1, 3).join(' ') === thing)
    return single.slice(at, at + (single[at + 1]?.startsWith('-> ') ? 2 : 1))
  }
  return { ...ended, lines, single, about, summary: lines.at(-1) }
}

const malformed = (operation: string, ...servers: string[]) =>
  servers.map((server) => ({ server, operation, fault: { kind: 'malformed' } }))

test('all is well: a line for each thing, and the exit code is 0', async () => {
  const network = await simulated()
  const { code, stderr, lines, summary } = await live(configOf(network))
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([summary])
  const kinds = lines.slice(0, -1).map((line) => line.split(/ {2,}/).slice(1, 3).join(' '))
  expect(kinds).toEqual([
    'network fuji',
    'node fuji/node-a',
    'node fuji/node-b',
    'service fuji/data-api',
    'service fuji/metrics-api',
    'validator fuji/primary/third',
    'validator fuji/orchard/member',
    'subnet fuji/orchard',
    'chain fuji/p-chain',
    'chain fuji/c-chain',
    'chain fuji/orchard',
    'wallet fuji/owner',
    'route fuji/out',
    'probe fuji/probe',
  ])
  expect({ code, stderr, summary }).toEqual({
    code: 0,
    stderr: '',
    summary: '14 ok, 0 problems, 0 unknown; 0 of 0 expectations are met',
  })
  // Columns: state, kind and name begin at the same place in each line.
  const starts = lines.slice(0, -1).map((line) => line.indexOf(' fuji') + 1)
  expect(new Set(starts).size).toBe(1)
})

test('of a network without upstreams it says that nothing was asked', async () => {
  const { code, single } = await live('networks: [{ name: fuji }]\n')
  expect([code, single]).toEqual([
    3,
    [
      'unknown network fuji nothing was asked: it has no upstreams',
      '-> give it nodes, data_api or metrics_api',
      '0 ok, 0 problems, 1 unknown; 0 of 0 expectations are met',
    ],
  ])
})

describe('one thing is wrong', () => {
  test.each<[string, (yaml: string, network: Network) => string, (string | RegExp)[]]>([
    [
      'a validator that is not in the set',
      (yaml) => yaml.replace(/node_id: \S+, name: third/, `node_id: ${STRANGER}, name: third`),
      [
        'problem validator fuji/primary/third not in the set of primary: is its node_id right?',
        /^-> third not in the validator set\. Stake third again, .*\(StakewatchValidatorNotInSet\)$/,
      ],
    ],
    [
      'a validator of an L1 that is not in the set',
      (yaml) => yaml.replace(/node_id: \S+, name: member/, `node_id: ${STRANGER}, name: member`),
      [
        'problem validator fuji/orchard/member not in the set of orchard: is its node_id right?',
        /^-> member not .* Register member again/,
      ],
    ],
    [
      'an L1 that does not exist, and its validator',
      (yaml) => yaml.replace(/subnets: .*/, `subnets: [{ id: ${NO_SUBNET}, name: orchard }]`),
      [
        'problem validator fuji/orchard/member not in the set of orchard: is its node_id right?',
        /^-> member: no data\. /,
        'problem subnet fuji/orchard the node does not know this subnet',
        '-> correct its id, or remove it from subnets',
      ],
    ],
    [
      'a node with another id',
      (yaml) => yaml.replace(/(name: node-a, .*node_id: )\S+/, `$1${STRANGER}`),
      [/^problem node fuji\/node-a NodeID-\w+ answers, node_id says NodeID-MFr/, '-> correct node_id or url'],
    ],
    [
      'a service instead of a node',
      (yaml, { dataUrl }) => yaml.replace(/(name: node-b, url: )"[^"]+"/, `$1"${dataUrl}"`),
      [/^problem node fuji\/node-b no answer of a node: /, '-> is it running, and is its url right?'],
    ],
    [
      'a node instead of a service',
      (yaml, { nodes }) => yaml.replace(/(metrics_api: \{ url: )"[^"]+"/, `$1"${nodes[0]!.url}"`),
      [/^problem service fuji\/metrics-api does not answer: /, /^-> is metrics_api.url right/],
    ],
    [
      'that no node answers',
      (yaml) => yaml.replace(/(name: node-[ab], url: )"[^"]+"/g, '$1"http://127.0.0.1:1"'),
      [
        /^problem network fuji No node of the network /,
        /^-> fuji: no node is usable\. Start the nodes of fuji .* \(StakewatchNodesDown\)$/,
      ],
    ],
    [
      'a blockchain that does not exist',
      (yaml) =>
        yaml.replace(/id: \w+, name: orchard \}\n {4}addresses/, `id: ${NO_CHAIN}, name: orchard }\n    addresses`),
      ['problem chain fuji/orchard no source knows such a blockchain', '-> correct its id, or remove it from chains'],
    ],
    [
      'another number of an EVM chain',
      (yaml) => yaml.replace('evm_chain_id: 43113', 'evm_chain_id: 43114'),
      ['problem chain fuji/c-chain its EVM chain id is 43113, evm_chain_id says 43114', '-> correct evm_chain_id'],
    ],
    [
      'a wallet that was never used',
      (yaml) => yaml.replace(/addresses: \[P-\w+\]/, `addresses: [${NO_WALLET}]`),
      ['problem wallet fuji/owner was never used: no tokens, no transactions', '-> is the address right?'],
    ],
    [
      'a probe whose collector is off',
      (yaml) => yaml.replace(/collectors.*\n/, ''),
      [/^unknown probe fuji\/probe was not tried: collector signature-probe: opt-in/],
    ],
  ])('%s', async (_, change, expected) => {
    const network = await simulated()
    const yaml = configOf(network)
    const changed = change(yaml, network)
    expect(changed).not.toBe(yaml)
    const { single, code, lines, summary } = await live(changed)
    const at = single.findIndex((line) => line.match(expected[0]!))
    expect(single.slice(at, at + expected.length)).toEqual(
      expected.map((line) => expect.stringMatching(line) as string),
    )
    const states = lines.map((line) => line.split(' ')[0])
    expect(code).toBe(states.includes('problem') ? 1 : 3)
    expect(summary).not.toContain(' 0 problems, 0 unknown')
  })

  test.each<[string, readonly object[], (string | RegExp)[]]>([
    ['say', [], [/^ok network mine stakes need 80% uptime \(info\.upgrades of node-a, node-b\)$/]],
    [
      'do not say',
      malformed('info.upgrades', 'node-a', 'node-b'),
      ['unknown network mine stakes need 80% uptime, or 90% where Helicon is in force', /^-> let a node answer/],
    ],
  ])('what stakes of a custom network need, which its nodes %s', async (_, faults, expected) => {
    const network = await simulated()
    for (const fault of faults) await network.order(fault)
    const { about } = await live(
      configOf(network)
        .replace('name: fuji\n', 'name: mine\n    network: custom\n')
        .replace(/ {4}(data|addr|metr|icm|sig).*\n/g, ''),
    )
    expect(about('network mine')).toEqual(expected.map((line) => expect.stringMatching(line) as string))
  })

  test('a dead node: it has a line, what it alone can tell is unknown, and no other node is blamed', async () => {
    const network = await simulated()
    const dead = await closedPort()
    const yaml = configOf(network).replace(/(name: node-b, url: )"[^"]+"/, `$1"${dead}"`)
    const { about, code, lines } = await live(yaml)
    expect(code).toBe(1)
    expect(about('node fuji/node-b')).toEqual([
      'problem node fuji/node-b no answer of a node: the connection failed (ECONNREFUSED)',
      '-> is it running, and is its url right?',
    ])
    expect(about('validator fuji/primary/third')[0]).toMatch(/^ok .*; connected to node-a$/)
    const others = lines.filter((line) => !/^(ok| )/.test(line)).slice(1, -1)
    expect(others).toEqual([])
  })
})

test.each<[string, object[], RegExp[]]>([
  [
    'rejects the key of the data service: wallets and routes are unknown',
    [{ server: 'data', fault: { kind: 'status', status: 401 } }],
    [
      /^problem service fuji\/data-api rejects the key \(HTTP 401 or 403\)$/,
      /^unknown wallet fuji\/owner its balance is unknown: /,
      /^unknown route fuji\/out its messages are unknown: /,
    ],
  ],
  [
    'is a metrics service that is down',
    [{ server: 'metrics', fault: { kind: 'reset' } }],
    [/^problem service fuji\/metrics-api does not answer: /],
  ],
  [
    'reports no set',
    malformed('platform.getCurrentValidators', 'node-a', 'node-b'),
    [/^problem validator fuji\/primary\/third is it in the set\? /, /^-> third: no data\. /],
  ],
  [
    'reports no version',
    malformed('info.getNodeVersion', 'node-a'),
    [/^unknown node fuji\/node-a its version is unknown: /],
  ],
])('an upstream that fails: it %s', async (_, faults, expected) => {
  const network = await simulated()
  for (const fault of faults) await network.order(fault)
  const { single, code } = await live(configOf(network))
  for (const line of expected) expect(single).toContainEqual(expect.stringMatching(line))
  expect(code).toBe(expected.some(({ source }) => source.startsWith('^problem')) ? 1 : 3)
})

test.each<[string, (third: string, network: Network) => object, RegExp, number]>([
  [
    'a validator that no node is connected to',
    (nodeId) => ({ kind: 'disconnect', nodeId }),
    /^problem validator fuji\/primary\/third in the set; needs \d\d% uptime; not connected to node-a, node-b$/,
    1,
  ],
  [
    'a validator that one of two nodes is not connected to',
    (nodeId, { nodes }) => ({ kind: 'part', nodeId, observer: nodes[1]!.nodeId }),
    /^problem validator fuji\/primary\/third in the set; needs \d\d% uptime; not connected to node-b, but to node-a$/,
    1,
  ],
  [
    'a node that belongs to another network',
    () => ({ kind: 'move-network', node: 'node-b', networkId: 1 }),
    /^-> node-b is on another network\. Compare the `url` of node-b/,
    1,
  ],
  [
    'a node that bootstraps',
    () => ({ kind: 'bootstrap', node: 'node-b' }),
    /^unknown node fuji\/node-b .*still bootstraps /,
    3,
  ],
  [
    'an L1 whose validators sign nothing',
    () => ({ kind: 'withhold-signatures', subnet: 'orchard' }),
    /^problem probe fuji\/probe too few validators sign it$/,
    1,
  ],
])('%s', async (_, actionOf, expected, exit) => {
  const network = await simulated()
  await network.act(actionOf([...network.world.validators.all.keys()][2]!, network))
  const { single, code } = await live(configOf(network))
  expect(single).toContainEqual(expect.stringMatching(expected))
  expect(code).toBe(exit)
})

describe('what maintenance windows would cost', () => {
  const HOUR = 3_600
  const DAY = 24 * HOUR
  const now = Date.now() / 1_000
  const windowed = (
    yaml: string,
    windows: Readonly<Record<string, readonly [from: number, to: number, covered: string]>>,
  ) => {
    const at = (seconds: number) => new Date(Math.floor(seconds) * 1_000).toISOString().replace('.000', '')
    const rows = Object.entries(windows).map(
      ([name, [from, to, covered]]) => `{ name: ${name}, from: "${at(from)}", to: "${at(to)}", ${covered} }`,
    )
    return yaml.replace(/^collectors:/m, `    maintenance: [${rows.join(', ')}]\ncollectors:`)
  }
  /** The lines about windows, with single spaces. */
  const linesOf = ({ lines }: Awaited<ReturnType<typeof live>>) =>
    lines.flatMap((line, row) => {
      const isRemedy = line.trim().startsWith('-> ') && / window /.test(lines[row - 1]!)
      return / window +fuji/.test(line) || isRemedy ? [line.trim().replace(/ {2,}/g, ' ')] : []
    })

  test('a reward or a stake, however far ahead the window is', async () => {
    const network = await simulated()
    // Its stake of 131 days may be down for 13 at most, and ends in 34.
    const { end, nodeId } = [...network.world.validators.all.values()][2]!
    const ended = await live(
      windowed(configOf(network), {
        short: [now + 20 * DAY, now + 20 * DAY + HOUR, 'validators: [third]'],
        long: [now + 2 * DAY, now + 30 * DAY, 'validators: [third]'],
        end: [end - HOUR, end + HOUR, 'validators: [third]'],
        past: [now - 3 * HOUR, now - HOUR, 'validators: [third]'],
      }),
    )
    expect(linesOf(ended)).toEqual([
      expect.stringMatching(
        /^ok window fuji\/short opens \w{3} 20\d\d-\d\d-\d\d \d\d:\d\d UTC; the next one costs no reward and stalls no L1$/,
      ),
      expect.stringMatching(
        `^problem window fuji/long Maintenance window long takes 28d 0h, and validator third .${nodeId}. on fuji/primary may not be down for that long: it would lose its reward after 1[23]d \\d+h\\.$`,
      ),
      '-> shorten the window, or divide it',
      `problem window fuji/end The stake of validator third (${nodeId}) on fuji/primary ends or renews inside maintenance window end, at ${new Date(end * 1_000).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC. Its last hours count for the reward, and an end needs someone to stake again.`,
      '-> move the window, so that the stake ends before or after it',
      'ok window fuji/past it is over',
    ])
    expect(ended.code).toBe(1)
  })

  test('is unknown while no source reports the validator', async () => {
    const network = await simulated()
    const yaml = configOf(network).replace(/node_id: \S+, name: third/, `node_id: ${STRANGER}, name: third`)
    const ended = await live(windowed(yaml, { night: [now + DAY, now + DAY + HOUR, 'validators: [third]'] }))
    expect(linesOf(ended)).toEqual(['unknown window fuji/night no source reports how long these may be down: third'])
  })
})

test.each([
  [{ active: 1 }, 'L1, 1 validator'],
  [{ active: 1, inactive: 1 }, 'L1, 2 validators, 1 of them inactive'],
])('a subnet with %j is said to be: %s', (states, said) => {
  const about = { network: 'fuji', subnet: 'acre' }
  const infoName = 'stakewatch_subnet_info'
  const name = 'stakewatch_subnet_validators'
  const readings = new Map<string, Series[]>([
    [infoName, [{ name: infoName, labels: { ...about, kind: 'l1' }, value: 1 }]],
    [name, Object.entries(states).map(([state, value]) => ({ name, labels: { ...about, state }, value }))],
  ])
  const config = configFrom(`networks: [{ name: fuji, preset: fuji, validators: [{ node_id: ${STRANGER} }] }]`)
  const seen = seenIn(config, [], { rows: [], readings, judged: undefined, now: 0, proxyOf: () => undefined })
  expect(checkSubnet(seen, config.networks[0]!, 'acre')).toMatchObject({ text: said })
})

test.each([
  ['data', undefined, 'give it one: data_api.key_file'],
  ['data', { header: 'x-key', value: secret('k') }, 'correct data_api.key_file'],
  ['metrics', undefined, 'put a user and password, or its key, into metrics_api.url'],
] as const)('a %s service that refuses access has a remedy that the configuration accepts', (service, key, remedy) => {
  const source = { service, network: 'fuji', name: `${service}-api`, url: secretUrl('https://a.example') }
  const name = 'stakewatch_upstream_refusing'
  const readings = new Map([[name, [{ name, labels: { network: 'fuji', source: source.name }, value: 1 }]]])
  const config = configFrom(`networks: [{ name: fuji, preset: fuji, validators: [{ node_id: ${STRANGER} }] }]`)
  const seen = seenIn(config, [], { rows: [], readings, judged: undefined, now: 0, proxyOf: () => undefined })
  expect(checkService(seen, { ...source, ...(key && { key }) })).toMatchObject({ remedies: [remedy] })
})
