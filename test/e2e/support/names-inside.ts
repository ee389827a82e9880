// Run in a network namespace whose resolv.conf names 127.0.0.1, with the name of a scenario. Prints one line of JSON.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createHttp } from '../../../src/upstream/http.ts'
import { type Answer, createNameServer } from '../../support/name-server.ts'
import { stakewatch, temporaryFolder } from './processes.ts'

const ip = (...words: readonly string[]) => execFileSync('ip', words)

/** A link to a network where 10.8.0.5 and 10.8.0.6 swallow all packets. */
function connectToNowhere(): void {
  ip('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far')
  for (const link of ['near', 'far']) ip('link', 'set', link, 'up')
  ip('address', 'add', '10.8.0.1/24', 'dev', 'near')
  for (const host of ['10.8.0.5', '10.8.0.6']) {
    ip('neighbour', 'add', host, 'lladdr', '02:00:00:00:00:01', 'dev', 'near', 'nud', 'permanent')
  }
}

async function createUpstream() {
  const asked = Promise.withResolvers<number>()
  const upstream = createServer((_, response) => {
    asked.resolve(performance.now())
    response.end('{}')
  })
  upstream.listen(0, '0.0.0.0')
  await once(upstream, 'listening')
  return {
    port: (upstream.address() as AddressInfo).port,
    asked: asked.promise,
    close() {
      upstream.close()
      upstream.closeAllConnections()
    },
  }
}

/** Whether one request reaches the upstream. */
async function request(host: string, answerTo: (name: string) => Answer) {
  const dns = await createNameServer(answerTo, 53)
  const upstream = await createUpstream()
  const http = createHttp({ userAgent: 'stakewatch/test', random: () => 0, now: Date.now })
  const asked = { method: 'GET', headers: {}, retry: false, maxBytes: 1_000 } as const
  const url = `http://${host}:${upstream.port}/`
  const outcome = await http.send({ ...asked, url, signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => ({ status }),
    (error: unknown) => ({ error: String(error) }),
  )
  await http.close()
  upstream.close()
  dns.close()
  return outcome
}

const HEALTHY = 'healthy.example'
const networkAt = (name: string, host: string) => `  - { name: ${name}, nodes: [{ name: a, url: "http://${host}" }] }\n`

const known = (name: string, answer: Answer) => (asked: string) => (asked === name ? answer : undefined)

const scenarios: Readonly<Record<string, () => Promise<unknown>>> = {
  'slow-handshake': () => {
    connectToNowhere()
    // The first packet is lost, and the next one, a second later, finds the upstream.
    setTimeout(() => ip('address', 'add', '10.8.0.6/32', 'dev', 'lo'), 300)
    return request('slow.example', known('slow.example', { a: ['10.8.0.6'], aaaa: ['2001:db8:0:0:0:0:0:1'] }))
  },
  'dead-address': () => {
    connectToNowhere()
    return request('half.example', known('half.example', { a: ['10.8.0.5', '10.8.0.1'] }))
  },
  'broken-dns': () => request('localhost.localdomain', () => 'broken'),
  'refused-by-dns': () => request('localhost.localdomain', () => 'refused'),
  'single-label': () => request('printer', () => undefined),
  'dead-search-domain': () =>
    request('node.example', (name) => (name === 'node.example' ? { a: ['127.0.0.1'] } : 'silent')),

  async 'silent-names'() {
    const dns = await createNameServer((name) => (name === HEALTHY ? { a: ['127.0.0.1'] } : 'silent'), 53)
    const upstream = await createUpstream()
    const folder = await temporaryFolder()
    const file = join(folder.path, 'stakewatch.yml')
    const dead = Array.from({ length: 30 }, (_, at) => networkAt(`n-${at}`, `dead-${at}.example:9650`))
    await writeFile(file, `networks:\n${[...dead, networkAt('healthy', `${HEALTHY}:${upstream.port}`)].join('')}`)
    const daemon = stakewatch(`--config.file=${file}`, '--web.listen-address=127.0.0.1:0')
    const down = daemon.said(/(source is down|cannot be looked up)/).then(() => performance.now())
    await daemon.said(/(listening)/)
    const started = performance.now()
    const first = await upstream.asked
    const deadAt = await down
    await daemon.end()
    upstream.close()
    dns.close()
    await folder.remove()
    return { after: Math.round(first - started), isBeforeAnyFailed: first < deadAt }
  },

  async 'stop-during-lookup'() {
    const asked = Promise.withResolvers<void>()
    const dns = await createNameServer(() => {
      asked.resolve()
      return 'silent'
    }, 53)
    const folder = await temporaryFolder()
    const file = join(folder.path, 'stakewatch.yml')
    await writeFile(file, `networks:\n${networkAt('a', 'dead.example:9650')}`)
    const daemon = stakewatch(`--config.file=${file}`, '--web.listen-address=127.0.0.1:0')
    await asked.promise
    const before = performance.now()
    const code = await daemon.end()
    dns.close()
    await folder.remove()
    return { code, isLate: performance.now() - before > 8_000 }
  },
}

process.stdout.write(JSON.stringify(await scenarios[process.argv[2]!]!()))
