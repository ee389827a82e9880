// Puts a recorded request to a simulated network, and reports how the answer differs from the recorded one.

import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { parseJson } from '../../src/upstream/json.ts'
import { post } from '../simulator/network.ts'
import { differences, type Pool, wordsOf } from './form.ts'
import type { Recorded } from './recorded.ts'
import type { Network } from './simulated.ts'

export type Event = readonly [begins: () => Promise<void>, ends?: (() => Promise<void>) | undefined]

export interface Asking {
  node: string
  path: string
  /** Default: POST. */
  method?: string
  headers?: Readonly<Record<string, string>>
  body: string
  /** What happens for the time of the request: how it begins and how it ends. */
  event?: Event | undefined
}

/** Orders what happens to the simulated network, such as the start of a node. */
export async function order({ controlUrl }: Pick<Network, 'controlUrl'>, what: object): Promise<void> {
  expect((await post(`${controlUrl}/actions`, what)).status).toBe(200)
}

/** fetch would send neither another host nor a body with GET. */
function send(
  url: string,
  { method = 'POST', headers, body }: Asking,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
      text(answer).then((said) => resolve({ status: answer.statusCode!, headers: answer.headers, body: said }), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The headers that a client can go by. */
const HEADERS = ['content-type', 'vary', 'node-id']

/** One line for each difference. */
export async function replay(network: Network, one: Recorded, asking: Asking, known: Pool): Promise<string[]> {
  const [begins, ends] = asking.event ?? []
  await begins?.()
  const { url } = network.nodes.find(({ name }) => name === asking.node)!
  const { status, headers, body } = await send(url + asking.path, asking)
  await ends?.()

  const said = Object.fromEntries(Object.entries(one.headers).map(([key, value]) => [key.toLowerCase(), value]))
  const ofHeaders = HEADERS.flatMap((key) => {
    const [a, b] = [said[key], headers[key]].map((value) =>
      value === undefined ? undefined : wordsOf([value].flat().join(', ')),
    )
    // Some of the cases were recorded by a client that did not keep this one.
    return a === b || (key === 'vary' && a === undefined) ? [] : [`header ${key}: ${a} recorded, ${b} simulated`]
  })
  const ofStatus = status === one.status ? [] : [`status: ${one.status} recorded, ${status} simulated`]
  const answer = typeof one.response === 'string' ? body : parseJson(body, 'exact')
  return [...ofStatus, ...ofHeaders, ...differences(one.response, answer, known)]
}
