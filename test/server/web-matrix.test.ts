// Every field of the web configuration, as it works and as it refuses, over real handshakes.

import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { webSourceOf } from '../../src/commands/serve/watched-files.ts'
import { loadWebConfig } from '../../src/config/web/web-config.ts'
import { createGate } from '../../src/server/gate.ts'
import { createListener, defaultTimeouts, validateTls } from '../../src/server/listener.ts'
import { createWebConfigReloader } from '../../src/server/web-config-reload.ts'
import { authority, certificate, type Made } from '../support/certificates.ts'
import { openServer } from '../support/open-server.ts'

const ca = authority('our authority')
const others = authority('the authority of others')
const ec = certificate('stakewatch', { by: ca, names: { ip: '127.0.0.1' } })
const rsa = certificate('stakewatch', { by: ca, names: { ip: '127.0.0.1' }, type: 'rsa' })
const ours = certificate('prometheus', { by: ca, names: { dns: 'prometheus.example' } })
const theirs = certificate('prometheus', { by: others, names: { dns: 'prometheus.example' } })

const files: Record<string, string> = {
  'ec.crt': ec.cert,
  'ec.key': ec.key,
  'rsa.crt': rsa.cert,
  'rsa.key': rsa.key,
  'ca.crt': ca.cert,
  'empty.crt': 'nothing\n',
  'empty.key': '',
}
const readFile = (path: string) => {
  const text = files[path]
  if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
  return text
}

async function serve(yaml: string) {
  let text = yaml
  const read = (path: string) => (path === 'web.yml' ? text : readFile(basename(path)))
  const source = webSourceOf('web.yml', {
    env: {},
    readFile: read,
    lookAt: (path) => Promise.resolve(read(path)),
  })!
  const reread: string[] = []
  const noted = (error: Error | undefined, waiting: readonly string[]) =>
    reread.push(error?.message ?? ['read', ...waiting].join(' '))
  let config!: ReturnType<typeof createWebConfigReloader>
  const opened = await openServer((clock) => {
    config = createWebConfigReloader(source, { validate: validateTls, reread: noted })
    return { web: { config, gate: createGate(config, clock) } }
  })
  const write = (next: string) => {
    text = next
    return config.look()
  }
  return { ...opened, write, reread, inForce: () => config.current() }
}

interface Visit {
  head: string
  version: string | null
  suite: string
  /** Of the key of the server's certificate. */
  key: string | undefined
  isResumed: boolean
}

function agreed(socket: TLSSocket): Omit<Visit, 'head'> {
  return {
    version: socket.getProtocol(),
    suite: socket.getCipher().standardName,
    key: socket.getPeerX509Certificate()?.publicKey.asymmetricKeyType,
    isResumed: socket.isSessionReused(),
  }
}

/** One request over a connection of its own; undefined when it was refused. */
function visit(
  port: number,
  options: ConnectionOptions = {},
  path = '/metrics',
  headers = '',
): Promise<Visit | undefined> {
  return new Promise((resolve) => {
    let head = ''
    let seen: Omit<Visit, 'head'>
    const socket = connect({ host: '127.0.0.1', port, ca: ca.cert, ...options }, () => {
      seen = agreed(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`)
    })
    socket
      .setEncoding('utf8')
      .on('data', (text: string) => (head += text))
      .on('error', () => {})
      .on('close', () => resolve(head === '' ? undefined : { head: head.split('\r\n\r\n', 1)[0]!, ...seen }))
  })
}

/** The protocol that the server chooses with a client of both. */
const spokenBy = (port: number) =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, ca: ca.cert, ALPNProtocols: ['h2', 'http/1.1'] }, () => {
      resolve(socket.alpnProtocol)
      socket.destroy()
    })
  })

const status = (one: Visit | undefined) => (one ? one.head.slice('HTTP/1.1 '.length, 12) : 'refused')
const shown = async (...visits: Promise<Visit | undefined>[]) => (await Promise.all(visits)).map(status)

const TLS = 'tls_server_config:\n  cert_file: ec.crt\n  key_file: ec.key\n'
const RSA = TLS.replaceAll('ec.', 'rsa.')
const SECRET = '$2b$04$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J.'
const OTHER = '$2b$04$41bBz9bWTPH2M7yQjFiIket2pUP81rdRqTagU7BHj2TFGBzIDaLVm'
const basic = (user: string, password: string) =>
  `authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}\r\n`

describe('the certificate and its key', () => {
  test.each([
    ['cert_file and key_file', TLS],
    ['cert and key', `tls_server_config:\n  cert: ${JSON.stringify(ec.cert)}\n  key: ${JSON.stringify(ec.key)}\n`],
    ['cert and key_file', `tls_server_config:\n  cert: ${JSON.stringify(ec.cert)}\n  key_file: ec.key\n`],
    [
      'with blank keys, as other exporters read them',
      `${TLS}  client_ca_file: ""\n  client_auth_type: ""\nhttp_server_config:\n`,
    ],
  ])('%s: only a client that knows the authority trusts it', async (_, yaml) => {
    const { port } = await serve(yaml)
    expect(await shown(visit(port), visit(port, { ca: others.cert }))).toEqual(['200', 'refused'])
  })

  test('without any of them the listener speaks plain HTTP', async () => {
    const { port } = await serve('http_server_config: { http2: true }\n')
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
    expect(await shown(visit(port))).toEqual(['refused'])
  })
})

describe('client_auth_type', () => {
  const none = {}
  test.each<[string, string, string, string]>([
    ['NoClientCert', '200', '200', '200'],
    ['RequestClientCert', '200', '200', '200'],
    ['RequireAnyClientCert', 'refused', '200', '200'],
    ['RequireClientCert', 'refused', '200', '200'],
    ['VerifyClientCertIfGiven', '200', 'refused', '200'],
    ['RequireAndVerifyClientCert', 'refused', 'refused', '200'],
  ])('%s: without a certificate %s, with one of others %s, with one of ours %s', async (policy, ...expected) => {
    const authorityOfClients = policy === 'NoClientCert' ? '' : '  client_ca_file: ca.crt\n'
    for (const http2 of [true, false]) {
      const { port } = await serve(
        `${TLS}  client_auth_type: ${policy}\n${authorityOfClients}http_server_config: { http2: ${http2} }\n`,
      )
      expect(await shown(visit(port, none), visit(port, theirs), visit(port, ours))).toEqual(expected)
    }
  })

  test.each<[string, Made, string]>([
    ['is over', certificate('x', { by: ca, isOver: true }), 'refused'],
    ['is signed by itself', certificate('x'), 'refused'],
    ['is signed by ours', ours, '200'],
  ])('a certificate whose time or authority %s', async (_, client, expected) => {
    const yaml = `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca: ${JSON.stringify(ca.cert)}\n`
    const { port } = await serve(yaml)
    expect(await shown(visit(port, client))).toEqual([expected])
  })

  test.each([
    ['NoClientCert', [false, false]],
    ['RequestClientCert', [false, true]],
  ])(
    '%s: whether a certificate came from a client without one, and from one with one: %j',
    async (policy, expected) => {
      const yaml = `${TLS}  client_auth_type: ${policy}\n`
      const web = loadWebConfig(yaml, { file: 'web.yml', env: {}, readFile: (path) => readFile(basename(path)) })
      const came: boolean[] = []
      const prepare = (made: Server) =>
        made.on('secureConnection', (socket: TLSSocket) => {
          came.push(socket.getPeerX509Certificate() !== undefined)
          socket.destroy()
        })
      const listener = createListener({ timeouts: defaultTimeouts, streams: 8, web: { current: () => web }, prepare })
      await once(listener.server.listen(0, '127.0.0.1'), 'listening')
      const { port } = listener.server.address() as AddressInfo
      await visit(port, none)
      await visit(port, ours)
      await new Promise<void>((resolve) => listener.close(resolve))
      expect(came).toEqual(expected)
    },
  )

  test('who is refused has asked nothing: no request is counted', async () => {
    const { port, counted } = await serve(`${TLS}  client_auth_type: RequireAnyClientCert\n`)
    await visit(port)
    expect(counted).toEqual([])
  })
})

describe('client_allowed_sans', () => {
  test.each([
    [{ dns: 'a.example' }, 'a.example', '200'],
    [{ dns: 'a.example' }, 'b.example', 'refused'],
    [{ dns: 'a.example.org' }, 'a.example', 'refused'],
    [{ ip: '10.0.0.1' }, '10.0.0.1', '200'],
    [{ ip: '10.0.0.1' }, '10.0.0.2', 'refused'],
    [{ ip: '20010db8000000000000000000000001' }, '2001:db8::1', '200'],
    [{ ip: '20010db8000000000000000000000001' }, '2001:db8::2', 'refused'],
    [{ email: 'ops@a.example' }, 'ops@a.example', '200'],
    [{ email: 'ops@a.example' }, 'dev@a.example', 'refused'],
    [{ uri: 'spiffe://a/prometheus' }, 'spiffe://a/prometheus', '200'],
    [{ uri: 'spiffe://a/prometheus' }, 'spiffe://a/', 'refused'],
    [{ dns: 'a.example', uri: 'spiffe://a/b' }, 'spiffe://a/b', '200'],
    // One name that reads like two.
    [{ uri: 'x:y, DNS:a.example' }, 'a.example', 'refused'],
    [{}, 'a.example', 'refused'],
  ])('a certificate for %j where %s is allowed: %s', async (names, allowed, expected) => {
    const client = certificate('x', { by: ca, names })
    for (const policy of ['RequireAnyClientCert', 'RequireAndVerifyClientCert']) {
      const yaml = `${TLS}  client_auth_type: ${policy}\n  client_ca_file: ca.crt\n  client_allowed_sans: ["no.example", "${allowed}"]\n`
      const { port } = await serve(yaml)
      expect(await shown(visit(port, client))).toEqual([expected])
    }
  })
})

describe('min_version and max_version', () => {
  const old = { ciphers: 'DEFAULT:@SECLEVEL=0' }
  const only = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'): ConnectionOptions => ({
    minVersion: version,
    maxVersion: version,
    ...(version < 'TLSv1.2' && old),
  })
  test.each([
    ['', 'refused', 'refused', '200', '200'],
    ['  min_version: TLS10\n', '200', '200', '200', '200'],
    ['  min_version: TLS11\n', 'refused', '200', '200', '200'],
    ['  min_version: TLS12\n', 'refused', 'refused', '200', '200'],
    ['  min_version: TLS13\n', 'refused', 'refused', 'refused', '200'],
    ['  max_version: TLS12\n', 'refused', 'refused', '200', 'refused'],
    ['  min_version: TLS10\n  max_version: TLS10\n', '200', 'refused', 'refused', 'refused'],
    ['  min_version: TLS11\n  max_version: TLS11\n', 'refused', '200', 'refused', 'refused'],
    ['  max_version: TLS13\n', 'refused', 'refused', '200', '200'],
  ])('%j: TLS 1.0 %s, 1.1 %s, 1.2 %s, 1.3 %s', async (yaml, ...expected) => {
    const { port } = await serve(RSA + yaml)
    const versions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const
    const visits = await Promise.all(versions.map((version) => visit(port, only(version))))
    expect(visits.map(status)).toEqual(expected)
    const spoken = visits.flatMap((one, at) => (one ? [[versions[at], one.version]] : []))
    expect(spoken.every(([asked, used]) => asked === used)).toBe(true)
  })
})

describe('cipher_suites', () => {
  test.each([
    'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
    'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
    'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
    'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
    'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
    'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  ])('%s alone is used with TLS 1.2, and another one is refused', async (suite) => {
    const { port } = await serve(`${suite.includes('RSA') ? RSA : TLS}  cipher_suites: [${suite}]\n`)
    const all = { maxVersion: 'TLSv1.2', ciphers: 'ALL' } as const
    const others = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA256' } as const
    const [one, refused, newer] = await Promise.all([visit(port, all), visit(port, others), visit(port)])
    expect(one?.suite).toBe(suite)
    // Those of TLS 1.3 stay.
    expect([status(refused), newer?.version]).toEqual(['refused', 'TLSv1.3'])
  })

  test('a list with those of TLS 1.3 alone leaves nothing for TLS 1.2', async () => {
    const { port } = await serve(`${TLS}  cipher_suites: [TLS_AES_128_GCM_SHA256]\n`)
    expect(await shown(visit(port), visit(port, { maxVersion: 'TLSv1.2' }))).toEqual(['200', 'refused'])
  })

  const [SMALL, BIG] = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384']
  test.each([
    ['', BIG],
    ['  prefer_server_cipher_suites: true\n', BIG],
    ['  prefer_server_cipher_suites: yes\n', BIG],
    ['  prefer_server_cipher_suites: false\n', SMALL],
  ])('prefer_server_cipher_suites: with %j it is %s', async (yaml, expected) => {
    const { port } = await serve(`${RSA}  cipher_suites: [${BIG}, ${SMALL}]\n${yaml}`)
    const ciphers = 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384'
    const one = await visit(port, { maxVersion: 'TLSv1.2', ciphers })
    expect(one?.suite).toBe(expected)
  })
})

test.each([
  ['CurveP256', 'P-256', 'P-384'],
  ['CurveP384', 'P-384', 'P-521'],
  ['CurveP521', 'P-521', 'X25519'],
  ['X25519', 'X25519', 'P-256'],
])('curve_preferences: %s is agreed on with who has %s, and not with who has %s alone', async (name, has, lacks) => {
  const { port } = await serve(`${RSA}  curve_preferences: [${name}]\n`)
  expect(await shown(visit(port, { ecdhCurve: has }), visit(port, { ecdhCurve: lacks }))).toEqual(['200', 'refused'])
  expect(await shown(visit(port, { ecdhCurve: has, maxVersion: 'TLSv1.2' }))).toEqual(['200'])
})

describe('http2', () => {
  test.each([
    ['', 'h2'],
    ['http_server_config: { http2: true }\n', 'h2'],
    ['http_server_config: { http2: false }\n', 'http/1.1'],
  ])('with %j a client that speaks both is answered by %s', async (yaml, expected) => {
    const { port } = await serve(TLS + yaml)
    expect(await spokenBy(port)).toBe(expected)
    expect(await shown(visit(port), visit(port, { ALPNProtocols: ['http/1.1'] }))).toEqual(['200', '200'])
  })

  test.each([
    ['ours', ours, basic('prometheus', 'secret'), 200],
    ['ours, without a password', ours, '', 401],
    ['that of others', theirs, basic('prometheus', 'secret'), 'refused'],
  ])('a request of HTTP/2 with a certificate that is %s', async (_, client, header, expected) => {
    const { port } = await serve(
      `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\nbasic_auth_users: { prometheus: ${SECRET} }\n`,
    )
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: ca.cert, ...client })
    const answered = await new Promise((resolve) => {
      session.on('error', () => resolve('refused')).on('close', () => resolve('refused'))
      const [, authorization] = /: (.*)\r\n/.exec(header) ?? []
      session
        .request({ ':path': '/metrics', ...(authorization && { authorization }) })
        .on('response', (headers) => resolve(headers[':status']))
        .on('error', () => resolve('refused'))
    })
    session.destroy()
    expect(answered).toBe(expected)
  })
})

describe('headers', () => {
  test.each([
    ['Content-Security-Policy', "default-src 'self'"],
    ['X-Frame-Options', 'sameorigin'],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-XSS-Protection', '1; mode=block'],
    ['Strict-Transport-Security', 'max-age=31536000'],
  ])('%s is sent with every answer, and without it only what is ours', async (name, value) => {
    const yaml = `${TLS}http_server_config:\n  headers: { ${name}: ${JSON.stringify(value)} }\n`
    const [{ port }, bare] = await Promise.all([serve(yaml), serve(TLS)])
    for (const path of ['/metrics', '/nothing', '/%zz']) {
      const [one, without] = await Promise.all([visit(port, {}, path), visit(bare.port, {}, path)])
      expect(one?.head.toLowerCase()).toContain(`\r\n${name.toLowerCase()}: ${value.toLowerCase()}`)
      const own = name === 'X-Content-Type-Options'
      expect(without?.head.toLowerCase().includes(`${name.toLowerCase()}:`)).toBe(own)
    }
  })
})

describe('basic_auth_users', () => {
  const users = `basic_auth_users:\n  prometheus: ${SECRET}\n  someone: ${OTHER}\n`
  test.each([
    ['no user', '', '401'],
    ['a user with the password', basic('prometheus', 'secret'), '200'],
    ['another user', basic('someone', 'other'), '200'],
    ['the password of another user', basic('prometheus', 'other'), '401'],
    ['a wrong password', basic('prometheus', 'Secret'), '401'],
    ['no password', basic('prometheus', ''), '401'],
    ['an unknown user', basic('unknown', 'secret'), '401'],
    ['a name that every object has', basic('__proto__', 'secret'), '401'],
    ['the hash in place of the password', basic('prometheus', SECRET), '401'],
    ['a password with a zero in it', basic('prometheus', 'secret\0'), '401'],
    ['something else than basic authentication', 'authorization: Bearer secret\r\n', '401'],
    ['what is not base64', 'authorization: Basic !!!\r\n', '401'],
    ['what has no colon', `authorization: Basic ${btoa('prometheus')}\r\n`, '401'],
  ])('%s', async (_, header, expected) => {
    const { port, counted } = await serve(TLS + users)
    for (const path of ['/metrics', '/', '/-/healthy', '/-/ready']) {
      const one = await visit(port, {}, path, header)
      expect(status(one)).toBe(expected)
      expect(/^www-authenticate: Basic$/im.test(one!.head)).toBe(expected === '401')
    }
    // What the framework answers before it looks for a route is behind it as well.
    const others = await shown(visit(port, {}, '/nothing', header), visit(port, {}, '/%zz', header))
    expect(others).toEqual(expected === '200' ? ['404', '404'] : ['401', '401'])
    expect(counted.every((one) => one.endsWith(expected === '401' ? ' 401' : one.slice(-4)))).toBe(true)
    expect(counted).toHaveLength(6)
  })

  test('no users: no client needs a password', async () => {
    const { port } = await serve(`${TLS}basic_auth_users: {}\n`)
    expect(await shown(visit(port))).toEqual(['200'])
  })
})

describe('rate_limit', () => {
  test('as many requests as the burst, then one per interval; it comes before the password', async () => {
    const { port, clock, counted } = await serve(
      `${TLS}basic_auth_users: { prometheus: ${SECRET} }\nrate_limit: { interval: 500ms, burst: 2 }\n`,
    )
    const asked: string[] = []
    const ask = async (header: string) => asked.push(status(await visit(port, {}, '/metrics', header)))
    await ask(basic('prometheus', 'secret'))
    await ask('')
    await ask(basic('prometheus', 'secret'))
    await ask('')
    clock.advance(499)
    await ask(basic('prometheus', 'secret'))
    clock.advance(1)
    await ask(basic('prometheus', 'secret'))
    await ask(basic('prometheus', 'secret'))
    expect(asked).toEqual(['200', '401', '429', '429', '429', '200', '429'])
    expect(counted.filter((one) => one === '/metrics 429')).toHaveLength(4)
  })

  test.each(['', 'rate_limit: { interval: 0s, burst: 1 }\n', 'rate_limit: { interval: 0 }\n'])(
    'with %j there is no limit',
    async (yaml) => {
      const { port } = await serve(TLS + yaml)
      expect(await shown(visit(port), visit(port), visit(port))).toEqual(['200', '200', '200'])
    },
  )
})

describe('read again while it runs', () => {
  test('new handshakes get the new certificate', async () => {
    const { port, write, reread } = await serve(TLS)
    const type = async () => (await visit(port))?.key
    expect(await type()).toBe('ec')
    await write(RSA)
    expect(await type()).toBe('rsa')
    expect(reread.at(-1)).toBe('read')
  })

  test('users come and go, also on a connection that stays open', async () => {
    const { port, write } = await serve(`${TLS}basic_auth_users: { prometheus: ${SECRET} }\n`)
    const secret = basic('prometheus', 'secret')
    expect(await shown(visit(port, {}, '/metrics', secret))).toEqual(['200'])
    await write(`${TLS}basic_auth_users: { prometheus: ${OTHER} }\n`)
    const [before, now] = [
      visit(port, {}, '/metrics', secret),
      visit(port, {}, '/metrics', basic('prometheus', 'other')),
    ]
    expect(await shown(before, now)).toEqual(['401', '200'])
  })

  test('a policy and an authority that change count from the next handshake on, for who resumes a session as well', async () => {
    const policy = (authorityOfClients: Made) =>
      `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca: ${JSON.stringify(authorityOfClients.cert)}\n`
    const { port, write } = await serve(TLS)
    expect(await shown(visit(port))).toEqual(['200'])
    await write(policy(ca))
    expect(await shown(visit(port))).toEqual(['refused'])
    let session: Buffer | undefined
    const first = connect({ host: '127.0.0.1', port, ca: ca.cert, ...ours }).on('session', (one) => (session = one))
    first.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => session).toBeDefined()
    first.destroy()
    const resumed = await visit(port, { ...ours, session: session! })
    expect([status(resumed), resumed?.isResumed]).toEqual(['200', true])
    await write(policy(others))
    expect(await shown(visit(port, { ...ours, session: session! }), visit(port, theirs))).toEqual(['refused', '200'])
  })

  test.each([true, false])(
    'certificates are asked for while the policy wants them, and connections from before stay; HTTP/2 offered: %s',
    async (http2) => {
      const without = `${TLS}http_server_config: { http2: ${http2} }\n`
      const required = without.replace('http_', '  client_auth_type: RequireAnyClientCert\nhttp_')
      const { port, write, reread } = await serve(without)
      const before = connect({ host: '127.0.0.1', port, ca: ca.cert }).setEncoding('utf8')
      const answered = async () => {
        before.write('GET /-/healthy HTTP/1.1\r\nhost: x\r\n\r\n')
        await expect.poll(() => before.read() as string | null).toMatch(/^HTTP\/1.1 200 OK/)
      }
      await answered()
      const explicit = without.replace('http_', '  client_auth_type: NoClientCert\nhttp_')
      for (const [yaml, stranger] of [
        [required, 'refused'],
        [explicit, '200'],
        [required, 'refused'],
      ] as const) {
        await write(yaml)
        expect(await shown(visit(port), visit(port, ours))).toEqual([stranger, '200'])
        await answered()
      }
      before.destroy()
      expect(reread).toEqual(['read', 'read', 'read'])
    },
  )

  test('http2 waits for a restart, which each reading says until it is as before', async () => {
    const without = `${TLS}http_server_config: { http2: false }\n`
    const { port, write, reread } = await serve(TLS)
    for (const yaml of [without, `${without}rate_limit: {}\n`, TLS]) {
      await write(yaml)
      expect(await spokenBy(port)).toBe('h2')
    }
    expect(reread).toEqual(['read http_server_config.http2', 'read http_server_config.http2', 'read'])
  })

  test('without TLS there is no HTTP/2 to wait for', async () => {
    const { port, write, reread } = await serve('http_server_config: { http2: true }\n')
    await write('http_server_config: { http2: false }\n')
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
    expect(reread).toEqual(['read'])
  })

  test('a disk that hangs delays no answer, and has one look at a time to wait for', async () => {
    let [looks, answer] = [0, Promise.withResolvers<boolean>()]
    const web = loadWebConfig('basic_auth_users: {}\n', { file: 'web.yml', env: {}, readFile })
    let reads = 0
    const source = { read: () => ({ ...web, reads: (reads += 1) }), isChanged: () => ((looks += 1), answer.promise) }
    const config = createWebConfigReloader(source, { validate: validateTls, reread: () => {} })
    const first = config.look()
    await config.look()
    expect([looks, config.current()]).toEqual([1, { ...web, reads: 1 }])
    answer.resolve(true)
    await first
    answer = Promise.withResolvers()
    void config.look()
    expect([looks, config.current()]).toEqual([2, { ...web, reads: 2 }])
  })

  test.each([
    ['is no YAML', 'tls_server_config: {', /^web\.yml:1:/],
    ['has an unknown key', `${TLS}  ca_file: x\n`, /tls_server_config\.ca_file: unknown key/],
    ['names a file that is gone', TLS.replace('ec.crt', 'gone.crt'), /tls_server_config\.cert_file: .*no such file/],
    [
      'has a key that is not that of the certificate',
      TLS.replace('ec.key', 'rsa.key'),
      /tls_server_config\.key_file: /,
    ],
    ['switches TLS off', 'basic_auth_users: {}\n', /^tls_server_config: only a restart/],
    ['is empty', '', /^web\.yml:1:1: the file is empty/],
    ['has a key that is empty', TLS.replace('ec.key', 'empty.key'), /key_file: expected a private key/],
  ])('a file that %s changes nothing: users and certificates are those from before', async (_, broken, said) => {
    const { port, write, reread } = await serve(`${TLS}basic_auth_users: { prometheus: ${SECRET} }\n`)
    await write(broken)
    const secret = basic('prometheus', 'secret')
    expect(await shown(visit(port), visit(port, {}, '/metrics', secret))).toEqual(['401', '200'])
    expect(reread).toHaveLength(1)
    expect(reread[0]).toMatch(said)
    await write(`${TLS}basic_auth_users: {}\n`)
    expect(await shown(visit(port))).toEqual(['200'])
    expect(reread.at(-1)).toBe('read')
  })
})

describe('a file that is cut off', () => {
  const VERIFIED = `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n`
  const USERS = `basic_auth_users:\n  prometheus: ${SECRET}\n  someone: ${OTHER}\n`
  const HEADERS =
    'http_server_config:\n  headers:\n    X-Frame-Options: deny\n    Content-Security-Policy: default-src\n'
  const all = `${TLS}  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca.crt
  client_allowed_sans:
    - prometheus.example
  min_version: TLS13
${HEADERS}${USERS}rate_limit:
  interval: 1ms
  burst: 1000000
`
  const named = (dns: string) => certificate('prometheus', { by: ca, names: { dns } })
  /** Who tries to get in; the names are prefixes of each other, as a cut makes them. */
  const clients: Record<string, ConnectionOptions> = {
    'without a certificate': {},
    'of others': theirs,
    'of ours': ours,
    'of ours, with a shorter name': named('prometheus.exam'),
    'of ours, in an older version': { ...ours, maxVersion: 'TLSv1.2' },
  }
  const passwords = { 'no password': '', 'a password': basic('prometheus', 'secret') }

  /** All who get an answer. */
  async function admitted(port: number, isTls: boolean): Promise<string[]> {
    const tries = Object.entries(clients).flatMap(([client, options]) =>
      Object.entries(passwords).map(async ([password, header]) => {
        const [, authorization = ''] = /: (.*)\r/.exec(header) ?? []
        const code = isTls
          ? status(await visit(port, options, '/metrics', header))
          : String(
              (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: authorization ? { authorization } : {} }))
                .status,
            )
        return code === '200' ? [`${client}, ${password}`] : []
      }),
    )
    return (await Promise.all(tries)).flat()
  }

  const policies = ['NoClientCert', 'RequestClientCert', 'RequireAnyClientCert', 'VerifyClientCertIfGiven'].map(
    (policy): [string, string] => [policy, `${TLS}  client_auth_type: ${policy}\n`],
  )
  test.each<[string, string]>([
    ['TLS', TLS],
    ...policies,
    // Half a name is a name as well.
    ['names', `${VERIFIED}  client_allowed_sans:\n    - prometheus.example\n`],
    ['passwords', USERS],
    ['headers', HEADERS],
    ['all of it', all],
  ])('%s: at no byte it admits more clients than before, and what is refused says why', async (_, yaml) => {
    const { port, write, reread, inForce } = await serve(yaml)
    const isTls = inForce().tls !== undefined
    const allowed = await admitted(port, isTls)
    const wrong: string[] = []
    for (let length = 0; length < yaml.length; length += 1) {
      // The whole file lies between two cuts.
      await write(yaml)
      const before = inForce()
      await write(yaml.slice(0, length))
      const now = inForce()
      const more = now === before ? [] : (await admitted(port, isTls)).filter((one) => !allowed.includes(one))
      if (now === before && reread.at(-1) === 'read') more.push('silently refused')
      wrong.push(...more.map((one) => `cut after ${length} bytes: ${one}`))
    }
    expect(wrong).toEqual([])
    expect(reread.length).toBeGreaterThanOrEqual(yaml.length)
  })

  test.each([
    ['basic_auth_users', `${VERIFIED}${USERS}`, VERIFIED, `${VERIFIED}basic_auth_users: {}\n`],
    ['rate_limit', `${TLS}rate_limit: { interval: 1h, burst: 9 }\n`, TLS, `${TLS}rate_limit: {}\n`],
    ['tls_server_config.client_auth_type', VERIFIED, TLS, `${TLS}  client_auth_type: NoClientCert\n`],
    ['tls_server_config.client_ca', VERIFIED, VERIFIED.replace(/ *client_ca_file.*\n/, ''), undefined],
    [
      'tls_server_config.client_allowed_sans',
      `${VERIFIED}  client_allowed_sans: [a]\n`,
      VERIFIED,
      `${TLS}  client_auth_type: NoClientCert\n`,
    ],
    ['tls_server_config.min_version', `${TLS}  min_version: TLS13\n`, TLS, `${TLS}  min_version: TLS12\n`],
    ['tls_server_config.max_version', `${TLS}  max_version: TLS12\n`, TLS, `${TLS}  max_version: TLS13\n`],
    ['tls_server_config.curve_preferences', `${TLS}  curve_preferences: [CurveP256]\n`, TLS, undefined],
  ])('%s does not go away by being left out, but where the file says so', async (key, first, without, explicit) => {
    const { write, reread, inForce } = await serve(first)
    const before = inForce()
    await write(without)
    expect(inForce()).toBe(before)
    expect(reread.at(-1)).toMatch(new RegExp(`^${key}: is gone, and with it a check of clients; put it back, or `))
    if (explicit !== undefined) await write(explicit)
    expect([inForce() !== before, reread.at(-1) === 'read']).toEqual(
      explicit === undefined ? [false, false] : [true, true],
    )
  })
})
