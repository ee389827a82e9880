// What clients send to the daemon, and what people write on a command line.

import { type Arbitrary, array, constant, constantFrom, nat, oneof, record, string, tuple } from 'fast-check'
import { Command, CommanderError } from 'commander'
import { parameterFlags, parametersOf, textsOf, wireOf } from '../../src/commands/query/parameter-flags.ts'
import { BaseError } from '../../src/errors.ts'
import { secretUrl } from '../../src/lib/secret.ts'
import type { Operation } from '../../src/operations/define.ts'
import { listErc20Transfers } from '../../src/operations/data/evm.ts'
import { operations } from '../../src/operations/index.ts'
import { acceptsGzip, negotiate } from '../../src/server/negotiate.ts'
import { parseListenAddress } from '../../src/server/listen-address.ts'
import { createServer } from '../../src/server/server.ts'
import { addressOf } from '../../src/upstream/address.ts'
import { allCases } from '../operations/cases.ts'
import { inject } from '../support/inject.ts'
import { editedText, hostileTexts, textEdits } from '../support/fuzz/json.ts'
import { fuzzed, promise } from '../support/fuzz/fuzzed.ts'

const sizeOf = (text: unknown) => String(text).length
const anyText = oneof(string({ maxLength: 20 }), string({ unit: 'binary', maxLength: 20 }))

/** Words of a form in any order, and such a text with changes. */
function madeOf(words: readonly string[], maxLength = 12): Arbitrary<string> {
  const joined = array(oneof({ weight: 9, arbitrary: constantFrom(...words) }, { weight: 1, arbitrary: anyText }), {
    maxLength,
  }).map((some) => some.join(''))
  return tuple(joined, textEdits).map(([text, some]) => editedText(text, some))
}

const ACCEPT = [
  ...Array.from(';, =1*'),
  'application/openmetrics-text',
  'text/plain',
  'text/*',
  '*/*',
  'version=',
  '1.0.0',
  '0.0.4',
  '"1.0.0"',
  'q=',
  'q=0',
  '0.5',
  '-1',
  'NaN',
  'Infinity',
  'gzip',
  'identity',
  'br',
]

const versions = constantFrom('', '', ';version=1.0.0', ';version="0.0.4"', '; version=0.0.1', ';version=1.0.0;x=y')
const qualities = constantFrom('', '', ';q=0', ';q=0.5', '; q=1', ';q=-1', ';q=x', ';q=')
const ranges = array(
  tuple(
    constantFrom('application/openmetrics-text', 'text/plain', 'text/*', '*/*', 'text/html', 'gzip', '*', 'identity'),
    versions,
    qualities,
  ).map((parts) => parts.join('')),
  { maxLength: 4 },
).map((some) => some.join(', '))
const headerText = oneof(
  { weight: 1, arbitrary: constant(undefined) },
  { weight: 20, arbitrary: ranges },
  { weight: 10, arbitrary: madeOf(ACCEPT) },
)

fuzzed<string | undefined>('header accept', {
  inputs: headerText,
  sizeOf,
  run(text) {
    const format = negotiate(text)
    if (format !== 'text' && format !== 'openmetrics') throw new Error(`the format ${String(format)}`)
    if (format === 'openmetrics' && !/openmetrics/i.test(text ?? '')) throw new Error('a format that was not asked for')
    return format
  },
})

fuzzed<string | undefined>('header accept-encoding', {
  inputs: headerText,
  sizeOf,
  run(text) {
    const isGzip = acceptsGzip(text)
    if (isGzip && !/gzip|\*/i.test(text ?? '')) throw new Error('gzip that was not asked for')
    return isGzip
  },
})

fuzzed<string>('listen address', {
  inputs: oneof(
    tuple(
      constantFrom('', '127.0.0.1', 'localhost', '[::1]', '[fe80::1]', '[x]', '::1', '[::1', 'a b'),
      constantFrom(':', '::', ''),
      constantFrom('19650', '0', '65535', '65536', '99999', '-1', 'x', ''),
    ).map((parts) => parts.join('')),
    madeOf(['[', ']', ':', '::', '::1', '127.0.0.1', 'localhost', '0', '19650', '65536', '-1', ' ', '\n', '%eth0'], 5),
  ),
  sizeOf,
  run(text) {
    const address = parseListenAddress(text)
    if (!address) throw new BaseError('config', 'no address')
    const { host, port } = address
    if (host === '' || /[[\]\s]/.test(host) || !Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(JSON.stringify(address))
    return address
  },
})

interface Asked {
  method: string
  url: string
  headers: Record<string, string>
}

/** The whole server. Some options exist in some versions alone. */
const options = {
  telemetryPath: '/metrics',
  body: (format: string, only?: ReadonlySet<string>) => [Buffer.from(`${format} ${only ? [...only].join() : 'all'}\n`)],
  collectors: new Map([
    ['uptime', ['a', 'b']],
    ['supply', ['c']],
  ]),
  pages: [{ path: '/', answer: () => ({ type: 'text/html', body: '<html>' }) }],
  ready: () => ({ isOk: true, text: 'yes' }),
  healthy: () => ({ isOk: true, text: 'yes' }),
  count: () => {},
  cut: () => {},
  clock: { now: () => ({ wall: 0, steady: 0 }), after: () => () => {}, deadline: () => new AbortController().signal },
}
let server: ReturnType<typeof createServer> | undefined

const query = madeOf(
  [
    ...Array.from('?&=%[]#/'),
    'collect[]',
    'collect%5B%5D',
    'collect',
    'uptime',
    'supply',
    'none',
    '%zz',
    '%00',
    '__proto__',
    '[constructor]',
  ],
  10,
)
fuzzed<Asked>('request of a client', {
  inputs: record({
    method: constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
    url: tuple(
      constantFrom('/metrics', '/metrics', '/metrics?collect[]=', '/', '/-/healthy', '/-/ready', '/-/', '//', '/%'),
      query,
    )
      .map(([path, rest]) => path + rest)
      // Node's client sends no others.
      .map((url) => url.replace(/[^!-ÿ]/g, '?')),
    headers: record({
      accept: madeOf(ACCEPT, 6).map((text) => text.replace(/[^ -~]/g, '?')),
      'accept-encoding': constantFrom('gzip', '*', 'br', '', 'gzip;q=0'),
    }),
  }),
  sizeOf: ({ url }) => url.length,
  async run({ method, url, headers }) {
    server ??= createServer(options)
    const { statusCode, body } = await inject(server, { method, url, headers })
    if (![200, 400, 404, 405, 414, 431].includes(statusCode)) throw new Error(`status ${statusCode}: ${body}`)
    return { statusCode, body }
  },
})

interface Given {
  operation: Operation
  texts: Record<string, string>
}

/** Parameters as text: those of the documents, changed, left out and added. */
async function parameterTexts(): Promise<Arbitrary<Given>> {
  const cases = new Map((await allCases()).map((one) => [one.operation, one]))
  const bases = operations.flatMap((operation) => {
    const { asks, refuses } = cases.get(operation.name)!
    return [...asks.map(({ params }) => params), ...refuses.map(([params]) => params)].map((texts) => ({
      operation,
      texts,
    }))
  })
  const odd = oneof(
    constantFrom(
      ...hostileTexts,
      ',',
      ',,',
      '.',
      '..',
      '.',
      '..',
      '../..',
      '%2e%2e',
      'a/b',
      '?x',
      '#',
      'P-avax1',
      'asc',
      '18446744073709551615',
      '9007199254740993',
      '7',
    ),
    anyText,
  )
  return tuple(constantFrom(...bases), array(tuple(nat(20), odd, nat(7)), { maxLength: 3 })).map(
    ([{ operation, texts }, some]) => {
      const given: Record<string, string> = { ...texts }
      const names = Object.keys(operation.params.shape)
      for (const [at, text, how] of some) {
        const known = names[at % Math.max(1, names.length)] ?? 'none'
        const name = how === 5 ? text : how === 7 ? known.slice(0, -1) : known
        if (how === 0) delete given[name]
        else if (how === 6) Object.assign(given, { [name]: undefined })
        else if (how === 1) given[name] = `${given[name] ?? ''},${text}`
        else Object.defineProperty(given, name, { value: text, enumerable: true, configurable: true, writable: true })
      }
      return { operation, texts: given }
    },
  )
}

const BASE = secretUrl('http://10.0.0.5:9650/')
const dashed = (name: string) => name.replace(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)

const inputs = await parameterTexts()
const sizeOfTexts = ({ texts }: Given) => JSON.stringify(texts).length
fuzzed<Given>('parameters of operations', {
  inputs,
  sizeOf: sizeOfTexts,
  run({ operation, texts }) {
    const wire = wireOf(operation, texts)
    const { url } = addressOf({ service: operation.service, network: 'fuji', name: 'one', url: BASE }, wire)
    const { host, pathname } = new URL(url)
    const [fixed] = wire.path.split('/', 2)
    if (host !== '10.0.0.5:9650' || !pathname.startsWith(`/${fixed}`)) throw new Error(`asked at ${url}`)
    const segments = pathname.split('/').length
    const documented = (
      'get' in operation.via ? operation.via.get : 'post' in operation.via ? operation.via.post : operation.via.rpc
    ).split('/').length
    if (segments !== documented) throw new Error(`${segments} segments: ${url}`)
    promise(JSON.parse(JSON.stringify(wire)))
    if (!url.isWellFormed()) throw new Error(`asked at ${url}`)
    return { url, body: wire.body }
  },
  found: {
    'half of a surrogate pair in a parameter of the path': {
      operation: listErc20Transfers,
      texts: { chainId: '43114', address: '\ud800' },
    },
  },
})
fuzzed<Given>('flags of operations', {
  inputs,
  sizeOf: sizeOfTexts,
  run({ operation, texts }) {
    const command = parameterFlags(new Command(operation.name), operation)
    command
      .exitOverride()
      .configureOutput({ writeOut: () => {}, writeErr: () => {} })
      .action(() => {})
    if (parametersOf(operation).length !== Object.keys(operation.params.shape).length)
      throw new Error('a parameter without a flag')
    // A shell gives texts alone.
    const given = Object.entries(texts).filter(([, text]: [string, string | undefined]) => text !== undefined)
    const args = given.flatMap(([name, text], at) =>
      at % 2 === 0 ? [`--${at % 3 === 0 ? dashed(name) : name}=${text}`] : [`--${dashed(name)}`, text],
    )
    try {
      command.parse(args, { from: 'user' })
      const found = textsOf(operation, command.opts())
      if (Object.keys(found).length > 20) throw new Error('more parameters than exist')
      return found
    } catch (thrown) {
      if (thrown instanceof CommanderError) throw new BaseError('config', thrown.message)
      throw thrown
    }
  },
})
