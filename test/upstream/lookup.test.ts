// What the system's lookup is asked, what is kept of its answers, and what a slow or failing one costs.

import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttp } from '../../src/upstream/http.ts'
import { createLookup } from '../../src/upstream/lookup.ts'
import { answer, createHostileServer } from '../support/hostile-server.ts'
import { failure } from './asking.ts'

const one = [{ address: '10.0.0.1', family: 4 }]
const two = [{ address: '10.0.0.2', family: 4 }]

/** A system whose lookups end when the test says so, and a clock that also ends the waits of lookups. */
function createMachine() {
  let time = 0
  const asked: { host: string; end: PromiseWithResolvers<typeof one> }[] = []
  let waits: { until: number; end: () => void }[] = []
  const lookup = createLookup({
    now: () => time,
    system: (host) => {
      const end = Promise.withResolvers<typeof one>()
      asked.push({ host, end })
      return end.promise
    },
    after: (milliseconds) => new Promise<void>((end) => waits.push({ until: time + milliseconds, end })),
  })
  return {
    find: (host: string) =>
      lookup(host).then(
        (found) => found.map(({ address }) => address).join(),
        (error: NodeJS.ErrnoException) => error.code,
      ),
    lookup,
    asked: () => asked.map(({ host }) => host).join(),
    answer: (addresses: typeof one) => asked.at(-1)!.end.resolve(addresses),
    fail: (code: string) => asked.at(-1)!.end.reject(Object.assign(new Error(code), { code, syscall: 'getaddrinfo' })),
    advance(milliseconds: number) {
      time += milliseconds
      for (const { until, end } of waits) if (until <= time) end()
      waits = waits.filter(({ until }) => until > time)
    },
  }
}

type Machine = ReturnType<typeof createMachine>

/** The machine after its name was found once. */
async function createKnowing(): Promise<Machine> {
  const machine = createMachine()
  const first = machine.find('a')
  machine.answer(one)
  expect(await first).toBe('10.0.0.1')
  return machine
}

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
])('an address is not looked up: %s', async (host, expected) => {
  const machine = createMachine()
  expect([await machine.find(host), machine.asked()]).toEqual([expected, ''])
})

test('requests at the same time share one lookup, and other names have their own', async () => {
  const machine = createMachine()
  const all = ['a', 'a', 'b', 'a'].map((host) => machine.find(host))
  expect(machine.asked()).toBe('a,b')
  machine.answer(two)
  expect(await all[2]).toBe('10.0.0.2')
})

describe.each<[string, (machine: Machine) => void, string]>([
  ['an answer', (machine) => machine.answer(one), '10.0.0.1'],
  ['a failure', (machine) => machine.fail('ENOTFOUND'), 'ENOTFOUND'],
])('%s', (_, end, expected) => {
  test.each([
    ['just before five seconds', 4_999, 'a'],
    ['after five seconds', 5_000, 'a,a'],
    ['once the clock was set back', -3_600_000, 'a,a'],
  ])('is kept for five seconds: %s', async (_, later, asked) => {
    const machine = createMachine()
    const first = machine.find('a')
    end(machine)
    expect(await first).toBe(expected)
    machine.advance(later)
    void machine.find('a')
    expect(machine.asked()).toBe(asked)
  })
})

describe('a lookup that takes long', () => {
  test('fails the request after eight seconds, and serves the next one when it ends', async () => {
    const machine = createMachine()
    const first = machine.find('a')
    machine.advance(8_000)
    expect(await first).toBe('ETIMEDOUT')
    const second = machine.find('a')
    machine.advance(2_000)
    machine.answer(one)
    expect([await second, machine.asked()]).toEqual(['10.0.0.1', 'a'])
  })

  test('takes the addresses of before after two seconds, and its own once it has ended', async () => {
    const machine = await createKnowing()
    machine.advance(60_000)
    const second = machine.find('a')
    machine.advance(2_000)
    expect(await second).toBe('10.0.0.1')
    machine.answer(two)
    expect([await machine.find('a'), machine.asked()]).toEqual(['10.0.0.2', 'a,a'])
  })

  test('does not take addresses that are older than ten minutes', async () => {
    const machine = await createKnowing()
    machine.advance(600_000)
    const second = machine.find('a')
    machine.advance(8_000)
    expect(await second).toBe('ETIMEDOUT')
  })
})

test.each([
  ['a server that cannot answer says nothing about the name', 'EAI_AGAIN', '10.0.0.1'],
  ['a name that is gone is gone', 'ENOTFOUND', 'ENOTFOUND'],
])('%s', async (_, code, expected) => {
  const machine = await createKnowing()
  machine.advance(60_000)
  const second = machine.find('a')
  machine.fail(code)
  expect(await second).toBe(expected)
})

test('a request goes to the address that was found, and a failure names the lookup', async () => {
  const server = await createHostileServer(answer(200, {}))
  const http = createHttp({
    userAgent: 'stakewatch/test',
    random: () => 0,
    now: Date.now,
    lookup: createLookup({
      now: Date.now,
      system: async (host) => {
        if (host === 'a.example') return [{ address: '127.0.0.1', family: 4 }]
        throw Object.assign(new Error(host), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
      },
    }),
  })
  onTestFinished(() => http.close())
  const send = (host: string) =>
    http.send({
      method: 'GET',
      url: `http://${host}:${new URL(server.url).port}/`,
      headers: {},
      signal: AbortSignal.timeout(10_000),
      retry: false,
      maxBytes: 1_000,
    })
  expect((await send('a.example')).status).toBe(200)
  expect(await failure(send('b.example'))).toMatchObject({
    code: 'network',
    message: 'the host name cannot be looked up (ENOTFOUND)',
  })
})
