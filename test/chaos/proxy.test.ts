// The proxy of the chaos runs over real connections: what it lets through, what it breaks, and what it records.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../tools/chaos/faults/define.ts'
import { faults } from '../../tools/chaos/faults/index.ts'
import type { SpellPlan } from '../../tools/chaos/plan.ts'
import { type Exchange, type Proxy, startProxy } from '../../tools/chaos/proxy.ts'
import { createTime } from '../../tools/chaos/time.ts'

const ANSWER = '{"jsonrpc":"2.0","result":{"supply":"100"},"id":1}'

async function upstream(): Promise<string> {
  const server: Server = createServer((asked, answer) => {
    asked.resume().on('end', () => answer.setHeader('content-type', 'application/json').end(ANSWER))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function proxied(fault?: Fault): Promise<{ proxy: Proxy; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = []
  const plan: SpellPlan = {
    at: () => (fault ? { number: 1, fault, chance: 1, from: 0, until: Infinity } : undefined),
  }
  const proxy = await startProxy({
    upstream: { network: 'ash', source: 'node-a', service: 'node', target: await upstream() },
    time: createTime(1, 0),
    seed: 1,
    plan,
    replies: undefined,
    record: (exchange) => exchanges.push(exchange),
  })
  onTestFinished(() => proxy.stop())
  return { proxy, exchanges }
}

const ask = (proxy: Proxy, signal?: AbortSignal) =>
  fetch(`${proxy.url}/ext/bc/P`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"platform.getCurrentSupply","params":{}}',
    ...(signal ? { signal } : {}),
  })

const faultOf = (name: string) => faults.find((fault) => fault.name === name)!

test('without a fault the answer passes as it is', async () => {
  const { proxy, exchanges } = await proxied()
  expect(await (await ask(proxy)).text()).toBe(ANSWER)
  expect(exchanges).toMatchObject([
    { operation: { name: 'platform.getCurrentSupply' }, isChanged: false, sent: 'proper', fault: undefined },
  ])
})

test.each(['reset-after-request', 'closed-after-request', 'reset-in-body', 'garbage-for-a-status-line', 'two-lengths'])(
  '%s is no answer',
  async (name) => {
    const { proxy, exchanges } = await proxied(faultOf(name))
    await expect(ask(proxy).then((answer) => answer.text())).rejects.toThrow(/fetch failed|terminated/)
    expect(exchanges).toMatchObject([{ isChanged: true, sent: 'none', fault: { name } }])
  },
)

test.each(['reset-when-accepted', 'closed-when-accepted', 'speaks-first', 'connection-refused'])(
  '%s strikes before anything is asked',
  async (name) => {
    const { proxy, exchanges } = await proxied(faultOf(name))
    await expect(ask(proxy)).rejects.toThrow('fetch failed')
    expect(exchanges.every(({ operation }) => operation === undefined)).toBe(true)
  },
)

test('a hanging answer counts when the caller has given up', async () => {
  const { proxy, exchanges } = await proxied(faultOf('no-answer'))
  await expect(ask(proxy, AbortSignal.timeout(100))).rejects.toThrow('aborted due to timeout')
  await expect.poll(() => exchanges).toMatchObject([{ isChanged: true, sent: 'none' }])
})

test('a status passes as it is meant', async () => {
  const { proxy, exchanges } = await proxied(faultOf('retry-after-date'))
  const answer = await ask(proxy)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, 'Wed, 21 Oct 2015 07:28:00 GMT'])
  expect(exchanges).toMatchObject([{ isChanged: true, sent: 'none' }])
})

test('another value in the right form can be read, and is no proper answer', async () => {
  const { proxy, exchanges } = await proxied(faultOf('amounts-doubled'))
  expect(await (await ask(proxy)).text()).toContain('"supply":"200"')
  expect(exchanges).toMatchObject([{ isChanged: true, sent: 'other' }])
})

test.each(['unsolicited-answer', 'answer-of-another-request'])('%s is a lie that can be read', async (name) => {
  const { make, ...fault } = faultOf(name)
  const other = ANSWER.replace('100', '200')
  const { proxy, exchanges } = await proxied({
    ...fault,
    make: (proper, asked, random) => make!(proper, { ...asked, other }, random),
  })
  expect(await (await ask(proxy)).text()).toBe(other)
  await expect.poll(() => exchanges).toMatchObject([{ isChanged: true, sent: 'other', fault: { name, lies: true } }])
})

test('a fault that has nothing to strike changes nothing and is not counted', async () => {
  const { proxy, exchanges } = await proxied(faultOf('time-far-ahead'))
  expect(await (await ask(proxy)).text()).toBe(ANSWER)
  expect(exchanges).toMatchObject([{ isChanged: false, sent: 'proper', fault: undefined }])
})
