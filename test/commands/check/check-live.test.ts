import { describe, expect, test } from 'vitest'
import { collectors } from '../../../src/collectors/index.ts'
import { bareNode } from '../../support/bare-server.ts'
import { runCommand } from '../../support/command.ts'
import { closedPort } from '../../support/hostile-server.ts'
import { createProxyServer } from '../../support/proxy-server.ts'

const CHAIN = 'z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA'

/** Validators of the primary network: they have to validate its chains. */
const ids = ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ']

/** Of all collectors only the one that compares the status of chains. */
const others = collectors.filter(({ name }) => name !== 'blockchain-status').map(({ name }) => name)
const collectorsOff = `collectors: { ${others.map((name) => `${name}: { enabled: false }`).join(', ')} }`

/** Of what is printed, what is said of expectations; test/commands/live.test.ts has the rest. */
async function checkLive(yaml: string) {
  const ended = await runCommand(['check', '--config.file=a.yml', '--live'], { readFile: () => yaml })
  const lines = ended.stdout.trimEnd().split('\n')
  const [, summary] = /; (.*)/.exec(lines.at(-1)!)!
  const own = lines.filter((line) => line.split(/ +/)[1] === 'expect').map((line) => line.replace(/ {2,}/g, ' '))
  return { ...ended, own, summary }
}

async function live(nodes: readonly string[], chains: string) {
  const rows = nodes.map((url, at) => `{ name: node-${'ab'[at]}, url: "${url}", node_id: ${ids[at]} }`)
  const yaml = `
networks:
  - name: fuji
    nodes: [${rows.join(', ')}]
    validators: [${ids.map((id) => `{ node_id: ${id} }`).join(', ')}]
    chains: [${chains}]
${collectorsOff}
`
  return checkLive(yaml)
}

const statuses = (byChain: Readonly<Record<string, string>>) =>
  bareNode((_, params) => {
    const status = byChain[(params as { blockchainID: string }).blockchainID]
    return status === undefined ? { error: 'problem parsing blockchainID' } : { result: `{"status":"${status}"}` }
  })
const c = '{ id: c-chain, name: c, expect: { status: validating } }'
const mine = `{ id: ${CHAIN}, name: mine, expect: { status: syncing } }`

describe('check --live names the proxy', () => {
  const lineOf = async (env: Readonly<Record<string, string>>, keys = '') => {
    const node = await statuses({ C: 'Validating' })
    const yaml = `
networks:
  - { name: fuji, nodes: [{ name: node-a, url: "${node.url}", ${keys} }], chains: [{ id: c-chain }] }
collectors: { ${others
      .filter((name) => name !== 'node-identity')
      .map((name) => `${name}: { enabled: false }`)
      .join(', ')} }
`
    const { stdout } = await runCommand(['check', '--config.file=a.yml', '--live'], { readFile: () => yaml, env })
    return stdout
      .split('\n')
      .flatMap((line, at, all) => (/ node +fuji/.test(line) ? [`${line}${all[at + 1]}`] : []))[0]!
  }

  test('that requests went through', async () => {
    const proxy = await createProxyServer()
    expect(await lineOf({ HTTP_PROXY: proxy.url() })).toContain(`, through the proxy ${proxy.host}`)
    expect(proxy.asked.length).toBeGreaterThan(0)
  })

  test('that cannot be reached, with a remedy for it', async () => {
    const url = await closedPort()
    const words = `the proxy ${new URL(url).host} cannot be reached (ECONNREFUSED): is it running, and is its URL right?`
    const line = await lineOf({}, `proxy: "http://user:password@${new URL(url).host}"`)
    expect([line.split(' ')[0], line.includes(words), line.includes('->')]).toEqual(['problem', true, false])
  })

  test('in no line of what is asked directly', async () => {
    const proxy = await createProxyServer()
    expect(await lineOf({ HTTP_PROXY: proxy.url() }, 'proxy: none')).not.toContain('proxy')
    expect(await lineOf({ HTTP_PROXY: proxy.url(), NO_PROXY: '127.0.0.1' })).not.toContain('proxy')
    expect(proxy.asked).toEqual([])
  })
})

describe('check --live', () => {
  test('asks each node once, and says of each expectation what was found', async () => {
    const a = await statuses({ C: 'Validating', [CHAIN]: 'Syncing' })
    const b = await statuses({ C: 'Created', [CHAIN]: 'Syncing' })
    expect(await live([a.url, b.url], `${c}, ${mine}`)).toMatchObject({
      code: 1,
      stderr: '',
      own: [
        'ok expect fuji/c/node-a status met: validating',
        'problem expect fuji/c/node-b status not met: expected validating, found created',
        'ok expect fuji/mine/node-a status met: syncing',
        'ok expect fuji/mine/node-b status met: syncing',
      ],
      summary: '3 of 4 expectations are met',
    })
    const asked = [
      { method: 'platform.getBlockchainStatus', params: { blockchainID: CHAIN } },
      { method: 'platform.getBlockchainStatus', params: { blockchainID: 'C' } },
    ]
    const byChain = (calls: ReturnType<typeof a.calls>) =>
      calls
        .map(({ method, params }) => ({ method, params }))
        .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? 1 : -1))
    expect([byChain(a.calls()), byChain(b.calls())]).toEqual([asked, asked])
  })

  test('a node that fails leaves its own part unknown, and that the other one says yes does not do', async () => {
    const [a, b] = [await statuses({ C: 'Validating' }), await statuses({})]
    const { code, stdout, own, summary } = await live([a.url, b.url], c)
    expect({ code, own, summary }).toEqual({
      code: 3,
      own: ['ok expect fuji/c/node-a status met: validating'],
      summary: '1 of 1 expectations are met',
    })
    expect(stdout).toMatch(
      /^unknown {2}task .*blockchain-status\/fuji\/c\/node-b +the node answered with error -32000$/m,
    )
  })

  test('data that no source reports is unknown, and not met', async () => {
    expect(await live([], c)).toMatchObject({
      code: 1,
      own: ['unknown expect fuji/c status no source reports it'],
      summary: '0 of 1 expectations are met',
    })
  })

  test('what a node says cannot redraw the terminal', async () => {
    const { url } = await statuses({ C: '\\u001b[2J' })
    expect(await live([url], c)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/found \?\[2j$/m) as string,
    })
  })

  test('without expectations it looks at what is watched all the same', async () => {
    const { url, asked } = await statuses({ P: 'Syncing' })
    const { own, stdout } = await live([url], '{ id: p-chain }')
    expect(own).toEqual([])
    expect(stdout).toMatch(/^ok +chain +fuji\/p-chain +exists; no source reports its head; node-a syncing$/m)
    expect(asked).toHaveLength(1)
  })
})

test('a chain that has only its genesis block has not begun, and so it has not stalled', async () => {
  const { url } = await bareNode((method) =>
    method === 'eth_getBlockByNumber'
      ? { result: '{"number":"0x0","hash":"0x00","timestamp":"0x5fcb13d0","gasUsed":"0x0","gasLimit":"0x5f5e100"}' }
      : { result: method === 'health.health' ? '{"healthy":true,"checks":{}}' : '"0xa868"' },
  )
  const off = collectors
    .filter(({ name }) => name !== 'evm-node-heads')
    .map(({ name }) => `${name}: { enabled: false }`)
  const { stdout } = await checkLive(`
networks:
  - name: local
    network: custom
    nodes: [{ name: node-a, url: "${url}" }]
    chains: [{ id: c-chain, name: c, evm_chain_id: 43112, stall_after: 2m }]
collectors: { ${off.join(', ')} }
`)
  expect(stdout).toMatch(/^ok +chain +local\/c +head 0$/m)
})

describe('what nodes alone tell', () => {
  const all = collectors.map(({ name }) => name).filter((name) => !['node-admin', 'node-balances'].includes(name))
  const off = all.map((name) => `${name}: { enabled: false }`).join(', ')
  const WALLET = 'P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66'

  async function liveOf(nodes: readonly string[], wallets: string) {
    const yaml = `
networks:
  - name: fuji
    nodes: [${nodes.join(', ')}]
    addresses: [${wallets}]
collectors: { ${off}, node-balances: { enabled: true } }
`
    return checkLive(yaml)
  }

  // In the smallest unit, of which a token has 10^9: 12.5 tokens.
  const node = () =>
    bareNode((method) =>
      method === 'platform.getBalance'
        ? {
            result: '{"balance":"12500000000","unlocked":"12500000000","lockedStakeable":"0","lockedNotStakeable":"0"}',
          }
        : { result: '{"loggerLevels":{}}' },
    )

  test('a balance that a node reports, and admin APIs that must or must not answer', async () => {
    const { url } = await node()
    const nodes = [
      `{ name: a, url: "${url}", admin: on }`,
      `{ name: b, url: "${url}", admin: forbidden }`,
      `{ name: c, url: "http://127.0.0.1:1", admin: on }`,
      `{ name: d, url: "${url}" }`,
    ]
    const wallets = [
      `{ name: rich, addresses: [${WALLET}], min_balance: 12.5 }`,
      `{ name: poor, addresses: [${WALLET}], min_balance: 12.6 }`,
      `{ name: any, addresses: [${WALLET}] }`,
    ]
    expect(await liveOf(nodes, wallets.join(', '))).toMatchObject({
      code: 1,
      stderr: '',
      own: [
        // What a collector judges is listed first, then what series tell.
        'ok expect fuji/rich/p-chain min_balance met: at least 12.5',
        'problem expect fuji/poor/p-chain min_balance not met: expected at least 12.6, found 12.5',
        'ok expect fuji/a admin met: it answers',
        'problem expect fuji/b admin not met: expected it does not answer, found it answers',
        'unknown expect fuji/c admin no source reports it',
      ],
      summary: '2 of 5 expectations are met',
    })
  })
})

test('a window that is open is said to be open until its end, and not to open in the past', async () => {
  const { url } = await bareNode(() => ({ result: '{}' }))
  const off = collectors.map(({ name }) => `${name}: { enabled: false }`).join(', ')
  const [from, to] = [-3_600_000, 3_600_000].map((away) => new Date(Date.now() + away).toISOString())
  const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "${url}" }]
    maintenance: [{ name: disk, from: ${from}, to: ${to}, nodes: [node-a] }]
collectors: { ${off} }
`
  const { stdout } = await runCommand(['check', '--config.file=a.yml', '--live'], { readFile: () => yaml })
  expect(stdout).toMatch(
    /ok +window +fuji\/disk +is open until \w{3} 20\d\d-\d\d-\d\d \d\d:\d\d UTC; it costs no reward and stalls no L1\n/,
  )
})
