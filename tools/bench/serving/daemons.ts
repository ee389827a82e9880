// A daemon and a node, each in a process of its own.

import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { flags } from '../environment.ts'
import { start, type Started } from '../process.ts'

export interface Watching {
  /** Validators that the node lists, all of them tracked. */
  validators: number
  collectors: readonly string[]
  every: string
  wallets?: number
  /** Core of the daemon, and of the node. */
  cores?: { daemon?: number; node?: number }
  /** Series after which everything has been polled. */
  series: number
}

export interface Running {
  url: string
  daemon: Started
  end(): Promise<void>
}

/** The first polls of a large set take that long on a busy machine (seconds). */
const PATIENCE = 300

export async function startDaemon(watching: Watching): Promise<Running> {
  const { validators, collectors, every, wallets = 0, cores = {}, series } = watching
  const { daemon: core, node: nodeCore } = cores
  const node = await start(new URL('node.ts', import.meta.url), [validators], pin(nodeCore))
  const args = [node.said['url']!, validators, collectors.join(','), every, wallets]
  const daemon = await start(new URL('daemon.ts', import.meta.url), args, {
    ...pin(core),
    flags: [...flags, '--expose-gc'],
  })
  const url = daemon.said['url']!
  for (let waited = 0; (await seriesOf(url)) < series; waited += 1) {
    if (waited > PATIENCE) throw new Error(`the daemon has not published ${series} series after ${waited} s`)
    await wait(1_000)
  }
  return { url, daemon, end: async () => void (await Promise.all([daemon.end(), node.end()])) }
}

const pin = (core: number | undefined) => (core === undefined ? {} : { core })

/** Series about validators and wallets: what the daemon says about itself is left out. */
async function seriesOf(url: string): Promise<number> {
  const { body } = await scrape(url)
  return body.toString().match(/^stakewatch_(validator|node_address)_/gm)?.length ?? 0
}

/** The bytes as they came: compressed when that was asked for. */
export async function scrape(url: string, headers: Readonly<Record<string, string>> = {}): Promise<{ body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ body: Buffer }>()
  get(url, { headers, agent: false }, (response) => {
    const pieces: Buffer[] = []
    response.on('data', (piece: Buffer) => pieces.push(piece))
    response.on('end', () => resolve({ body: Buffer.concat(pieces) }))
    response.on('error', reject)
  }).on('error', reject)
  return promise
}
