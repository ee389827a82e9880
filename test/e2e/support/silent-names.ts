// Run in a network namespace whose resolv.conf names 127.0.0.1: a name server that answers for one name alone, an upstream of
// that name, and a daemon that watches it and thirty networks whose names it never finds. Prints one line of JSON.

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createNameServer } from '../../support/name-server.ts'
import { stakewatch, temporaryFolder } from './processes.ts'

const HEALTHY = 'healthy.example'
const dns = await createNameServer((name) => (name === HEALTHY ? { a: ['127.0.0.1'] } : 'silent'), 53)
const asked = Promise.withResolvers<number>()
const upstream = createServer((_, response) => {
  asked.resolve(performance.now())
  response.end('{}')
})
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const { port } = upstream.address() as AddressInfo

const networks = [
  ...Array.from(
    { length: 30 },
    (_, at) => `{ name: n-${at}, nodes: [{ name: a, url: "http://dead-${at}.example:9650" }] }`,
  ),
  `{ name: healthy, nodes: [{ name: a, url: "http://${HEALTHY}:${port}" }] }`,
]
const folder = await temporaryFolder()
const file = join(folder.path, 'stakewatch.yml')
await writeFile(file, `networks:\n${networks.map((one) => `  - ${one}\n`).join('')}`)
const daemon = stakewatch(`--config.file=${file}`, '--web.listen-address=127.0.0.1:0')
const down = daemon.said(/(source is down|cannot be looked up)/).then(() => performance.now())
await daemon.said(/(listening)/)
const started = performance.now()
const first = await asked.promise
const deadAt = await down
process.stdout.write(JSON.stringify({ after: Math.round(first - started), isBeforeAnyFailed: first < deadAt }))
await daemon.end()
upstream.close()
upstream.closeAllConnections()
dns.close()
await folder.remove()
