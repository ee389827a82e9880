// The web configuration from the flag to the answer: a daemon as `demo` and `serve` start it, over real handshakes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { readRegularFile, stampOf } from '../../src/process/read-file.ts'
import { authority, certificate } from '../support/certificates.ts'
import { runCommand } from '../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'web-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ca = authority('the authority of the tests')
const server = certificate('stakewatch', { by: ca, names: { ip: '127.0.0.1' } })
const client = certificate('prometheus', { by: ca, names: { dns: 'prometheus.example' } })
const put = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
put('server.crt', server.cert)
put('server.key', server.key)
put('ca.crt', ca.cert)
/** The password is `secret`; a cost of 4 is the least that there is. */
const SECRET = '$2b$04$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J.'
const SECURED = `
tls_server_config:
  cert_file: server.crt
  key_file: server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca.crt
basic_auth_users:
  prometheus: "${SECRET}"
`

const disk = { readFile: readRegularFile, stampOf }

/** Runs a daemon, and ends it after what is done once it has said where its metrics are. */
async function serve(flags: readonly string[], meanwhile: (metrics: URL) => Promise<void>) {
  const stopped = Promise.withResolvers<void>()
  const files: Readonly<Record<string, string>> = { 'a.yml': 'networks: [{ name: fuji }]\n' }
  return runCommand(['watch', '--preset=local', '--web.listen-address=127.0.0.1:0', ...flags], {
    ...disk,
    readFile: (path) => files[path] ?? readRegularFile(path),
    stdout(said) {
      const [, metrics] = /metrics: (\S+)/.exec(said) ?? []
      if (metrics !== undefined) void meanwhile(new URL(metrics)).then(stopped.resolve, stopped.reject)
    },
    thread: new URL('../../src/daemon-poller.ts', import.meta.url),
    stopped: stopped.promise,
  })
}

const trusted = { ca: ca.cert, agent: false } as const
const asking = (url: URL, options: object) =>
  new Promise<string>((resolve) => {
    request(url, { ...trusted, ...options }, (answer) => {
      void text(answer).then((body) => resolve(`${answer.statusCode} ${body.split(' ', 1)[0]}`))
    })
      .on('error', () => resolve('no answer'))
      .end()
  })

test('a scrape over TLS with a client certificate and a password, and none without either', async () => {
  const file = put('secured.yml', SECURED)
  const seen: string[] = []
  const ended = await serve([`--web.config.file=${file}`], async (metrics) => {
    expect(metrics.protocol).toBe('https:')
    const auth = 'prometheus:secret'
    seen.push(await asking(metrics, { ...client, auth }))
    seen.push(await asking(metrics, { ...client, auth: 'prometheus:wrong' }))
    seen.push(await asking(metrics, client))
    seen.push(await asking(metrics, { auth }))
    const health = new URL('/-/healthy', metrics)
    seen.push(await asking(health, client))
  })
  expect(ended.code).toBe(0)
  expect(seen).toEqual(['200 #', '401 Unauthorized\n', '401 Unauthorized\n', 'no answer', '401 Unauthorized\n'])
})
