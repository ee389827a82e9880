// Every operation, against its table of cases and a bare server: the definition, the client and the command line.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretUrl } from '../../src/lib/secret.ts'
import { fromText, type Operation } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { handlers } from '../../src/simulator/handlers/index.ts'
import { createClient } from '../../src/upstream/client.ts'
import { createHttp } from '../../src/upstream/http.ts'
import { parseJson } from '../../src/upstream/json.ts'
import { runCommand } from '../support/command.ts'
import { allCases, failures, type Texts, textOf, titleOf, valueOf, withoutCases, withoutUndefined } from './cases.ts'
import { clockOf } from '../support/clock.ts'
import { unlimited } from '../support/unlimited.ts'

const all = await allCases()

/** What the server answers next, and what it was asked. It knows nothing of our definitions. */
const bare = { url: '', body: '', isRpc: false, asked: [] as { request: string; body: string }[] }
const server = createServer((request, response) => {
  void text(request).then((sent) => {
    bare.asked.push({ request: `${request.method} ${request.url}`, body: sent })
    response.writeHead(200, { 'content-type': 'application/json' })
    const { id } = bare.isRpc ? (JSON.parse(sent) as { id: number }) : { id: 0 }
    response.end(bare.isRpc ? inEnvelope(bare.body, id) : bare.body)
  })
})
const inEnvelope = (result: string, id: number) => `{"jsonrpc":"2.0","result":${result},"id":${id}}`
const http = createHttp({ userAgent: 'test', random: () => 0, now: Date.now })
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  bare.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await http.close()
  server.close()
})

/** The parameters in a request: its body, or what its JSON-RPC envelope holds. */
function bodyIn(sent: string): unknown {
  if (sent === '') return undefined
  const body = parseJson(sent, 'exact')
  return bare.isRpc ? (body as { params: unknown }).params : body
}

function serve(operation: Operation, body: string): void {
  Object.assign(bare, { body, isRpc: operation.service === 'node', asked: [] })
}

async function ask(operation: Operation, params: Texts) {
  const clock = clockOf(() => 0)
  const client = createClient({ http, timeout: 5_000, clock, ...unlimited(clock), report: () => {} })
  const source = { service: operation.service, network: 'n', name: 's', url: secretUrl(bare.url) }
  const signal = new AbortController().signal
  const answer = await client.call(source, operation, fromText(operation, params), { signal })
  return withoutUndefined({ value: answer.value, dropped: answer.dropped })
}

function command({ name, effect }: Operation, params: Texts) {
  const flags = Object.entries(params).map(([key, value]) => `--${key}=${value}`)
  const args = [effect === 'change' ? 'admin' : 'query', name, `--url=${bare.url}`, ...flags]
  if (effect !== 'read') args.push('--yes')
  return runCommand(args)
}

test('each operation has its cases and its simulator handler, and nothing else has', () => {
  const names = operations.map(({ name }) => name)
  const cased = all.map(({ operation }) => operation)
  const served = handlers.map(({ operation }) => operation.name)
  expect([
    ...names.filter((name) => !cased.includes(name)).map(withoutCases),
    ...names.filter((name) => !served.includes(name)).map((name) => `add src/simulator/handlers/${name}.ts`),
    ...cased.filter((name) => !names.includes(name)).map((name) => `remove test/operations/cases/${name}.ts`),
  ]).toEqual([])
})

describe.each(all)('$operation', (cases) => {
  const operation = operations.find(({ name }) => name === cases.operation)!

  test('does what its table says', () => {
    expect([...failures(operation, cases)]).toEqual([])
  })

  test.each(cases.asks)('the client asks $request', async ({ params, request, body }) => {
    serve(operation, textOf(cases.answers[0]!))
    await ask(operation, params)
    expect(bare.asked.map((one) => one.request)).toEqual([request])
    expect(bodyIn(bare.asked[0]!.body)).toEqual(body ?? ('get' in operation.via ? undefined : {}))
  })

  const titled = cases.answers.map((answering) => [titleOf(answering), answering] as const)
  test.each(titled)('%s: the client reads it, the command prints it as it is', async (_, answering) => {
    const { dropped = 0 } = answering
    const text = textOf(answering)
    const [{ params }] = cases.asks as [(typeof cases.asks)[0]]
    serve(operation, text)
    expect(await ask(operation, params)).toEqual(withoutUndefined({ value: valueOf(answering), dropped }))
    const printed = await command(operation, params)
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    const body = bare.isRpc ? inEnvelope(text, 1) : text
    // A change prints what was done, not the answer.
    expect(printed.stdout).toBe(operation.effect === 'change' ? printed.stdout : body)
  })
})

/** The command words by itself what is missing or empty, and what the library would say about types. */
const OWN_WORDS = /^--\w+[^:]*: (is missing|is empty|expected (one of .+|a number.*|hex))$/m

const refused = all.flatMap(({ operation, refuses }) =>
  refuses.map(([params, message]) => [operation, JSON.stringify(params), message, params] as const),
)
test.each(refused)('the command refuses %s %s: %s', async (name, _, message, params) => {
  const operation = operations.find((one) => one.name === name)!
  serve(operation, '')
  const { code, stdout, stderr } = await command(operation, params)
  expect({ code, stdout, asked: bare.asked.length }).toEqual({ code: 1, stdout: '', asked: 0 })
  const own = OWN_WORDS.exec(stderr)?.[0]
  expect(stderr).toContain(own ?? message)
})
