// What the bad weather does to an answer, over real connections, and what it records of it.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/process/system-clock.ts'
import { type Fault, faults } from '../../tools/scenarios/weather/faults.ts'
import { type Exchange, startProxy } from '../../tools/scenarios/weather/proxy.ts'
import { spells } from '../../tools/scenarios/weather.ts'

/** Holds a field of each kind that is forged, and an integer beyond 2^53. */
const VALIDATOR = {
  nodeID: 'NodeID-a',
  weight: '2000',
  startTime: '1700000000',
  uptime: '99.5',
  delegatorCount: '2',
  height: '7',
  blockType: 'BanffStandardBlock',
}
const [ONE, TWO] = [VALIDATOR, { ...VALIDATOR, nodeID: 'NodeID-b' }].map((one) => JSON.stringify(one))
const LIST = `{"validators":[${ONE},${TWO}],"exact":720000000000000123}`
const BODIES = { node: `{"jsonrpc":"2.0","result":${LIST},"id":1}`, data: LIST, metrics: LIST }
const QUESTION = '{"jsonrpc":"2.0","id":1,"method":"platform.getCurrentSupply","params":{}}'
const OTHER = QUESTION.replace('Supply', 'Validators')

async function proxied(service: keyof typeof BODIES, fault?: Fault) {
  const exchanges: Exchange[] = []
  let [now, weight] = [0, '2001']
  const proper = () => BODIES[service].replace('"2000"', `"${weight}"`)
  const server = createServer((question, answer) => {
    const body = proper()
    question.resume().on('end', () => answer.setHeader('content-type', 'application/json').end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy = await startProxy({
    upstream: { network: 'ash', source: 'a', service, target },
    seed: 1,
    clock: { ...systemClock, after: (_, work) => systemClock.after(0, work) },
    now: () => now,
    record: (exchange) => exchanges.push(exchange),
  })
  onTestFinished(() => proxy.stop())
  const ask = async (body = QUESTION) => {
    const init = { method: 'POST', body, signal: AbortSignal.timeout(2_000) }
    const answer = await fetch(`${proxy.url}/ext/bc/P`, service === 'node' ? init : { signal: init.signal })
    return { status: answer.status, text: await answer.text() }
  }
  // So that there are an earlier answer to the question, an old one, and one to another question.
  for (const [at, question] of [
    [0, QUESTION],
    [800_000, QUESTION],
    [850_000, OTHER],
    [900_000, ''],
  ] as const) {
    ;[now, weight] = [at, String(2_001 + at / 50_000)]
    if (question !== '') await ask(question)
  }
  if (fault) await proxy.begin({ fault, chance: 1 })
  exchanges.length = 0
  return { ask, exchanges, proxy, proper: proper() }
}

test('without a fault the answer passes as it is', async () => {
  const { ask, exchanges } = await proxied('node')
  expect((await ask()).text).toContain('"exact":720000000000000123')
  expect(exchanges).toMatchObject([{ operation: 'platform.getCurrentSupply', sent: 'the truth', fault: undefined }])
})

/** They take the client's patience, or there is nothing that could record them. */
const alone = new Set([
  'no-answer',
  'hang-in-headers',
  'hang-before-last-byte',
  'drip',
  'late-answer',
  'connection-refused',
])

test.each(faults.filter(({ name }) => !alone.has(name)).map((fault) => [fault.name, fault] as const))(
  '%s changes what is answered, and is recorded as what it is',
  async (name, fault) => {
    const [service = 'node'] = fault.only ?? []
    const { ask, exchanges, proper } = await proxied(service, fault)
    const answered = await ask().catch(() => undefined)
    expect(answered).not.toEqual({ status: 200, text: proper })
    // The first request after the open connections were cut may have been on one of them.
    if (fault.connection !== undefined) await ask().catch(() => {})
    await expect.poll(() => exchanges.length).toBeGreaterThan(0)
    expect(exchanges.at(-1)).toMatchObject({ fault: { name }, sent: fault.gives })
  },
)

test('an answer that hangs is none', async () => {
  const { proxy, exchanges } = await proxied(
    'node',
    faults.find(({ name }) => name === 'hang-before-last-byte'),
  )
  const asked = fetch(`${proxy.url}/ext/bc/P`, { method: 'POST', body: QUESTION, signal: AbortSignal.timeout(100) })
  await expect(asked.then((answer) => answer.text())).rejects.toThrow('timeout')
  await expect.poll(() => exchanges).toMatchObject([{ sent: 'nothing' }])
})

test('who waits long enough for a late answer has the truth', async () => {
  const { ask, exchanges, proper } = await proxied(
    'node',
    faults.find(({ name }) => name === 'late-answer'),
  )
  expect((await ask()).text).toBe(proper)
  expect(exchanges).toMatchObject([{ sent: 'the truth' }])
})

test('after a spell the upstream answers again', async () => {
  const { ask, proxy } = await proxied(
    'node',
    faults.find(({ connection }) => connection === 'refuse'),
  )
  await expect(ask()).rejects.toThrow('fetch failed')
  await proxy.over()
  expect((await ask()).status).toBe(200)
})

test('no two faults have one name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
})

test('the same seed plans the same, with a turn for every kind, calm between them, and outages that outlast all values', () => {
  const proxy = { upstream: { network: 'ash', source: 'a' } } as Parameters<typeof spells>[1]
  const planned = (seed: number) => spells(seed, proxy, faults, 40 * 3_600_000).map(({ at, name }) => ({ at, name }))
  const all = planned(1)
  expect(planned(1)).toEqual(all)
  expect(planned(2)).not.toEqual(all)
  expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThan(0.9 * faults.length)
  const lasting = all.flatMap(({ at, name }, index) => (name === 'over' ? [at - all[index - 1]!.at] : []))
  const calm = all.flatMap(({ at, name }, index) => (name !== 'over' && index > 0 ? [at - all[index - 1]!.at] : []))
  expect(Math.max(...lasting)).toBeGreaterThan(400_000)
  expect(Math.min(...calm)).toBeGreaterThan(0)
})
