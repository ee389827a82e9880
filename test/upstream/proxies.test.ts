import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { secret, secretUrl } from '../../src/lib/secret.ts'
import { createProxyChoice, type Link } from '../../src/upstream/dispatchers.ts'
import { createHttp, type HttpRequest } from '../../src/upstream/http.ts'
import { proxiesOf } from '../../src/config/environment.ts'
import { answer, closedPort, createHostileServer } from '../support/hostile-server.ts'
import { createProxyServer } from '../support/proxy-server.ts'
import { createTlsUpstream } from '../support/tls-upstream.ts'
import { failure } from './asking.ts'

type Env = Readonly<Record<string, string>>

function createSender(env: Env = {}) {
  const http = createHttp({ userAgent: 'stakewatch/test', random: () => 0, now: Date.now, proxies: proxiesOf(env) })
  onTestFinished(() => http.close())
  return (url: string, link: Link = {}, more: Partial<HttpRequest> = {}) =>
    http.send({
      method: 'POST',
      url,
      headers: { authorization: 'Basic upstream' },
      body: '{}',
      signal: AbortSignal.timeout(10_000),
      retry: true,
      maxBytes: 1_000,
      link,
      ...more,
    })
}

describe('the environment names the proxy of', () => {
  const NODE = 'http://10.0.0.5:9650'
  const SERVICE = 'https://data.example'
  const [ONE, TWO] = ['http://one:3128', 'http://two:3128']
  test.each<[string, Env, string, string | undefined]>([
    ['an http:// upstream', { HTTP_PROXY: ONE, HTTPS_PROXY: TWO }, NODE, 'one:3128'],
    ['an https:// upstream', { HTTP_PROXY: ONE, HTTPS_PROXY: TWO }, SERVICE, 'two:3128'],
    ['an https:// upstream by HTTP_PROXY alone', { HTTP_PROXY: ONE }, SERVICE, 'one:3128'],
    ['no http:// upstream by HTTPS_PROXY alone', { HTTPS_PROXY: TWO }, NODE, undefined],
    ['an upstream by a name in lower case first', { HTTP_PROXY: ONE, http_proxy: TWO }, NODE, 'two:3128'],
    ['no upstream, if it is empty', { HTTP_PROXY: ONE, http_proxy: '' }, NODE, undefined],
    ['an upstream, also without a scheme', { HTTP_PROXY: 'one:3128' }, NODE, 'one:3128'],
    ['no host of NO_PROXY', { HTTP_PROXY: ONE, NO_PROXY: 'a.example, 10.0.0.5' }, NODE, undefined],
    ['no port of NO_PROXY', { HTTP_PROXY: ONE, NO_PROXY: '10.0.0.5:9650' }, NODE, undefined],
    ['another port than that of NO_PROXY', { HTTP_PROXY: ONE, NO_PROXY: '10.0.0.5:80' }, NODE, 'one:3128'],
    ['no host in a domain of NO_PROXY', { HTTP_PROXY: ONE, no_proxy: '.example' }, SERVICE, undefined],
    ['no host at all with a star', { HTTP_PROXY: ONE, NO_PROXY: '*' }, SERVICE, undefined],
    ['a network, which NO_PROXY cannot name', { HTTP_PROXY: ONE, NO_PROXY: '10.0.0.0/8' }, NODE, 'one:3128'],
    ['loopback, unless NO_PROXY lists it', { HTTP_PROXY: ONE }, 'http://127.0.0.1:9650', 'one:3128'],
  ])('%s', (_, env, url, proxy) => {
    const proxyOf = createProxyChoice(proxiesOf(env))
    // The second answer comes from what undici keeps of an origin.
    expect([proxyOf(url, {}), proxyOf(url, {})].map((one) => one && String(one))).toEqual([proxy, proxy])
  })

  test('no upstream that has a proxy of its own, or none', () => {
    const proxyOf = createProxyChoice(proxiesOf({ HTTP_PROXY: ONE, NO_PROXY: '10.0.0.5' }))
    expect(String(proxyOf(NODE, { proxy: secretUrl(TWO) }))).toBe('two:3128')
    expect(proxyOf(SERVICE, { proxy: 'none' })).toBeUndefined()
  })

  test.each([['socks5://one:1080'], ['http://one:3128/path'], ['http://'], ['one two']])(
    'no upstream, but an error without its value: %s',
    (value) => {
      const expected = 'environment variable https_proxy: expected a URL such as http://proxy.example:3128; or unset it'
      expect(() => proxiesOf({ https_proxy: value })).toThrow(expect.objectContaining({ message: expected }))
    },
  )
})

describe('through a proxy', () => {
  test('a plain request is passed on, with the credentials of the upstream and without those of the proxy', async () => {
    const proxy = await createProxyServer({ user: 'us er:p@ss' })
    const upstream = await createHostileServer(answer(200, '{"a":1}'))
    const { text } = await createSender({ HTTP_PROXY: proxy.url('us%20er:p%40ss') })(`${upstream.url}/ext/info?a=b`)
    expect([text, proxy.asked]).toEqual(['{"a":1}', [`POST ${upstream.url}/ext/info?a=b`]])
    const [{ headers, body }] = upstream.received as [(typeof upstream.received)[number]]
    expect([headers.authorization, headers['proxy-authorization'], body]).toEqual(['Basic upstream', undefined, '{}'])
  })

  test('TLS goes through a tunnel, so the proxy learns the host alone', async () => {
    const proxy = await createProxyServer({ user: 'user:password' })
    const upstream = await createTlsUpstream()
    const send = createSender()
    const link = { proxy: secretUrl(proxy.url('user:password')), tls: { ca: secret(upstream.ca) } }
    expect((await send(`${upstream.url}/v1?key=secret`, link)).text).toBe('{}')
    expect([proxy.asked, upstream.clients.length]).toEqual([[`CONNECT ${new URL(upstream.url).host}`], 1])
  })

  test('an answer with 403 may be the proxy’s, unless it came through a tunnel', async () => {
    const proxy = await createProxyServer({ refuses: 403 })
    const upstream = await createHostileServer(answer(200, ''))
    const seen = await createSender({ HTTP_PROXY: proxy.url() })(upstream.url)
    expect([seen.status, String(seen.proxy), upstream.received.length]).toEqual([403, proxy.host, 0])
    const tls = await createTlsUpstream()
    const open = await createProxyServer()
    const link = { proxy: secretUrl(open.url()), tls: { ca: secret(tls.ca) } }
    expect((await createSender()(tls.url, link)).proxy).toBeUndefined()
  })
})

/** `PROXY` stands for its host and port. */
const RUNNING = 'is it running, and is its URL right?'
const failures: [string, 'both' | 'tunnel', (scheme: string) => Promise<string>, string][] = [
  ['nothing listens', 'both', async () => closedPort(), `the proxy PROXY cannot be reached (ECONNREFUSED): ${RUNNING}`],
  [
    'no such name',
    'both',
    async () => 'http://proxy.invalid:3128',
    `the proxy PROXY cannot be reached (ENOTFOUND): ${RUNNING}`,
  ],
  [
    'it closes connections at once',
    'tunnel',
    closing,
    `the proxy PROXY cannot be reached (UND_ERR_SOCKET): ${RUNNING}`,
  ],
  [
    'it wants credentials and gets none',
    'both',
    async () => (await createProxyServer({ user: 'user:password' })).url(),
    'the proxy PROXY wants credentials (HTTP 407): put user and password into its URL',
  ],
  [
    'it rejects the password',
    'both',
    async () => (await createProxyServer({ user: 'user:password' })).url('user:hunter2'),
    'the proxy PROXY rejects its user or password (HTTP 407): correct them in its URL',
  ],
  [
    'it forbids the upstream',
    'tunnel',
    async () => (await createProxyServer({ refuses: 403 })).url(),
    'the proxy PROXY forbids this upstream (HTTP 403): allow it there, or name its host in NO_PROXY or set proxy: none to go direct',
  ],
  [
    'it cannot reach the upstream',
    'tunnel',
    async () => (await createProxyServer({ refuses: 502 })).url(),
    'the proxy PROXY cannot reach this upstream (HTTP 502): is its url right, and may the proxy connect to it?',
  ],
]

async function closing(): Promise<string> {
  const server = createServer((socket) => socket.once('data', () => socket.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

describe('a failure of a proxy is not one of its upstream', () => {
  const cases = failures.flatMap(([name, where, make, message]) => [
    ...(where === 'both' ? [['http', name, make, message] as const] : []),
    ['https', name, make, message] as const,
  ])
  test.each(cases)('%s: %s', async (scheme, _, make, message) => {
    const url = await make(scheme)
    const outcomes: { code?: string; wasSent: boolean }[] = []
    const attempts = {
      mayRetry: () => false,
      ended: (outcome: object, wasSent: boolean) => void outcomes.push({ ...outcome, wasSent }),
    }
    const target = `${scheme}://upstream.invalid`
    const error = await failure(createSender()(target, { proxy: secretUrl(url) }, { attempts }))
    expect([error.code, error.message]).toEqual(['network', message.replace('PROXY', new URL(url).host)])
    // Nothing reached the upstream, so its account pays nothing.
    expect(outcomes.map(({ wasSent }) => wasSent)).toEqual([false])
  })

  test('a refusal is not repeated, as that may lock the user out', async () => {
    const proxy = await createProxyServer({ user: 'user:password' })
    await failure(createSender()('https://upstream.invalid', { proxy: secretUrl(proxy.url('user:wrong')) }))
    expect(proxy.asked).toEqual(['CONNECT upstream.invalid:443'])
  })

  test.each(['http', 'https'])('a deadline names the proxy that says nothing (%s)', async (scheme) => {
    const proxy = await createProxyServer({ isSilent: true })
    const link = { proxy: secretUrl(proxy.url('user:password')) }
    const asked = createSender()(`${scheme}://upstream.invalid`, link, { signal: AbortSignal.timeout(300) })
    expect((await failure(asked)).message).toBe(
      `no complete answer before the deadline through the proxy ${proxy.host}`,
    )
  })
})

describe('TLS to an upstream', () => {
  type Tls = Awaited<ReturnType<typeof createTlsUpstream>>
  const trusting = async ({ ca }: Tls) => ({ ca: secret(ca) })
  const elsewhere = async () => trusting(await createTlsUpstream())
  const named = async (one: Tls) => ({ ...(await trusting(one)), server_name: 'node.example' })
  const known = async ({ ca, client: { cert, key } }: Tls) => ({ ca: secret(ca), cert: secret(cert), key: secret(key) })
  const UNKNOWN =
    'the connection failed (SELF_SIGNED_CERT_IN_CHAIN); its certificate is of an unknown authority: give the authority in ca_file'
  const OTHER_NAME =
    'the connection failed (ERR_TLS_CERT_ALTNAME_INVALID); its certificate has another name: correct the url, or give server_name'
  const NO_CLIENT =
    'the connection failed (UND_ERR_SOCKET); does it want another client certificate (cert_file, key_file)?'
  test.each<
    [string, { asksClients?: boolean; name?: string }, (one: Tls) => Promise<NonNullable<Link['tls']>>, string]
  >([
    ['works with its authority', {}, trusting, 'none'],
    ['works with a client certificate', { asksClients: true }, known, 'the daemon'],
    ['works with the name in its certificate', { name: 'node.example' }, named, 'none'],
    ['fails without its authority', {}, async () => ({}), UNKNOWN],
    ['fails with another authority', {}, elsewhere, UNKNOWN],
    ['fails with another name', { name: 'node.example' }, trusting, OTHER_NAME],
    ['fails without a client certificate', { asksClients: true }, trusting, NO_CLIENT],
  ])('%s, direct and through a proxy', async (_, wanted, tlsOf, expected) => {
    const upstream = await createTlsUpstream(wanted)
    const tls = await tlsOf(upstream)
    const proxy = await createProxyServer()
    const send = createSender()
    const through = ` through the proxy ${proxy.host}`
    const seen = async (link: Link) =>
      send(upstream.url, link).then(
        () => upstream.clients.at(-1),
        (error: Error) => error.message,
      )
    expect(await seen({ tls })).toBe(expected)
    expect(await seen({ tls, proxy: secretUrl(proxy.url()) })).toBe(
      expected.replace('the connection failed', `the connection failed${through}`),
    )
  })
})

test('connections to what is no longer configured close, and requests in flight end first', async () => {
  const http = createHttp({ userAgent: 'stakewatch/test', random: () => 0, now: Date.now })
  onTestFinished(() => http.close())
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const upstream = await createHostileServer(async (response) => {
    arrive()
    await released
    response.end('late')
  })
  const signal = AbortSignal.timeout(10_000)
  const asked = http.send({ method: 'GET', url: upstream.url, headers: {}, signal, retry: false, maxBytes: 100 })
  await arrived
  http.keep([])
  release()
  expect((await asked).text).toBe('late')
  // An idle connection would stay for ten minutes.
  await upstream.idle()
})
