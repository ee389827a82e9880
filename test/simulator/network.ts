// A small simulated network on real ports whose clock stands where the test puts it.

import { afterAll, onTestFinished } from 'vitest'
import { type SimulatorOptions, startSimulator } from '../../src/simulator/simulator.ts'

export const EPOCH = 1_780_000_000

export async function startNetwork(change: Partial<SimulatorOptions> = {}) {
  const clock = { now: 0 }
  const network = await startSimulator({
    seed: 1,
    epoch: EPOCH,
    clock: () => clock.now,
    validators: 20,
    delegations: 30,
    ...change,
  })
  return {
    ...network,
    clock,
    /** Asks the data service in a minute of its own, so that no request uses up the allowance of another one. */
    askLater(path: string, init?: RequestInit) {
      clock.now += 60
      return ask(network.dataUrl + path, init)
    },
  }
}

export type Network = Awaited<ReturnType<typeof startNetwork>>

/** A network that stops when all tests of the file have ended. */
export async function networkOfFile(change: Partial<SimulatorOptions> = {}): Promise<Network> {
  const network = await startNetwork(change)
  afterAll(() => network.stop())
  return network
}

/** A network that stops when the test has ended. */
export async function networkOfTest(change: Partial<SimulatorOptions> = {}): Promise<Network> {
  const network = await startNetwork(change)
  onTestFinished(() => network.stop())
  return network
}

/** Status, headers and text; `body` reads it as JSON. */
export async function ask(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, init)
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    get body() {
      return JSON.parse(text) as unknown
    },
  }
}

export function post(url: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
}

/** The body of a JSON-RPC answer, of the P-Chain unless another path is given. */
export async function rpc(nodeUrl: string, method: string, params: object, path = '/ext/bc/P') {
  const { body } = await post(nodeUrl + path, { jsonrpc: '2.0', id: 1, method, params })
  return body as { id: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } }
}
