// A crash from outside, without credentials: clients that ask without end and read nothing, next to a scraper.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Started, stakewatch } from './support/processes.ts'
import { eventually, scrape } from './support/scrape.ts'
import { valueOf } from '../support/exposition.ts'

let demo: Started
let url: string
beforeAll(async () => {
  demo = stakewatch('demo', '--web.listen-address=127.0.0.1:0')
  url = await demo.said(/metrics: +(http:\S+)\n/)
  // Then its own connections to the simulated network are open.
  await demo.said(/(every task has been attempted)/)
})

const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await demo.end()
})

/** Requests of each client, which never reads. */
async function attack(clients: number, requests: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const asked = `GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(requests)
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      socket.write(asked)
    }),
  )
}

test('pipelining and unread scrapes: nothing ends, memory stays, and another scraper waits less than a second', async () => {
  let before = await scrape(url)
  // It updates its own metrics once a second: the first time may be before it has connected to its upstreams.
  for (let times = 0; times < 2; times += 1) {
    const cpu = valueOf(before, 'process_cpu_seconds_total')
    before = await eventually('it updates its own metrics', async () => {
      const text = await scrape(url)
      return valueOf(text, 'process_cpu_seconds_total') !== cpu && text
    })
  }
  const openBefore = valueOf(before, 'process_open_fds')!
  const slowest = { scrape: 0, memory: 0 }
  async function look(): Promise<string> {
    const began = performance.now()
    const text = await scrape(url)
    slowest.scrape = Math.max(slowest.scrape, performance.now() - began)
    slowest.memory = Math.max(slowest.memory, valueOf(text, 'process_resident_memory_bytes')!)
    return text
  }

  for (const [clients, requests] of [
    [100, 1_500],
    [20, 1_000],
    [300, 1],
  ] as const) {
    const attacking = attack(clients, requests)
    for (let scrapes = 0; scrapes < 10; scrapes += 1) await look()
    await attacking
    await look()
  }
  const attacked = performance.now()
  await eventually('the descriptors are free again, and who pipelined was cut off', async () => {
    const text = await look()
    const cut = valueOf(text, 'stakewatch_http_connections_cut_total', { reason: 'pipelined' })
    return cut === 120 && valueOf(text, 'process_open_fds')! <= openBefore + 30
  })
  expect(performance.now() - attacked).toBeLessThan(30_000)
  expect(slowest.scrape).toBeLessThan(1_000)
  const megabytes = (slowest.memory - valueOf(before, 'process_resident_memory_bytes')!) / 1_048_576
  // The demo itself grows by some dozens in that time.
  expect(megabytes).toBeLessThan(250)
})
