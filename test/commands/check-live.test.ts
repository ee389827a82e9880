import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { bareNode } from '../support/bare-server.ts'
import { runCommand } from '../support/command.ts'

const CHAIN = 'z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA'

/** Validators of the primary network: they have to validate its chains. */
const ids = ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ']

/** Of all collectors only the one that compares the status of chains. */
const others = collectors.filter(({ name }) => name !== 'blockchain-status').map(({ name }) => name)
const collectorsOff = `collectors: { ${others.map((name) => `${name}: { enabled: false }`).join(', ')} }`

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
  return runCommand(['check', '--config.file=a.yml', '--live'], { readFile: () => yaml })
}

const statuses = (byChain: Readonly<Record<string, string>>) =>
  bareNode((_, params) => {
    const status = byChain[(params as { blockchainID: string }).blockchainID]
    return status === undefined ? { error: 'problem parsing blockchainID' } : { result: `{"status":"${status}"}` }
  })
const c = '{ id: c-chain, name: c, expect: { status: validating } }'
const mine = `{ id: ${CHAIN}, name: mine, expect: { status: syncing } }`

describe('check --live', () => {
  test('asks each node once, and says of each expectation what was found', async () => {
    const a = await statuses({ C: 'Validating', [CHAIN]: 'Syncing' })
    const b = await statuses({ C: 'Created', [CHAIN]: 'Syncing' })
    expect(await live([a.url, b.url], `{ id: p-chain }, ${c}, ${mine}`)).toMatchObject({
      code: 1,
      stderr: '',
      stdout: `\
met          fuji/c/node-a status: expected validating, found validating
not met      fuji/c/node-b status: expected validating, found created
met          fuji/mine/node-a status: expected syncing, found syncing
met          fuji/mine/node-b status: expected syncing, found syncing
3 of 4 expectations are met
`,
    })
    // Nothing is expected of the P-Chain, so that nobody is asked about it.
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

  test('ends well when all is as expected', async () => {
    const { url } = await statuses({ C: 'Validating' })
    expect(await live([url], c)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `\
met          fuji/c/node-a status: expected validating, found validating
1 of 1 expectations are met
`,
    })
  })

  test('a node that fails has a line of its own, and that the others say yes does not do', async () => {
    const [a, b] = [await statuses({ C: 'Validating' }), await statuses({})]
    expect(await live([a.url, b.url], c)).toMatchObject({
      code: 1,
      stderr: '',
      stdout: `\
failure      blockchain-status/fuji/c/node-b: the node answered with error -32000
met          fuji/c/node-a status: expected validating, found validating
1 of 1 expectations are met; 1 task failed
`,
    })
  })

  test('what nobody tells is unknown, which is not met', async () => {
    expect(await live([], c)).toMatchObject({
      code: 1,
      stderr: '',
      stdout: `\
unknown      fuji/c status: nothing that was asked tells
0 of 1 expectations are met
`,
    })
  })

  test('what a node says cannot redraw the terminal', async () => {
    const { url } = await statuses({ C: '\\u001b[2J' })
    expect(await live([url], c)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/found \?\[2j$/m),
    })
  })

  test('without expectations asks nobody', async () => {
    const { url, asked } = await statuses({ C: 'Validating' })
    expect(await live([url], '{ id: c-chain }')).toMatchObject({ code: 0, stdout: '0 of 0 expectations are met\n' })
    expect(asked).toEqual([])
  })
})

describe('what only series tell', () => {
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
    return runCommand(['check', '--config.file=a.yml', '--live'], { readFile: () => yaml })
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

  test('a balance that a node tells, and admin interfaces that must or must not answer', async () => {
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
    const { code, stdout, stderr } = await liveOf(nodes, wallets.join(', '))
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toBe(`\
failure      node-admin/fuji/all/c: the connection failed (ECONNREFUSED)
met          fuji/rich/p-chain min_balance: expected at least 12.5, found 12.5
not met      fuji/poor/p-chain min_balance: expected at least 12.6, found 12.5
met          fuji/a admin: expected it answers, found it answers
not met      fuji/b admin: expected it does not answer, found it answers
unknown      fuji/c admin: nothing that was asked tells
2 of 5 expectations are met; 1 task failed
`)
  })
})
