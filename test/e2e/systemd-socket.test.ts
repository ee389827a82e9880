// The daemon on sockets that its parent opened, as systemd passes them.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { certificate } from '../support/certificates.ts'
import { temporaryFolder } from './support/processes.ts'
import { program } from './support/release.ts'

const children: ChildProcess[] = []
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})

async function socket(where: ListenOptions): Promise<Server> {
  const server = createServer().listen(where)
  await once(server, 'listening')
  return server
}

/** It inherits the sockets, and this process closes its own copies. Its id is known only to the shell that becomes it. */
function serve(sockets: readonly Server[], ...flags: readonly string[]) {
  const config = join(folder.path, 'stakewatch.yml')
  writeFileSync(config, 'networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://127.0.0.1:1" }] }]\n')
  const command = `LISTEN_PID=$$ LISTEN_FDS=${sockets.length} LISTEN_FDNAMES=stakewatch.socket exec "$0" "$@"`
  const args = ['-c', command, process.execPath, program, `--config.file=${config}`, '--web.systemd-socket', ...flags]
  const handles = sockets.map((one) => (Reflect.get(one, '_handle') as { fd: number }).fd)
  const child = spawn('/bin/sh', args, { stdio: ['ignore', 'ignore', 'pipe', ...handles] })
  children.push(child)
  for (const one of sockets) one.close()
  return { child, log: text(child.stderr!) }
}

test('it serves on each of them, also those who connect before it listens', async () => {
  const sockets = [await socket({ host: '127.0.0.1', port: 0 }), await socket({ host: '127.0.0.1', port: 0 })]
  const ports = sockets.map((one) => (one.address() as AddressInfo).port)
  const { child, log } = serve(sockets)
  for (const port of ports) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('stakewatch_build_info')])
  }
  child.kill('SIGTERM')
  const lines = (await log).split('\n')
  for (const port of ports) expect(lines.filter((line) => line.includes(`address=127.0.0.1:${port}`))).toHaveLength(1)
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0)
})

test('it speaks TLS on it as on a port of its own', async () => {
  const { cert, key } = certificate('stakewatch', { names: { ip: '127.0.0.1' } })
  const web = join(folder.path, 'web.yml')
  writeFileSync(join(folder.path, 'cert.pem'), cert)
  writeFileSync(join(folder.path, 'key.pem'), key)
  writeFileSync(web, 'tls_server_config: { cert_file: cert.pem, key_file: key.pem }\n')
  const one = await socket({ host: '127.0.0.1', port: 0 })
  const { port } = one.address() as AddressInfo
  serve([one], `--web.config.file=${web}`)
  const asked = requestTls({ host: '127.0.0.1', port, path: '/metrics', ca: cert }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  expect([answer.statusCode, await text(answer)]).toEqual([200, expect.stringContaining('stakewatch_build_info')])
})

test('a socket that is none of TCP is refused', async () => {
  const { child, log } = serve([await socket({ path: join(folder.path, 'socket') })])
  expect(await log).toBe(
    'the socket with number 3 does not listen for TCP: the .socket unit needs ListenStream= with a port, and no Accept=yes\n',
  )
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1)
})
