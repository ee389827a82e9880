// The services' own SDKs as clients of a simulated network in the live dialect: witnesses that know nothing of our
// definitions.

import { startSimulator } from '../../../src/simulator/simulator.ts'
import { EPOCH } from '../../simulator/network.ts'

/** What the SDK reads from the simulator, and what the simulated world holds. */
export type Row = [operation: string, what: string, ask: () => Promise<unknown>, readWorld: () => unknown]

/** The same of a list; each of its items as a line of text, in any order. */
export type ListRow = [
  operation: string,
  what: string,
  pageSize: number,
  ask: (page: { pageSize: number }) => Promise<string[]>,
  readWorld: () => string[],
]

/** The network's time stands still; so does the clock, which a test moves on where it needs a new allowance. */
export async function startLive() {
  const clock = { now: 0 }
  const profiles: string[] = []
  const network = await startSimulator({
    seed: 1,
    epoch: EPOCH,
    clock: () => clock.now,
    speed: 0,
    validators: 20,
    delegations: 30,
    dialect: 'live',
    writeProfile: (path) => profiles.push(path),
  })
  return { network, world: network.world, clock, profiles }
}

/** Milliseconds that an SDK waits for an answer. */
const PATIENCE = 5_000

/** What went over the wire for an SDK. */
interface Exchange {
  request: Request
  body: object
}

/** Sends here what the SDK means for the live service: most operations take no notice of its setting for that. */
export async function dataSdk(url: string) {
  // An SDK takes half a second to load: it is loaded where it is used.
  const { Avalanche } = await import('@avalanche-sdk/chainkit')
  const { HTTPClient } = await import('@avalanche-sdk/chainkit/lib/http.js')
  const exchanges: Exchange[] = []
  const httpClient = new HTTPClient({
    async fetcher(input, init) {
      const request = new Request(input, init)
      const { pathname, search } = new URL(request.url)
      const response = await fetch(new Request(url + pathname + search, request))
      exchanges.push({ request, body: (await response.clone().json()) as object })
      return response
    },
  })
  const { data, metrics } = new Avalanche({
    apiKey: 'sesame',
    network: 'fuji',
    httpClient,
    // With it on, the SDK reports each call to its maker as well.
    enableTelemetry: false,
    retryConfig: { strategy: 'none' },
    timeoutMs: PATIENCE,
  })
  return { data, metrics, exchanges }
}

export async function nodeSdk(url: string) {
  const { createAvalancheClient } = await import('@avalanche-sdk/client')
  const { avalancheFuji } = await import('@avalanche-sdk/client/chains')
  const config = { retryCount: 0, timeout: PATIENCE }
  return createAvalancheClient({ chain: avalancheFuji, transport: { type: 'http', url, config } })
}

/** The items of all pages, which the SDK turns over by itself. */
export async function itemsOf<P>(pages: Promise<AsyncIterable<P>>, items: (page: P) => string[]): Promise<string[]> {
  const all: string[] = []
  for await (const page of await pages) all.push(...items(page))
  return all
}

/** The same where the SDK gives one page and the token of the next. */
export async function turnedOver<P extends { nextPageToken?: string | undefined }>(
  ask: (token: { pageToken?: string }) => Promise<P>,
  items: (page: P) => string[],
): Promise<string[]> {
  const all: string[] = []
  for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken; isFirst = false) {
    const page = await ask(pageToken === undefined ? {} : { pageToken })
    all.push(...items(page))
    pageToken = page.nextPageToken
  }
  return all
}

/** Which pages came with the token of a next one. */
export function tokensIn(exchanges: readonly Exchange[]): boolean[] {
  return exchanges.map(({ body }) => 'nextPageToken' in body)
}

/** All but the last one of several, which has none at all: an empty one would make some clients begin again. */
export function tokensOf(items: number, pageSize: number): boolean[] {
  const pages = Math.ceil(items / pageSize)
  if (pages < 2) throw new Error(`${items} items are a single page`)
  return Array.from({ length: pages }, (_, at) => at < pages - 1)
}

/** The node's own words, out of the error that its SDK makes of them. */
export function reasonOf(error: unknown): string {
  return (error as { details: string }).details
}
