// Each rule of the documents that parameters can break, as the simulated services refuse it: status, body and message.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Operation, pathOf } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { EVM_PATH } from '../../src/operations/node/chains.ts'
import { handlers } from '../../src/simulator/handlers/index.ts'
import { allCases, type Texts } from '../operations/cases.ts'
import { ask, networkOfFile } from './network.ts'

const network = await networkOfFile({ speed: 0 })

const served = new Set(handlers.map(({ operation }) => operation.name))
const rows = (await allCases())
  .filter(({ operation }) => served.has(operation))
  .flatMap(({ operation: name, refuses }) => {
    const operation = operations.find((one) => one.name === name)!
    // What the documents do not know, a service overlooks; the client alone refuses it.
    const known = refuses.filter(([params]) => Object.keys(params).every((one) => one in operation.params.shape))
    return known.map(([params, message]) => [name, JSON.stringify(params), message, operation, params] as const)
  })

/** The request as it is, whatever rules it breaks; undefined where a part of its path is missing. */
function requestOf(operation: Operation, params: Texts) {
  const rest = { ...params }
  const path = pathOf(operation).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name] ?? ''
    delete rest[name]
    return encodeURIComponent(value)
  })
  const { via } = operation
  if (path.includes('//') || path.endsWith('/')) return undefined
  const inBody = (name: string) => 'rpc' in via || ('post' in via && via.body.includes(name))
  const entries = Object.entries(rest)
  const body = Object.fromEntries(entries.filter(([name]) => inBody(name)))
  const query = new URLSearchParams(entries.filter(([name]) => !inBody(name))).toString()
  const args =
    'rpc' in via
      ? via.args?.map((name) => body[name] ?? z.safeParse(operation.params.shape[name], undefined).data)
      : undefined
  const sent =
    'rpc' in via ? { jsonrpc: '2.0', id: 1, method: operation.name, params: args ?? listsIn(operation, body) } : body
  return {
    path: query === '' ? path : `${path}?${query}`,
    init:
      'get' in via
        ? {}
        : { method: 'POST', body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } },
  }
}

/** On a command line a list is a text with commas, in JSON it is a list. */
function listsIn({ name }: Operation, body: Texts): Record<string, unknown> {
  const lists = ['nodeIDs', ...(name === 'platform.getBalance' ? ['addresses'] : [])]
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, lists.includes(key) ? value.split(',') : value]),
  )
}

test.each(rows.filter(([, , , { service }]) => service !== 'node'))(
  '%s %s: %s',
  async (_, __, message, operation, params) => {
    const request = requestOf(operation, params)
    network.clock.now += 60
    const url = operation.service === 'data' ? network.dataUrl : network.metricsUrl
    const answer = await ask(`${url}${request?.path ?? '/v1/nothing'}`, request?.init)
    const [statusCode, error] = request ? [400, 'Bad Request'] : [404, 'Not Found']
    const said = expect.stringContaining(request ? message : 'Cannot ')
    expect([answer.status, answer.body]).toEqual([
      statusCode,
      { statusCode, error, message: operation.service === 'metrics' ? [said] : said },
    ])
  },
)

test.each(rows.filter(([, , , { service }]) => service === 'node'))(
  '%s %s: %s',
  async (_, __, ___, operation, params) => {
    const request = requestOf(operation, params)
    const answer = await ask(`${network.nodes[0]!.url}${request?.path ?? '/ext/nothing'}`, request?.init)
    const isOfChain = pathOf(operation).includes('{')
    const isNowhere = isOfChain && !there.includes(`${params['chain']}/${params['kind'] ?? 'rpc'}`)
    const [code, words, more] = pathOf(operation) === EVM_PATH ? ofEvm : ofNode
    const error = { code, message: expect.stringMatching(words), ...more }
    expect([answer.status, isNowhere ? answer.text : answer.body]).toEqual(
      isNowhere ? [404, '404 page not found\n'] : [200, { jsonrpc: '2.0', error, id: 1 }],
    )
  },
)

/** The code of an error, its words, and what else it has. */
const ofNode = [-32_000, /unmarshal|required|not given|too long|must be in/, { data: null }] as const
const ofEvm = [-32_602, /^invalid argument [01]: /, {}] as const

/** Indexes and interfaces of chains: every other one is a path that the node does not serve. */
const there = ['P/block', 'C/block', 'X/block', 'X/tx', 'X/vtx', 'C/rpc']
