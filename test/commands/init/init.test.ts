// init: from what an operator knows to a configuration that holds, against the simulated network and recorded answers.

import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/commands/io.ts'
import { beyond, resultOf } from '../../recorded/recorded.ts'
import { networkOfTest, post, type startNetwork } from '../../simulator/network.ts'
import { bare } from '../../support/bare-server.ts'
import { runCommand } from '../../support/command.ts'
import { closedPort, createHostileServer, envelope } from '../../support/hostile-server.ts'
import { configFrom } from '../../support/poll.ts'
import { createTlsUpstream } from '../../support/tls-upstream.ts'

const FILE = 'stakewatch.yml'
/** On none of the networks here. */
const STRANGER = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'

/** A folder in memory. */
function createFolder(files: Record<string, string> = {}) {
  const io = {
    readFile(path: string) {
      const text = files[path]
      if (text !== undefined) return text
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    },
    writeFile(path: string, text: string) {
      files[path] = text
    },
  }
  return {
    files,
    run: (args: readonly string[], changes: Partial<Io> = {}) => runCommand(args, { ...io, ...changes }),
    text: () => files[FILE] ?? '',
    network: () => configFrom(files[FILE]!).networks[0]!,
  }
}

type Options = NonNullable<Parameters<typeof startNetwork>[0]>

async function simulated(change: Options = {}) {
  const network = await networkOfTest(change)
  const l1 = (name: string) => network.world.l1s.all.find((one) => one.name === name)!
  const validator = (nodeId: string) => network.world.validators.all.get(nodeId)!
  const order = (fault: object) => post(`${network.controlUrl}/faults`, fault)
  return { ...network, l1, validator, order, urls: network.nodes.map(({ url }) => `--node-url=${url}`) }
}

/** What check --live says of the file, without the public node and services that the preset brings. */
async function live(folder: ReturnType<typeof createFolder>) {
  const text = folder
    .text()
    .replace(/ {4}preset: .*/, '    network: fuji')
    .replace(/ {6}- name: public[^]*?(?=\n {4}\w)/, '')
  const args = ['check', '--live', `--config.file=${FILE}`]
  return runCommand(args, { readFile: () => text })
}

describe.each(['document', 'live'] as const)('of a network in the form of %s', (dialect) => {
  test('the address of a node alone makes a configuration that holds', async () => {
    const { nodes, urls, l1, validator } = await simulated({ dialect })
    const [{ nodeId }] = nodes as [(typeof nodes)[number]]
    const folder = createFolder()
    const result = await folder.run(['init', urls[0]!])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain(`${FILE}: written, with 1 node, `)
    // The simulated network has the chains of Fuji; the first node has an index and an admin interface.
    const { owner, fee } = validator(nodeId)
    const config = folder.network()
    expect(config).toMatchObject({ name: 'fuji', preset: 'fuji', network: 'fuji' })
    expect(config.nodes.map(({ url, node_id, index, admin }) => [url.reveal(), node_id, index, admin])).toEqual([
      // Its admin API answers, and that is no expectation.
      [nodes[0]!.url, nodeId, true, 'off'],
      ['https://api.avax-test.network', undefined, false, 'off'],
    ])
    const [own, ...others] = config.validators
    expect(own).toMatchObject({
      node_id: nodeId,
      subnet: 'primary',
      expect: { reward_addresses: [`P-${owner}`], delegation_fee: fee / 100 },
    })
    expect(others).toEqual([])
    // It runs two chains of L1s without validating them.
    expect(config.subnets.map(({ name, id, validators }) => [name, id, validators]).slice(1)).toEqual(
      ['orchard', 'lantern'].map((name) => [name, l1(name).subnetId, 'all']),
    )
    expect(config.chains.map(({ name, id, evm_chain_id }) => [name, id, evm_chain_id])).toEqual([
      ['p-chain', 'p-chain', undefined],
      ['x-chain', 'x-chain', undefined],
      ['c-chain', 'c-chain', 43_113],
      // Of the two chains that the node runs, one has the interface of an EVM chain.
      ['orchard', l1('orchard').blockchainId, l1('orchard').evmChainId],
      ['lantern', l1('lantern').blockchainId, undefined],
    ])
    expect((await live(folder)).stdout).toMatch(/; 2 of 2 expectations are met\n$/)
  })

  test('an L1: its validators, those of them that are named, and its chain', async () => {
    const { urls, l1 } = await simulated({ dialect })
    const { subnetId, blockchainId, validators, legacy } = l1('harbour')
    const [{ nodeId, owner }] = validators as [(typeof validators)[number]]
    const folder = createFolder()
    const flags = [`--l1=${subnetId}`, `--validator=${nodeId}`]
    expect(await folder.run(['init', urls[1]!, ...flags])).toMatchObject({ code: 0, stderr: '' })
    const config = folder.network()
    expect(config.nodes[0]).toMatchObject({ admin: 'forbidden', index: true })
    // Its node runs chains of other subnets as well.
    expect(config.subnets.map(({ name }) => name)).toEqual(['primary', 'harbour'])
    expect(config.subnets[1]).toEqual({ id: subnetId, name: 'harbour', validators: 'all' })
    expect(folder.text()).toContain(`- id: ${subnetId} # an L1 of ${validators.length + legacy.length} validators\n`)
    expect(config.chains.find(({ name }) => name === 'harbour')?.id).toBe(blockchainId)
    // It validates the L1 alone: nothing is to be watched of it on the primary network.
    expect(config.validators.filter(({ node_id }) => node_id === nodeId)).toMatchObject([
      { subnet: 'harbour', expect: { remaining_balance_owner: [`P-${owner}`] } },
    ])
    expect((await live(folder)).stdout).toMatch(
      new RegExp(`^ok +expect +fuji/harbour/${nodeId} remaining_balance_owner +met: `, 'm'),
    )
  })

  test('a wallet: the validators whose rewards it gets', async () => {
    const { urls, world } = await simulated({ dialect })
    const { nodeId, owner } = [...world.validators.all.values()].at(-1)!
    const folder = createFolder()
    expect(await folder.run(['init', urls[0]!, `--wallet=P-${owner}`])).toMatchObject({ code: 0, stderr: '' })
    const config = folder.network()
    expect(config.addresses).toMatchObject([{ name: `P-${owner}`, addresses: [`P-${owner}`] }])
    expect(folder.text()).toContain(`- node_id: ${nodeId} # its rewards go to an address that is yours\n`)
    expect((await live(folder)).stdout).toMatch(
      new RegExp(`^ok +expect +fuji/primary/${nodeId} reward_addresses +met: `, 'm'),
    )
  })
})

test('of a real node: a network of its own, whose validators and L1 pay to the same owner', async () => {
  const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const L1 = 'oFZous6FgK5S4GAzAGjmDikqy2cQA1izRuUZoiqVNbjk1UHbz'
  const { url } = await createHostileServer((response, request, number) => {
    const { method, params } = JSON.parse(request.body) as { method: string; params: { subnetID?: string } }
    if (method === 'eth_chainId' || method === 'info.upgrades') {
      return envelope({ result: beyondOf(method) }, { 'node-id': NODE })(response, request, number)
    }
    const of = method === 'platform.getBlockchainStatus' ? 'subnet chain' : 'all'
    const name = method === 'index.getLastAccepted' ? 'P/block' : params.subnetID === L1 ? 'L1' : of
    const result = JSON.parse(JSON.stringify(resultOf(method, name), integerText)) as unknown
    return envelope({ result }, { 'node-id': NODE })(response, request, number)
  })
  const folder = createFolder()
  expect(await folder.run(['init', `--node-url=${url}`, `--l1=${L1}`])).toMatchObject({ code: 0, stderr: '' })
  // Read off the recorded answers: who pays to whom, and what share they keep.
  const OWNER = 'P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
  const SHARES = 'P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2'
  const yours = '# its rewards go to an address that is yours'
  const balance = `{ remaining_balance_owner: [${OWNER}] }`
  expect(folder.text()).toBe(`\
# Written by stakewatch init. config.example.yaml explains every key that can be added.
# stakewatch check --live --config.file=stakewatch.yml checks the expectations in this file.
networks:
  - name: local
    preset: local # its addresses, chains and budgets; each key that is written wins
    nodes:
      - name: node-1
        url: "${url}"
        node_id: ${NODE} # as it says itself; its view of itself is left out
        index: true # it answers
    validators:
      - node_id: ${NODE} # that of node-1
        expect: { reward_addresses: [${OWNER}], delegation_fee: 1 }
      - node_id: NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu ${yours}
        expect: { reward_addresses: [${OWNER}], delegation_fee: 0.125 }
      - node_id: NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i ${yours}
        expect: { reward_addresses: [${OWNER}, ${SHARES}], delegation_fee: 0.025 }
      - node_id: NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ ${yours}
        expect: { reward_addresses: [${OWNER}], delegation_fee: 0.5 }
      - node_id: NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN ${yours}
        expect: { reward_addresses: [${OWNER}], delegation_fee: 0.25 }
      - node_id: NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5 ${yours}
        expect: { reward_addresses: [${OWNER}], delegation_fee: 0.0625 }
      - node_id: NodeID-AhH2GqSW4sfUPXcyeiNoaic4yzFDbET3S
        subnet: l1-chain
        expect: ${balance}
      - node_id: NodeID-DLvnBbu2z592Z5avvFPAqbcV6Js4H8pje
        subnet: l1-chain
        expect: ${balance}
      - node_id: NodeID-J6G6pzAd4R1swFWRD81q6ZycsSBsUPbif
        subnet: l1-chain
        expect: ${balance}
      - node_id: NodeID-LEu8LE5grqmf6kwmsJsPL9AXmYchABFyv
        subnet: l1-chain
        expect: ${balance}
      - node_id: NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ
        subnet: l1-chain
    subnets:
      - id: ${L1} # an L1 of 5 validators
        name: l1-chain
        validators: all # series of every validator in the set
    chains:
      - id: p-chain
      - id: x-chain
      - id: c-chain
        evm_chain_id: 43112
      - id: 2puqrwboxkA5rDHFBiiVPXgP4mD1gTSXK5QH2AgmJmvrjn8Bvc # add its evm_chain_id for metrics of its blocks and transactions
        name: l1-chain
`)
  expect(configFrom(folder.text()).networks).toHaveLength(1)
})

/** Of the network that was recorded later: the number of its C-Chain is 0xa868. The node runs no chain of the L1. */
function beyondOf(method: string): unknown {
  const wanted = method === 'info.upgrades' ? 'plain' : 'C-Chain'
  const found = beyond.find(({ of, case: name }) => of === method && name === wanted)
  return (found!.response as { result: unknown }).result
}

/** Recorded integers are exact, which JSON.stringify cannot write. */
function integerText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

describe('nothing is written when no node answers', () => {
  const page = { body: '<html></html>' }

  test.each([
    ['a closed port', closedPort, ['--validator', STRANGER]],
    ['a web server', async () => (await bare(() => page)).url, ['--preset=fuji']],
    ['one of both, over a file that is there', closedPort, ['--force']],
  ])('%s', async (_, urlOf, flags) => {
    const url = await urlOf()
    const folder = createFolder(flags.includes('--force') ? { [FILE]: 'networks: []\n' } : {})
    const before = { ...folder.files }
    const { code, stdout, stderr } = await folder.run(['init', `--node-url=${url}`, ...flags])
    const { host } = new URL(url)
    expect({ code, stdout, lines: stderr.replaceAll(host, 'HOST').split('\n') }).toEqual({
      code: 3,
      stdout: '',
      lines: [
        expect.stringMatching(/^(node HOST did not answer|no node answers at HOST): /),
        `${FILE}: nothing was written, because no node answered`,
        '',
      ],
    })
    expect(folder.files).toEqual(before)
  })
})

test.each([
  [{}, 'stakewatch'],
  [{ npm_lifecycle_event: 'start', npm_package_name: 'stakewatch' }, 'npm start --'],
  [{ npm_lifecycle_event: 'start', npm_package_name: 'of-the-operator' }, 'stakewatch'],
  [{ npm_lifecycle_event: 'npx', npm_package_name: 'stakewatch' }, 'stakewatch'],
])('it ends with the commands to go on with, as it was called: %o', async (env, program) => {
  const { urls } = await simulated()
  const { stdout } = await createFolder().run(['init', urls[0]!], { env })
  expect(stdout.trimEnd().split('\n').slice(-2)).toEqual([
    `  ${program} check --config.file=${FILE} --live   checks that everything exists and is as expected`,
    `  ${program} --config.file=${FILE}   watches it`,
  ])
})

describe('what cannot be looked at is named, and the rest is written', () => {
  test('a node that is down, next to one that answers', async () => {
    const { urls, nodes } = await simulated()
    const dead = await closedPort()
    const folder = createFolder()
    const { code, stderr } = await folder.run(['init', `--node-url=${dead}/a-key`, urls[1]!])
    const flaw = `node ${new URL(dead).host} did not answer: the connection failed (ECONNREFUSED)`
    expect({ code, stderr }).toEqual({ code: 3, stderr: `${flaw}\n` })
    expect(folder.text()).toContain(
      `\n# This could not be looked at when the file was written:\n# - ${flaw}\nnetworks:\n`,
    )
    const config = folder.network()
    expect(config.network).toBe('fuji')
    expect(config.nodes.map(({ node_id, admin }) => [node_id, admin])).toEqual([
      [undefined, 'off'],
      [nodes[1]!.nodeId, 'forbidden'],
      [undefined, 'off'],
    ])
    expect(config.validators.map(({ node_id }) => node_id)).toEqual([nodes[1]!.nodeId])
  })

  test('a node that says no more than its id: the network is unknown', async () => {
    const { urls, order } = await simulated()
    for (const operation of ['platform.getBlockchains', 'platform.getCurrentValidators']) {
      await order({ server: 'node-a', operation, fault: { kind: 'malformed' } })
    }
    const folder = createFolder()
    expect(await folder.run(['init', urls[0]!])).toMatchObject({ code: 3 })
    expect(folder.text()).toContain(
      '# The network is unknown: add `preset: mainnet`, `fuji` or `local` below its name.\n',
    )
    expect(folder.network()).toMatchObject({ name: 'my-network', nodes: [{ name: 'node-1' }] })
    expect(folder.network().preset).toBeUndefined()
  })

  test('a node that stops answering is not asked for more', async () => {
    const { urls, nodes, order } = await simulated()
    await order({ server: 'node-a', operation: 'admin.getLoggerLevel', fault: { kind: 'reset' } })
    const { code, stderr } = await createFolder().run(['init', urls[0]!])
    const { host } = new URL(nodes[0]!.url)
    expect({ code, stderr: stderr.replace(/: the connection .*/, '') }).toEqual({
      code: 3,
      stderr: `node ${host} stopped answering when asked whether its admin interface answers\n`,
    })
  })

  test.each([
    [
      'platform.getCurrentValidators',
      ['the validators of the primary network', 'the validators of the subnet L1'],
      { nodes: [{ index: true, admin: 'off' }, {}], validators: [{ node_id: 'NODE', expect: {} }] },
    ],
    ['platform.getBlockchains', ['which blockchains there are'], { nodes: [{ index: true, admin: 'off' }, {}] }],
    ['admin.getLoggerLevel', ['whether its admin interface answers'], { nodes: [{ index: true, admin: 'off' }, {}] }],
    ['index.getLastAccepted', ['whether it has an index'], { nodes: [{ index: false, admin: 'off' }, {}] }],
  ])('%s', async (operation, whats, known) => {
    const { urls, nodes, order, l1 } = await simulated()
    const [{ nodeId, url }] = nodes as [(typeof nodes)[number]]
    const { subnetId } = l1('lantern')
    await order({ server: 'node-a', operation, fault: { kind: 'malformed' } })
    const folder = createFolder()
    const { code, stderr } = await folder.run([
      'init',
      urls[0]!,
      '--preset=fuji',
      `--validator=${nodeId}`,
      `--l1=${subnetId}`,
    ])
    const named = stderr.trimEnd().split('\n')
    const expected = whats.map((what) => `node ${new URL(url).host} did not say ${what.replace('L1', subnetId)}: `)
    expect(code).toBe(3)
    for (const start of expected) {
      expect(named.filter((line) => line.startsWith(start))).toHaveLength(1)
      expect(folder.text()).toContain(`\n# - ${start}`)
    }
    const filled = JSON.parse(JSON.stringify(known).replaceAll('NODE', nodeId)) as object
    expect(folder.network()).toMatchObject({ network: 'fuji', ...filled })
    expect(folder.network().subnets.map(({ id }) => id)).toContain(subnetId)
  })

  test.each([
    ['a web server that knows no page', () => ({ status: 404, body: 'page not found' })],
    ['a web server that has a page for everything', () => ({ body: '<html></html>' })],
  ])('%s is no node, and no closed admin interface', async (_, answer) => {
    const { urls } = await simulated()
    const { url } = await bare(answer)
    const folder = createFolder()
    const { code, stderr } = await folder.run(['init', `--node-url=${url}`, urls[0]!])
    expect(code).toBe(3)
    expect(stderr).toContain(`no node answers at ${new URL(url).host}: `)
    expect(folder.network().nodes[0]).toMatchObject({ name: 'node-1', admin: 'off', index: false })
    expect(folder.text()).not.toContain('admin')
  })

  test('a validator and a subnet that do not exist', async () => {
    const { urls } = await simulated()
    const subnet = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
    const folder = createFolder()
    const { code, stderr } = await folder.run(['init', urls[0]!, `--validator=${STRANGER}`, `--l1=${subnet}`])
    expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({
      code: 0,
      lines: [
        `could not be verified: validator ${STRANGER} is in no set that was looked at: is its id right?`,
        `could not be verified: subnet ${subnet} has no validators, or does not exist: is its id right?`,
      ],
    })
  })

  test.each([
    ['say when', '2026-03-01T00:00:00Z', /stakes need 90% uptime from 2026-03-01T00:00:00Z on, earlier ones 80%/, ''],
    [
      'have no date for it',
      '9999-12-01T00:00:00Z',
      /stakes need 80% uptime: by its nodes, Helicon is not scheduled/,
      '',
    ],
    ['do not say', undefined, /^stakewatch\.yml: written/, 'which uptime stakes need is unknown'],
  ])('Helicon on a network of its own, whose nodes %s', async (_, heliconTime, said, flaw) => {
    const { url } = await createHostileServer((response, request, number) => {
      const { method } = JSON.parse(request.body) as { method: string }
      const own = '11111111111111111111111111111111LpoYY'
      const id = 'z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA'
      const results: Readonly<Record<string, unknown>> = {
        'platform.getBlockchains': { blockchains: [{ id, name: 'C-Chain', subnetID: own, vmID: id }] },
        'platform.getCurrentValidators': { validators: [] },
        'info.upgrades': heliconTime === undefined ? undefined : { heliconTime },
        eth_chainId: '0xa868',
      }
      const result = results[method]
      const answer = result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result }
      return envelope(answer, { 'node-id': STRANGER })(response, request, number)
    })
    const folder = createFolder()
    const { code, stdout, stderr } = await folder.run(['init', `--node-url=${url}`])
    expect(code).toBe(0)
    expect(stdout).toMatch(said)
    expect(stderr.includes('could not be verified: ')).toBe(flaw !== '')
    expect(stderr).toContain(flaw)
    expect(folder.network().chains.find(({ id }) => id === 'c-chain')?.evm_chain_id).toBe(43_112)
  })

  test('several nodes at one address: none of them is yours', async () => {
    const ids = ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ']
    const { url } = await createHostileServer((response, request, number) => {
      const { method } = JSON.parse(request.body) as { method: string }
      const result = method === 'platform.getBlockchains' ? { blockchains: [] } : { validators: [], loggerLevels: {} }
      return envelope({ result }, { 'node-id': ids[number % 2]! })(response, request, number)
    })
    const folder = createFolder()
    await folder.run(['init', `--node-url=${url}`, '--preset=local'])
    const { nodes, validators } = folder.network()
    expect([nodes.map(({ node_id }) => node_id), validators]).toEqual([[undefined], []])
    expect(folder.text()).toContain('- name: node-1 # several nodes answer at this address\n')
  })
})

describe('a file that is there', () => {
  async function written() {
    const network = await simulated()
    const folder = createFolder()
    await folder.run(['init', network.urls[0]!])
    return { ...network, folder, text: folder.text() }
  }

  test('is not written over, and says the same', async () => {
    const { folder, text, urls } = await written()
    for (const args of [['init'], ['init', urls[0]!]]) {
      expect(await folder.run(args)).toMatchObject({ code: 0, stdout: `${FILE}: is up to date\n`, stderr: '' })
    }
    expect(folder.text()).toBe(text)
  })

  test('is compared with what is found, line by line', async () => {
    const { folder, text, nodes, l1, validator } = await written()
    const { nodeId, url } = nodes[0]!
    const { fee } = validator(nodeId)
    const changed = text
      .replace('index: true # it answers', 'index: false\n        admin: forbidden')
      .replace(`delegation_fee: ${fee / 100}`, 'delegation_fee: 0.5')
      .replace(/ {6}- id: \S+ # an L1 of 4[^]*?set\n/, '')
      .replace('    subnets:', `      - { node_id: ${STRANGER} }\n    subnets:`)
    folder.files[FILE] = changed
    const { code, stdout } = await folder.run(['init'])
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 1,
      lines: [
        `~ node ${new URL(url).host}: index is true, in the file false`,
        `~ node ${new URL(url).host}: admin is on, in the file forbidden`,
        `~ validator ${nodeId} of the primary network: delegation_fee is ${fee / 100}, in the file 0.5`,
        `~ validator ${STRANGER} of the primary network: is not in the set`,
        `+ subnet ${l1('lantern').subnetId}: not in the file`,
        `${FILE}: 5 differences. Nothing was written: --force replaces the file`,
        '',
      ],
    })
    expect(folder.text()).toBe(changed)
  })

  test('is compared by way of the certificates that it names', async () => {
    const { folder, text, nodes } = await written()
    const { url, ca } = await createTlsUpstream({ behind: nodes[0]!.url })
    folder.files[resolve('ca.pem')] = ca
    const secured = `${JSON.stringify(url)}\n        tls_config: { ca_file: ca.pem }`
    folder.files[FILE] = text.replace(JSON.stringify(nodes[0]!.url), secured)
    const seen = await folder.run(['init'])
    expect(seen).toMatchObject({ code: 0, stdout: `${FILE}: is up to date\n`, stderr: '' })
  })

  test('is compared with what flags name instead of it', async () => {
    const { folder, nodes, urls, l1, validator } = await written()
    const [one, other] = nodes as [(typeof nodes)[number], (typeof nodes)[number]]
    const { stdout } = await folder.run(['init', urls[1]!])
    const { subnetId, blockchainId } = l1('orchard')
    // The second node does not run the chain of one L1, and has another owner.
    expect(validator(one.nodeId).owner).not.toBe(validator(other.nodeId).owner)
    expect(stdout.split('\n')).toEqual([
      `+ node ${new URL(other.url).host}: not in the file`,
      `- node ${new URL(one.url).host}: in the file alone`,
      `+ validator ${other.nodeId} of the primary network: not in the file`,
      `- validator ${one.nodeId} of the primary network: in the file alone`,
      `- subnet ${subnetId}: in the file alone`,
      `- chain ${blockchainId}: in the file alone`,
      `${FILE}: 6 differences. Nothing was written: --force replaces the file`,
      '',
    ])
  })

  test('what could not be looked at is no difference', async () => {
    const { folder, order } = await written()
    await order({ server: 'node-a', operation: 'index.getLastAccepted', fault: { kind: 'malformed' } })
    expect(await folder.run(['init'])).toMatchObject({
      code: 3,
      stdout: `${FILE}: is up to date; what could not be looked at was not compared\n`,
      stderr: expect.stringContaining(' did not say whether it has an index: ') as string,
    })
  })

  test('is not said to be up to date when no node answers', async () => {
    const { folder, order } = await written()
    await order({ server: 'node-a', fault: { kind: 'reset' } })
    expect(await folder.run(['init'])).toMatchObject({
      code: 3,
      stdout: `${FILE}: not compared, because no node answered\n`,
      stderr: expect.stringContaining(' did not answer: ') as string,
    })
  })

  test('is written over with --force', async () => {
    const { folder, text, urls } = await written()
    folder.files[FILE] = 'networks: [{ name: other }]\n'
    expect(await folder.run(['init', urls[0]!, '--force'])).toMatchObject({ code: 0 })
    expect(folder.text()).toBe(text)
  })

  test('is not looked at when it is broken: its errors are reported', async () => {
    const folder = createFolder({ [FILE]: 'networks:\n  - nam: fuji\n' })
    expect(await folder.run(['init', '--node-url=http://127.0.0.1:1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${FILE}:2:5: networks[0].nam: unknown key; did you mean name?`) as string,
    })
    expect(folder.text()).toBe('networks:\n  - nam: fuji\n')
  })

  test('goes by another name with --config.file', async () => {
    const { urls } = await simulated()
    const folder = createFolder({ [FILE]: 'of another user' })
    await folder.run(['init', urls[0]!, '--config.file=conf/mine.yml'])
    expect(Object.keys(folder.files)).toEqual([FILE, 'conf/mine.yml'])
  })
})

describe('what is missing', () => {
  test('is asked for on a terminal, until it has its form', async () => {
    const { nodes } = await simulated()
    const answers = ['10.0.0.5', nodes[0]!.url, '', '', '']
    const questions: string[] = []
    const folder = createFolder()
    const { code, stderr } = await folder.run(['init'], {
      question(text) {
        questions.push(text)
        return Promise.resolve(answers[questions.length - 1])
      },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'expected a URL such as http://10.0.0.5:9650\n' })
    const first = 'Base address of your node, such as http://10.0.0.5:9650 (empty: none) '
    expect(questions).toEqual([
      first,
      first,
      'Id of the node that validates, if it is another one (empty: none) ',
      'Subnet id of your L1 (empty: none) ',
      'Address of your wallet (empty: none) ',
    ])
    expect(folder.network().nodes[0]!.node_id).toBe(nodes[0]!.nodeId)
  })

  const VALIDATOR = '--validator=NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const NOTHING = 'there is nothing to look at: give --node-url, --validator, --l1 or --wallet'
  const NO_NETWORK = 'which network is it? Give --preset=mainnet, fuji or local, or --node-url'

  test.each([
    ['no flags, and no terminal for questions', [], [], NOTHING],
    ['nothing is answered', [], ['', '', '', ''], NOTHING],
    ['the input ends', [], ['', undefined], 'not answered: nothing was written'],
    ['a validator of any network', [VALIDATOR], [], NO_NETWORK],
    ['an unknown network', [VALIDATOR], [''], NO_NETWORK],
  ])('%s', async (_, flags, answers: readonly (string | undefined)[], words) => {
    const left = [...answers]
    const folder = createFolder()
    const ended = await folder.run(['init', ...flags], {
      question: () => (answers.length === 0 ? undefined : Promise.resolve(left.shift())),
    })
    expect(ended).toMatchObject({ stderr: words })
    expect(ended.code).toBeGreaterThan(0)
    expect(folder.files).toEqual({})
  })

  test('a node of another network than was said', async () => {
    const { urls, nodes } = await simulated()
    const folder = createFolder()
    expect(await folder.run(['init', urls[0]!, '--preset=mainnet'])).toMatchObject({
      code: 1,
      stderr: `node ${new URL(nodes[0]!.url).host} is one of fuji, and --preset says mainnet: write a configuration for each network`,
    })
    expect(folder.files).toEqual({})
  })
})
