// Markers stand in every secret place of a configuration, and the upstreams send back what they are asked with: no marker
// comes out of the program, whatever it is made to say.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hashSync } from '@node-rs/bcrypt'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type RouteOptions, routesOf } from '../../src/server/routes.ts'
import { endpoints, publicEndpoints } from '../../src/status/pages.ts'
import { createProgram } from '../../src/commands/program.ts'
import type { Io } from '../../src/commands/io.ts'
import { certificate } from '../support/certificates.ts'
import { runCommand } from '../support/command.ts'
import schema from '../../config.schema.json' with { type: 'json' }
import { program } from './support/release.ts'
import { eventually, scrape } from './support/scrape.ts'
import { seriesOf } from '../support/exposition.ts'

const folder = mkdtempSync(join(tmpdir(), 'stakewatch-secrets-'))

const planted: string[] = []
/** A secret that is nowhere else: letters and digits, as keys have them. */
function marker(): string {
  const one = `mrk${String(planted.length).padStart(2, '0')}x7Kq${'QzWvJ'.repeat(3)}`
  planted.push(one)
  return one
}

/** In every part of an address that may hold a key. */
function address(origin: string): string {
  const [scheme, host] = origin.split('://')
  return `${scheme}://${marker()}:${marker()}@${host}/${marker()}?apikey=${marker()}&v=1`
}

/** What an upstream can know of who asks. */
function echo({ method, url, headers }: IncomingMessage): string {
  const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  return JSON.stringify({ method, url, headers, basic: Buffer.from(basic, 'base64').toString() })
}

const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  'refuses the key': (request, response) => response.writeHead(401).end(echo(request)),
  redirects: (request, response) => response.writeHead(302, { location: `/moved${request.url}` }).end(echo(request)),
  'fails with a page': (request, response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end(`<pre>${echo(request)}</pre>`),
  'answers with an error': (request, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: echo(request) } })),
  'answers nonsense': (request, response) => response.end(echo(request)),
}
/** These, a port without a listener, a server without TLS, one with our certificate as well, and a proxy that repeats all. */
const WAYS_TO_FAIL = Object.keys(answers).length + 4
const servers = Object.values(answers).map((answer) => createServer(answer))

/** A collector asks each kind of upstream every second. */
const SETTINGS = `
public: { validators: [{ validator: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg, network: net-0 }] }
defaults: { timeout: 2s }
collectors:
  uptime: { every: 1s }
  primary-blocks: { every: 1s }
  avg-tps: { every: 1s }
`

interface Way {
  origin: string
  /** The origin of a proxy. */
  proxy?: string
  hasCertificate?: boolean
}

/** `ways`: one for each way to fail. Upstreams that are listed and files and variables that hold what is not written. */
function configuration(ways: readonly Way[]) {
  const env: Record<string, string> = {}
  let count = 0
  // In turn written, from the environment and from a file.
  const given = (key: string, value: string) => {
    const at = (count += 1)
    if (at % 3 === 0) return `${key}: ${JSON.stringify(value)}`
    if (at % 3 === 1) {
      env[`SECRET_${at}`] = value
      return `${key}: "\${SECRET_${at}}"`
    }
    writeFileSync(join(folder, `secret-${at}`), `${value}\n`)
    return `${key}_file: secret-${at}`
  }
  const linkOf = ({ proxy, hasCertificate }: Way) => {
    const proxied = proxy?.replace('//', `//${marker()}:${marker()}@`)
    const pem = hasCertificate ? certificate('client') : undefined
    if (pem) planted.push(...insideOf(pem.key))
    const tls = pem
      ? `, tls_config: { ${given('ca', pem.cert)}, ${given('cert', pem.cert)}, ${given('key', pem.key)} }`
      : ''
    return `${proxied === undefined ? '' : `, ${given('proxy', proxied)}`}${tls}`
  }
  const networks = ways.map(
    ({ origin, ...way }, at) => `
  - name: net-${at}
    network: fuji
    nodes: [{ name: node-${at}, ${given('url', address(origin))}${linkOf({ origin, ...way })} }]
    data_api: { ${given('url', address(origin))}, network: fuji, ${given('key', marker())}${linkOf({ origin, ...way })} }
    metrics_api: { ${given('url', address(origin))}${linkOf({ origin, ...way })} }
    validators: [{ node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg }]
    chains: [{ id: c-chain, evm_chain_id: 43113 }]
`,
  )
  return { env, yaml: `networks:${networks.join('')}${SETTINGS}` }
}

let env: Record<string, string> = {}
const config = `--config.file=${join(folder, 'config.yml')}`

beforeAll(async () => {
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  const withoutTls = `https://127.0.0.1:${ports[0]}`
  const made = configuration([
    ...ports.map((port) => ({ origin: `http://127.0.0.1:${port}` })),
    { origin: 'http://127.0.0.1:1' },
    { origin: withoutTls },
    { origin: withoutTls, hasCertificate: true },
    { origin: 'http://127.0.0.1:1', proxy: `http://127.0.0.1:${ports[0]}` },
  ])
  env = made.env
  writeFileSync(join(folder, 'config.yml'), made.yaml)
})
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections()
  rmSync(folder, { recursive: true })
})

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const options = {
  telemetryPath: '/metrics',
  pages: [...endpoints, ...publicEndpoints].map((path) => ({ path })),
  collectors: new Map(),
}
const routes = routesOf(options as unknown as RouteOptions).flatMap(({ methods, path }) =>
  methods.map((method) => [method, path] as const),
)

function start(args: readonly string[], before: string = '') {
  const preload = `data:text/javascript,${encodeURIComponent(before)}`
  const child = spawn(process.execPath, ['--import', preload, program, ...args], {
    env: { ...process.env, ...env },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said.stderr += chunk))
  return { child, said, ended: once(child, 'close') }
}

/** A command without a process of its own, with real upstreams. */
const run = (args: readonly string[]) => runCommand(args, { env, readFile: (path) => readFileSync(path, 'utf8') })

/** The markers that stand in a text: as they are, in base64 behind any number of bytes, or in hexadecimal. */
function found(said: string): string[] {
  const small = said.toLowerCase()
  return planted.filter((one) => {
    const inBase64 = [0, 1, 2].map((before) =>
      // Without the characters at both ends that hold bits of its neighbours.
      Buffer.from(' '.repeat(before) + one)
        .toString('base64')
        .replace(/=+$/, '')
        .slice(before === 0 ? 0 : before + 1, -1),
    )
    const hexadecimal = Buffer.from(one).toString('hex')
    return (
      [one, one.toLowerCase(), hexadecimal].some((form) => small.includes(form.toLowerCase())) ||
      inBase64.some((form) => said.includes(form))
    )
  })
}

test('a marker is found in each form', () => {
  const one = planted[0]!
  const around = (before: string) => Buffer.from(`${before}${one}:x`).toString('base64')
  for (const said of [one, around(''), around('a'), around('ab'), Buffer.from(one).toString('hex').toUpperCase()]) {
    expect(found(`x ${said} y`)).toEqual([one])
  }
})

test('every key that may be in a file of its own, as secrets may, is planted', () => {
  const secrets = new Set<string>()
  const walk = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key.endsWith('_file')) secrets.add([...path, key.slice(0, -'_file'.length)].join('.'))
      walk(inner, key === 'properties' || key === 'items' ? path : [...path, key])
    }
  }
  walk(schema.properties, [])
  // A new one here is to be planted above.
  const ofEach = ['url', 'proxy', 'tls_config.ca', 'tls_config.cert', 'tls_config.key']
  const ofAll = ['nodes', 'data_api', 'metrics_api'].flatMap((one) => ofEach.map((key) => `networks.${one}.${key}`))
  expect([...secrets].toSorted()).toEqual(['networks.data_api.key', ...ofAll].toSorted())
})

/** Flags of `serve` that other parts bring: with them its endpoints are all there. */
async function more(): Promise<string[]> {
  const { commands } = await createProgram({ version: '0.0.0' } as Io)
  const serve = commands.find((command) => command.name() === 'serve')!
  return serve.options.flatMap(({ long }) => (long === '--web.enable-lifecycle' ? [long] : []))
}

const server = certificate('stakewatch', { names: { ip: '127.0.0.1' } })

/** The lines of a key that hold it. */
const insideOf = (pem: string) => pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))

/** A web configuration with a marker in every secret place, and the password of its user. */
function securedWith(key: string) {
  const password = marker()
  const hash = hashSync(password, 4)
  // Behind the algorithm and the cost stand the salt and the hash itself.
  planted.push(hash.slice('$2b$04$'.length), ...insideOf(server.key))
  const yaml = `
tls_server_config: { cert: ${JSON.stringify(server.cert)}, ${key} }
basic_auth_users: { prometheus: "${hash}" }
`
  return { password, hash, yaml }
}

test('a daemon does not print its web configuration, passwords that are tried, or a broken file', async () => {
  const { password, hash, yaml } = securedWith(`key: ${JSON.stringify(server.key)}`)
  const file = join(folder, 'web.yml')
  writeFileSync(file, yaml)
  const flags = [
    '--web.listen-address=127.0.0.1:0',
    `--web.config.file=${file}`,
    '--log.level=debug',
    ...(await more()),
  ]
  const { child, said, ended } = start(['serve', config, ...flags])
  const listening = async () => /address\W+127\.0\.0\.1:(\d+)/.exec(said.stderr)?.[1]
  const port = await eventually('it listens', listening)
  const ask = (path: string, method: string, authorization?: string) =>
    new Promise<{ status: number | undefined; all: string }>((resolve, reject) => {
      const headers = authorization === undefined ? {} : { authorization }
      request({ host: '127.0.0.1', port, path, method, headers, ca: server.cert, agent: false }, (answer) => {
        void text(answer).then((body) =>
          resolve({ status: answer.statusCode, all: `${answer.rawHeaders.join(' ')} ${body}` }),
        )
      })
        .on('error', reject)
        .end()
    })
  const basic = (tried: string) => `Basic ${Buffer.from(`prometheus:${tried}`).toString('base64')}`
  const pages: string[] = []
  for (const [method, url] of routes) {
    const { status, all } = await ask(url, method, basic(password))
    expect([method, url, status]).not.toEqual([method, url, 401])
    pages.push(all)
  }
  for (const tried of [undefined, basic(marker()), basic(hash), `Bearer ${marker()}`, marker()]) {
    const { status, all } = await ask('/metrics', 'GET', tried)
    expect(status).toBe(401)
    pages.push(all)
  }

  // The operator writes the password where its hash belongs.
  writeFileSync(file, yaml.replace(hash, marker()))
  const noticed = async () => {
    await ask('/-/healthy', 'GET')
    return said.stderr.includes('the web configuration cannot be used')
  }
  await eventually('the broken file is noticed', noticed)
  child.kill('SIGTERM')
  await ended
  for (const page of [...pages, said.stdout, said.stderr]) expect(found(page)).toEqual([])
})

test.each([
  ['that is right', (yaml: string) => yaml, 0],
  ['with a password in place of its hash', (yaml: string) => yaml.replace(/"\$2b[^"]+"/, marker), 1],
  ['with half of a key', (yaml: string) => yaml.replace(/key: "(.{60}).*?"/, 'key: "$1"'), 1],
  ['whose key is that of another certificate', (yaml: string) => yaml, 1, certificate('other').key],
  ['with a key in place of the name of its file', (yaml: string) => yaml.replace(', key: ', ', key_file: '), 1],
  ['that is no YAML', (yaml: string) => `${yaml}  ]`, 1],
  [
    'with an unknown header that holds a token',
    (yaml: string) => `${yaml}http_server_config: { headers: { X-Key: ${marker()} } }\n`,
    1,
  ],
])('check of a web configuration %s prints no secret', async (_, change, code, key = server.key) => {
  planted.push(...insideOf(key))
  const { yaml } = securedWith(`key: ${JSON.stringify(key)}`)
  const changed = change(yaml)
  const files: Readonly<Record<string, string>> = { 'a.yml': 'networks: [{ name: fuji }]\n', 'web.yml': changed }
  const said = await runCommand(['check', '--config.file=a.yml', '--web.config.file=web.yml'], {
    readFile(path) {
      const given = files[path]
      if (given === undefined) throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' })
      return given
    },
  })
  expect(said.code).toBe(code)
  expect(said.stdout + said.stderr).toContain('web.yml')
  expect(found(said.stdout + said.stderr)).toEqual([])
})

test('a daemon whose upstreams all fail shows no secret in its log or at its routes', async () => {
  const listen = '--web.listen-address=127.0.0.1:0'
  const { child, said, ended } = start(['serve', config, listen, '--log.level=debug', ...(await more())])
  const listening = async () => /address\W+(127\.0\.0\.1:\d+)/.exec(said.stderr)?.[1]
  const host = await eventually('it listens', listening)
  const asked = async () => {
    const all = seriesOf(await scrape(`http://${host}/metrics`), 'stakewatch_upstream_requests_total')
    const sent = all.filter(({ value }) => value > 0)
    return new Set(sent.map(({ labels }) => `${labels['network']}/${labels['source']}`)).size === 3 * WAYS_TO_FAIL
  }
  await eventually('every upstream has been asked', asked)
  expect(routes.map(([, url]) => url)).toEqual(expect.arrayContaining(['/', '/metrics', '/-/ready', '/-/healthy']))
  const pages: string[] = []
  for (const [method, url] of [...routes, ['GET', '/nowhere'], ['POST', '/metrics']] as [string, string][]) {
    const answer = await fetch(`http://${host}${url}`, { method })
    pages.push(`${method} ${url} ${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`)
  }
  child.kill('SIGHUP')
  child.kill('SIGTERM')
  await ended
  // All of them have been asked, and have failed.
  expect(said.stderr.match(/source is down/g)?.length).toBeGreaterThan(10)
  expect(pages.join('\n')).toContain('stakewatch_collector_success{network="net-0"')
  for (const page of [...pages, said.stdout, said.stderr]) expect(found(page)).toEqual([])
})

test.each([
  ['check', ['check', config]],
  ['check --explain', ['check', '--explain', config]],
  ['once', ['once', config, '--log.level=debug']],
  ['a command line that is wrong', ['check', config, '--live', '--explain']],
])('%s prints no secret', async (_, args) => {
  const { stdout, stderr } = await run(args)
  expect(stdout + stderr).not.toBe('')
  expect(found(stdout + stderr)).toEqual([])
})

test.each(Array.from({ length: WAYS_TO_FAIL }, (_, at) => at))(
  'query prints no secret of an upstream that fails, network %i',
  async (at) => {
    const asked = [
      ['info.getNodeVersion', `node-${at}`],
      ['list-latest-blocks-all-chains', 'data-api'],
    ].map(async ([operation, source]) =>
      run(['query', operation!, config, `--config.network=net-${at}`, `--config.source=${source}`]),
    )
    for (const { code, stdout, stderr } of await Promise.all(asked)) {
      expect(code).toBeGreaterThan(0)
      expect(stderr).not.toBe('')
      expect(found(stdout + stderr)).toEqual([])
    }
  },
)

/** What libraries say when they are given what is no address, no header and no option, with the secret in it. */
const crashes = (how: string) => `
  const secret = process.env.SECRET_1
  const thrown = Object.assign(new TypeError('fetch ' + secret + ' failed: "' + new URL(secret).password + '" is an invalid header value'), {
    config: { url: secret }, cause: new Error(secret), headers: [['x-key', secret]],
  })
  setTimeout(() => { ${how} }, 2_000)`

test.each([
  ['an exception', 'throw thrown', ['serve', config, '--web.listen-address=127.0.0.1:0', '--log.level=debug']],
  ['a text that is thrown, where nothing is logged', 'throw secret', ['simulate']],
])('a crash by %s prints no secret', async (_, how, args) => {
  const { said, ended } = start(args, crashes(how))
  expect(await ended).toEqual([1, null])
  expect(said.stderr).toContain('defect')
  expect(found(said.stdout + said.stderr)).toEqual([])
})

test('a configuration that is wrong is refused without its secrets', async () => {
  const url = address('http://10.0.0.5:9650')
  const wrong = [
    `networks: [{ name: a, nodes: [{ name: n, url: "http://${marker()}:${marker()}@10.0.0.5:9650/${marker()}/ext" }] }]`,
    `networks: [{ name: a, nodes: [{ name: n, url: ["${url}"] }] }]`,
    `networks: [{ name: a, data_api: { url: "${url}", key: { ${marker()}: 1 } } }]`,
    `networks: [{ name: a, nodes: [{ name: n, url: "${url} }] }]`,
    `networks: [{ name: a, nodes: [{ name: n, url_file: ${marker()} }] }]`,
  ]
  for (const [at, yaml] of wrong.entries()) {
    const file = join(folder, `wrong-${at}.yml`)
    writeFileSync(file, yaml)
    const { code, stdout, stderr } = await run(['check', `--config.file=${file}`])
    expect({ code, found: found(stdout + stderr) }).toEqual({ code: 1, found: [] })
  }
})
