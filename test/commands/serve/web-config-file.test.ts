// The web configuration from the flag to the answer: a daemon as `demo` and `serve` start it, over real handshakes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { readRegularFile } from '../../../src/process/read-file.ts'
import { authority, certificate } from '../../support/certificates.ts'
import { runCommand } from '../../support/command.ts'

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

/** Runs a daemon, and ends it after what is done once it has said where its metrics are. */
async function serve(flags: readonly string[], meanwhile: (metrics: URL) => Promise<void>) {
  const stopped = Promise.withResolvers<void>()
  // The command refuses to watch nothing. No node answers at that address.
  const watched = ['--preset=local', '--node-url=http://127.0.0.1:1']
  return runCommand(['watch', ...watched, '--web.listen-address=127.0.0.1:0', ...flags], {
    readFile: readRegularFile,
    stdout(said) {
      const [, metrics] = /metrics: (\S+)/.exec(said) ?? []
      if (metrics !== undefined) void meanwhile(new URL(metrics)).then(stopped.resolve, stopped.reject)
    },
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

test('--web.disable-exporter-metrics leaves out what is about the process, but for what an alert needs', async () => {
  let names: (string | undefined)[] = []
  await serve(['--web.disable-exporter-metrics'], async (metrics) => {
    const body = await (await fetch(metrics)).text()
    names = [...body.matchAll(/^([a-z_]+)[{ ]/gm)].map(([, name]) => name)
  })
  expect(names.filter((name) => /^(process|nodejs|stakewatch_http)_/.test(name!))).toEqual([
    'process_start_time_seconds',
  ])
  expect(names).toEqual(expect.arrayContaining(['stakewatch_build_info', 'stakewatch_config_last_reload_successful']))
})

describe('check --web.config.file', () => {
  const NETWORKS = "networks: [{ name: fuji, metrics_api: { url: 'http://10.0.0.9' } }]\n"
  const NOT_A_KEY = server.key.replace(/\n[^-].*/, `\n${'A'.repeat(64)}`)
  put('broken.key', NOT_A_KEY)
  put('other.key', client.key)
  const over = certificate('over', { isOver: true })
  put('over.crt', over.cert)
  put('over.key', over.key)
  put('cut.crt', server.cert.slice(0, -30))
  put('cut.key', server.key.slice(0, -2))
  const tls = (cert: string, key: string) => `tls_server_config: { cert_file: ${cert}, key_file: ${key} }\n`
  const check = (file: string) =>
    runCommand(['check', '--config.file=a.yml', `--web.config.file=${file}`], {
      readFile: (path) => (path === 'a.yml' ? NETWORKS : readRegularFile(path)),
    })

  test('says that a good one is valid', async () => {
    const file = put('good.yml', SECURED)
    const { code, stdout, stderr } = await check(file)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(`a.yml: valid, 0 tasks\n${file}: valid\n`)
  })

  test('warns about a policy that keeps no client out', async () => {
    const yaml =
      'tls_server_config: { cert_file: server.crt, key_file: server.key, client_auth_type: RequireAnyClientCert }\n'
    const file = put('any.yml', yaml)
    const { code, stderr } = await check(file)
    expect(code).toBe(0)
    expect(stderr).toContain(`warning: ${file}: RequireAnyClientCert takes any certificate`)
  })

  test.each([
    ['an unknown key', 'tls_server_config: { cert: x }\nbasic_auth: {}\n', ':2:1: basic_auth: unknown key; '],
    [
      'a value that is none of those that exist',
      'http_server_config: { headers: { X-Frame-Options: allow } }\n',
      ':1:51: http_server_config.headers.X-Frame-Options: expected deny or sameorigin',
    ],
    [
      'a password in place of its hash',
      'basic_auth_users: { a: "hunter2" }\n',
      ':1:24: basic_auth_users.a: expected a ',
    ],
    [
      'a certificate that is not there',
      tls('none.crt', 'server.key'),
      ':1:33: tls_server_config.cert_file: the file cannot be read: there is no such file',
    ],
    [
      'a certificate that is none',
      tls('server.key', 'server.key'),
      ':1:33: tls_server_config.cert_file: expected a certificate in PEM form',
    ],
    [
      'a key that is none',
      tls('server.crt', 'broken.key'),
      ':1:55: tls_server_config.key_file: expected a private key in PEM form, without a password',
    ],
    [
      'a certificate that is cut off',
      tls('cut.crt', 'server.key'),
      ':1:33: tls_server_config.cert_file: is cut off: the block on line 1 has no end; write the whole file again; check what the file cut.crt holds',
    ],
    [
      'a key that is cut off',
      tls('server.crt', 'cut.key'),
      ':1:55: tls_server_config.key_file: is cut off: the block on line 1 has no end; write the whole file again; check what the file cut.key holds',
    ],
    [
      'a key of another certificate',
      tls('server.crt', 'other.key'),
      ':1:55: tls_server_config.key_file: this key is not that of the certificate',
    ],
    [
      'a certificate that has expired',
      tls('over.crt', 'over.key'),
      ': tls_server_config: the certificate of CN=over expired at 2000-01-01T00:00:00.000Z: renew it',
    ],
    [
      'an authority that has expired',
      tls('server.crt', 'server.key').replace(
        ' }',
        ', client_auth_type: VerifyClientCertIfGiven, client_ca_file: over.crt }',
      ),
      ': tls_server_config: the authority of clients of CN=over expired at 2000-01-01T00:00:00.000Z: renew it',
    ],
  ])('refuses %s: exit code 1, and no value of a file', async (what, yaml, said) => {
    const file = put('bad.yml', yaml)
    const { code, stdout, stderr } = await check(file)
    expect([what, code, stdout]).toEqual([what, 1, ''])
    expect(stderr).toContain(file)
    expect(stderr).toContain(said)
    for (const secret of ['hunter2', ...server.key.split('\n').slice(1, -2)]) expect(stderr).not.toContain(secret)
  })

  test('says that the file itself is not there', async () => {
    const file = join(folder, 'nothing.yml')
    expect(await check(file)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${file}: the file cannot be read: there is no such file`,
    })
  })
})
