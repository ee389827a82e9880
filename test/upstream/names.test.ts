// Lookups against a name server of our own: who is asked, what is kept, and that no name waits for another.

import { promises } from 'node:dns'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttp } from '../../src/upstream/http.ts'
import { createLookup, type LookupOptions } from '../../src/upstream/names.ts'
import { answer, createHostileServer } from '../support/hostile-server.ts'
import { type Answer, createNameServer } from '../support/name-server.ts'
import { failure } from './asking.ts'

type Zones = Readonly<Record<string, Answer>>

interface Machine extends Pick<LookupOptions, 'system'> {
  hosts?: string
  resolv?: string
}

async function createMachine(zones: Zones, { hosts = '', resolv = '', system }: Machine = {}) {
  let zonesNow = zones
  let time = 0
  const dns = await createNameServer((name) => zonesNow[name])
  onTestFinished(dns.close)
  const ofSystem: string[] = []
  const lookup = createLookup({
    now: () => time,
    readFile: (path) => Promise.resolve(path === '/etc/hosts' ? hosts : resolv),
    resolver: () => {
      // A busy machine answers late: what is silent here stays silent.
      const resolver = new promises.Resolver({ timeout: 5_000, tries: 1 })
      resolver.setServers([dns.server])
      return resolver
    },
    system:
      system ??
      ((host) => {
        ofSystem.push(host)
        return Promise.reject(Object.assign(new Error(host), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }))
      }),
  })
  const find = (host: string, family: 0 | 4 | 6 = 0) =>
    new Promise<string[] | string>((resolve) => {
      lookup(host, { all: true, family }, (error, addresses) => {
        resolve(error ? error.code! : (addresses as { address: string }[]).map(({ address }) => address))
      })
    })
  return {
    find,
    lookup,
    asked: () => dns.asked.splice(0).toSorted(),
    ofSystem,
    become: (next: Zones) => (zonesNow = next),
    advance: (milliseconds: number) => (time += milliseconds),
  }
}

const one = { a: ['10.0.0.1'] }
const two = { a: ['10.0.0.2'], aaaa: ['2001:db8:0:0:0:0:0:2'] }

describe('what a name stands for', () => {
  test.each<[string, string, Zones, Machine, string[] | string, string[]]>([
    [
      'both families',
      'a.example',
      { 'a.example': two },
      {},
      ['10.0.0.2', '2001:db8::2'],
      ['a.example A', 'a.example AAAA'],
    ],
    ['one family', 'a.example', { 'a.example': one }, {}, ['10.0.0.1'], ['a.example A', 'a.example AAAA']],
    [
      'the hosts file comes first',
      'a.example',
      { 'a.example': one },
      { hosts: '# x\n10.9.9.9 b A.example # a\n' },
      ['10.9.9.9'],
      [],
    ],
    ['this machine', 'localhost', { localhost: one }, {}, ['127.0.0.1', '::1'], []],
    ['this machine, by a longer name', 'node.localhost', {}, {}, ['127.0.0.1', '::1'], []],
    [
      'a name without a dot: the search list first',
      'node',
      { 'node.lan': one, node: two },
      { resolv: 'search lan\n' },
      ['10.0.0.1'],
      ['node.lan A', 'node.lan AAAA'],
    ],
    [
      'as many dots as ndots: the name itself first',
      'node.dev',
      { 'node.dev.lan': one, 'node.dev': two },
      { resolv: 'search lan\n' },
      ['10.0.0.2', '2001:db8::2'],
      ['node.dev A', 'node.dev AAAA'],
    ],
    [
      'as Kubernetes sets it',
      'node.dev',
      { 'node.dev.svc.local': one, 'node.dev': two },
      { resolv: 'search x.local svc.local\noptions ndots:5\n' },
      ['10.0.0.1'],
      ['node.dev.svc.local A', 'node.dev.svc.local AAAA', 'node.dev.x.local A', 'node.dev.x.local AAAA'],
    ],
    [
      'the last search list counts',
      'node',
      { 'node.b': one },
      { resolv: 'search a\ndomain b\n' },
      ['10.0.0.1'],
      ['node.b A', 'node.b AAAA'],
    ],
    [
      'a dot at the end: no search list',
      'node.',
      { 'node.lan': one, node: two },
      { resolv: 'search lan\n' },
      ['10.0.0.2', '2001:db8::2'],
      ['node A', 'node AAAA'],
    ],
    [
      'a domain with a broken server is passed over',
      'node',
      { 'node.a': 'broken', 'node.b': one },
      { resolv: 'search a b\n' },
      ['10.0.0.1'],
      ['node.a A', 'node.a AAAA', 'node.b A', 'node.b AAAA'],
    ],
    ['broken', 'a.example', { 'a.example': 'broken' }, {}, 'ESERVFAIL', ['a.example A', 'a.example AAAA']],
    ['silent', 'a.example', { 'a.example': 'silent' }, {}, 'ETIMEOUT', ['a.example A', 'a.example AAAA']],
    ['no such name', 'a.example', {}, {}, 'ENOTFOUND', ['a.example A', 'a.example AAAA']],
  ])('%s', async (_, host, zones, machine, expected, asked) => {
    const { find, asked: seen, ofSystem } = await createMachine(zones, machine)
    expect(await find(host)).toEqual(expected)
    // SERVFAIL is asked again.
    expect([...new Set(seen())]).toEqual(asked)
    expect(ofSystem).toEqual(expected === 'ENOTFOUND' ? [host] : [])
  })

  test('what DNS does not know may be known to the system', async () => {
    const { find } = await createMachine({}, { system: () => Promise.resolve([{ address: '10.0.0.7', family: 4 }]) })
    expect(await find('printer.local')).toEqual(['10.0.0.7'])
  })

  test('a family that is wanted alone', async () => {
    const { find } = await createMachine({ 'a.example': two, 'b.example': one })
    expect([await find('a.example', 4), await find('a.example', 6), await find('b.example', 6)]).toEqual([
      ['10.0.0.2'],
      ['2001:db8::2'],
      'ENOTFOUND',
    ])
  })
})

describe('what is kept', () => {
  test('an answer for its time to live, and then the next one counts', async () => {
    const { find, asked, become, advance } = await createMachine({ 'a.example': { ...one, ttl: 30 } })
    await find('a.example')
    become({ 'a.example': two })
    advance(29_999)
    expect(await find('a.example')).toEqual(['10.0.0.1'])
    expect(asked()).toHaveLength(2)
    advance(1)
    expect(await find('a.example')).toEqual(['10.0.0.2', '2001:db8::2'])
  })

  test('a failure for five seconds', async () => {
    const { find, become, advance } = await createMachine({ 'a.example': 'broken' })
    expect(await find('a.example')).toBe('ESERVFAIL')
    become({ 'a.example': one })
    advance(4_999)
    expect(await find('a.example')).toBe('ESERVFAIL')
    advance(1)
    expect(await find('a.example')).toEqual(['10.0.0.1'])
  })

  test('nothing, once the clock was set back', async () => {
    const { find, become, advance } = await createMachine({ 'a.example': one })
    await find('a.example')
    become({ 'a.example': two })
    advance(-3_600_000)
    expect(await find('a.example')).toEqual(['10.0.0.2', '2001:db8::2'])
  })

  test('a time to live of weeks for ten minutes', async () => {
    const { find, become, advance } = await createMachine({ 'a.example': { ...one, ttl: 2_000_000 } })
    await find('a.example')
    become({ 'a.example': two })
    advance(600_000)
    expect(await find('a.example')).toEqual(['10.0.0.2', '2001:db8::2'])
  })

  test('those who ask at the same time share one query', async () => {
    const { find, asked } = await createMachine({ 'a.example': one })
    await Promise.all(Array.from({ length: 50 }, () => find('a.example')))
    expect(asked()).toEqual(['a.example A', 'a.example AAAA'])
  })
})

test('three hundred names without an answer do not delay a name that has one', async () => {
  const dead = Array.from({ length: 300 }, (_, at) => `dead-${at}.example`)
  const { find } = await createMachine({
    ...Object.fromEntries(dead.map((name) => [name, 'silent'])),
    'a.example': one,
  })
  const order: string[] = []
  const all = dead.map(async (name) => {
    await find(name)
    order.push(name)
  })
  await find('a.example').then((found) => order.push(String(found)))
  await Promise.all(all)
  expect(order).toHaveLength(301)
  expect(order[0]).toBe('10.0.0.1')
})

test('a system that never answers delays no name that DNS knows, and is asked one name at a time', async () => {
  const ofSystem: string[] = []
  const { find } = await createMachine(
    { 'a.example': one },
    { system: (host) => (ofSystem.push(host), new Promise<never>(() => {})) },
  )
  const stuck = ['b.local', 'c.local'].map((host) => find(host))
  expect(await find('a.example')).toEqual(['10.0.0.1'])
  expect(await Promise.all(stuck)).toEqual(['ETIMEOUT', 'ETIMEOUT'])
  expect(ofSystem).toEqual(['b.local'])
})

test('a request goes to the address that was found, and a failure names the lookup', async () => {
  const server = await createHostileServer(answer(200, {}))
  const { lookup } = await createMachine({ 'a.example': { a: ['127.0.0.1'] } })
  const http = createHttp({ userAgent: 'stakewatch/test', random: () => 0, now: Date.now, lookup })
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
