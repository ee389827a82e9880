// The public page of a whole daemon on the simulated network, over real HTTP: on the main listener behind its password, and on
// a listener of its own without one.

import { describe, expect, test, type TestContext } from 'vitest'
import { webSourceOf } from '../../src/commands/serve/watched-files.ts'
import { collectors } from '../../src/collectors/index.ts'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { startSimulator } from '../../src/simulator/simulator.ts'
import type { PublicStatus } from '../../src/status/value/public.ts'
import { createIdle, createSteppedClock } from '../../tools/stepped-time.ts'
import { configFrom } from '../support/poll.ts'

const EPOCH = 1_780_000_000
const { idle } = createIdle()
/** Stands in each private name and secret of the configuration. */
const MARKER = 'mrkSecretQzWvJ'
const WEB = `basic_auth_users: { prometheus: $2b$04$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J. }
rate_limit: { interval: 1h, burst: 1000 }
`

async function daemon({ onTestFinished }: TestContext, web?: string) {
  const time = createSteppedClock(EPOCH * 1_000)
  const clock = () => time.clock.now().steady / 1_000
  const simulator = await startSimulator({ seed: 1, epoch: EPOCH, clock, validators: 20, delegations: 40 })
  onTestFinished(() => simulator.stop())
  const [, , one, two] = [...simulator.world.validators.all.values()]
  const on = ['uptime', 'validators', 'balances']
  const yaml = (page: string) => `networks:
  - name: ${MARKER}-net
    network: fuji
    nodes:
${simulator.nodes.map(({ url }, at) => `      - { name: ${MARKER}-${at}, url: "${url.replace('//', `//${MARKER}:${MARKER}@`)}?key=${MARKER}" }`).join('\n')}
    data_api: { url: "${simulator.dataUrl}/?key=${MARKER}", key: ${MARKER}, network: fuji }
    validators:
      - { node_id: ${one!.nodeId}, name: ${MARKER}-1 }
      - { node_id: ${two!.nodeId}, name: ${MARKER}-2 }
    chains: [{ id: x-chain, name: ${MARKER}-x }]
    addresses: [{ name: ${MARKER}-w, addresses: [P-${one!.owner}] }]
    maintenance: [{ name: ${MARKER}-m, schedule: "* * * * *", for: 1m, nodes: [${MARKER}-0] }]
collectors: { ${collectors.map(({ name }) => `${name}: { enabled: ${on.includes(name)}, every: 1m }`).join(', ')} }
${page}`
  let text = yaml('')
  const load = () => configFrom(text)
  const log = { info: () => {}, warn: () => {} }
  const app = createDaemon({
    config: load(),
    version: MARKER,
    log,
    clock: time.clock,
    random: () => 0,
    load,
  })
  const local = { host: '127.0.0.1', port: 0 }
  const readFile = () => web!
  const [main, open] = await app.start({
    addresses: [local],
    publicAddress: local,
    telemetryPath: '/metrics',
    routePrefix: `/${MARKER}`,
    lifecycle: true,
    web: web === undefined ? undefined : webSourceOf('web.yml', { env: {}, readFile, lookAt: async () => web }),
  })
  onTestFinished(async () => {
    const stopped = app.stop()
    time.advance(5_000)
    await stopped
  })
  const origin = ({ port }: { port: number }) => `http://127.0.0.1:${port}`
  await idle()
  const reload = async (page: string) => {
    text = yaml(page)
    await app.reload('test')
  }
  return { main: `${origin(main!)}/${MARKER}`, open: origin(open!), reload, time, one: one!, two: two! }
}

const first = `public: { title: Our validators, validators: [{ validator: ${MARKER}-1, name: First }] }\n`
const both = first.replace('] }', `, { validator: ${MARKER}-2 }] }`)

const page = async (origin: string) => {
  const reply = await fetch(`${origin}/public.json`)
  return { status: reply.status, json: await reply.text() }
}
const idsOn = async (origin: string) =>
  (JSON.parse((await page(origin)).json) as PublicStatus).validators.map(({ node_id: id }) => id)

describe('the public page of a daemon', () => {
  test('shows what the network has, and on all listeners the same, without anything private', async (context) => {
    const { main, open, reload, time, one } = await daemon(context)
    await reload(first)
    // The rules are evaluated ten seconds after the start.
    time.advance(11_000)
    await expect
      .poll(async () => (JSON.parse((await page(open)).json) as PublicStatus).validators[0]!.uptime_ratio, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0.5)
    const [validator] = (JSON.parse((await page(open)).json) as PublicStatus).validators
    expect(validator).toMatchObject({
      name: 'First',
      node_id: one.nodeId,
      state: 'validating',
      stake_tokens: Number(one.weight) / 1e9,
      delegation_fee_ratio: one.fee / 100,
      reward_state: 'on_course',
      end_timestamp_seconds: one.end,
      polled_timestamp_seconds: EPOCH,
      old: false,
    })
    expect((await page(main)).json).toBe((await page(open)).json)
    for (const path of ['/public', '/public.json', '/', '/metrics', `/${MARKER}/public`]) {
      for (const method of ['GET', 'POST']) {
        const reply = await fetch(open + path, { method })
        const all = `${reply.status} ${reply.statusText} ${JSON.stringify([...reply.headers])} ${await reply.text()}`
        expect([path, method, all.match(/mrksecretqzwvj|fuji|10\.0\.0|data-api/gi)]).toEqual([path, method, null])
      }
    }
  })

  test('a reload adds a validator, removes it, and turns the page off and on', async (context) => {
    const { main, open, reload, one, two } = await daemon(context)
    expect((await page(open)).status).toBe(404)
    await reload(first)
    expect(await idsOn(open)).toEqual([one.nodeId])
    await reload(both)
    expect(await idsOn(open)).toEqual([one.nodeId, two.nodeId])
    await reload(first)
    for (const origin of [main, open]) {
      const html = await (await fetch(`${origin}/public`)).text()
      expect(html).toContain(one.nodeId)
      expect(html).not.toContain(two.nodeId)
    }
    await reload('')
    expect((await page(open)).status).toBe(404)
    expect((await page(main)).status).toBe(404)
  })

  test('the password protects the main listener alone, and visitors do not use up its rate', async (context) => {
    const { main, open, reload } = await daemon(context, WEB.replace('burst: 1000', 'burst: 2'))
    await reload(first)
    const codes = []
    for (const origin of [open, open, open, main]) codes.push((await page(origin)).status)
    expect(codes).toEqual([200, 200, 429, 401])
  })

  test('its listener has nothing of the others', async (context) => {
    const { open, reload } = await daemon(context)
    await reload(first)
    const paths = [
      '/',
      '/metrics',
      '/config',
      '/sd',
      '/api/v1/status',
      '/runbooks',
      '/-/healthy',
      '/-/ready',
      '/-/reload',
    ]
    for (const path of paths) {
      const reply = await fetch(open + path, { method: path === '/-/reload' ? 'POST' : 'GET' })
      expect([path, reply.status, await reply.text()]).toEqual([path, 404, 'Not found.\n'])
    }
  })
})
