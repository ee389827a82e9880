// Every request that was recorded from a real node, put to the simulator in its live form: the answers have the same
// status, members, JSON types, error codes and words.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { rpc, startNetwork } from '../simulator/network.ts'
import { type Event, order, replay } from './asking.ts'
import { differing } from './differing.ts'
import { poolOf, type Recorded, recorded } from './recorded.ts'
import { createTranslation, type Network, startRecorded } from './simulated.ts'

/** Networks to ask: one with an hour of history, and one in which nothing has been accepted yet. */
const networks = {} as Record<'old' | 'young', Network>
let translated: (one: Recorded) => string
beforeAll(async () => {
  networks.old = await startRecorded()
  networks.young = await startNetwork({ dialect: 'live', speed: 0, epoch: 0 })
  translated = createTranslation(networks.old)
  // On a busy machine two networks take a while.
})
afterAll(() => Promise.all(Object.values(networks).map((one) => one.stop())))

interface Asking {
  network?: keyof typeof networks
  node?: 'node-a' | 'node-b'
  /** What is ordered before the request, and what takes it back. */
  during?: readonly [before: object, after?: object]
}

/** Which node is asked, and in what state it is. */
function askingOf({ of, case: name, request }: Recorded): Asking {
  if (name === 'nothing new') return { during: [{ kind: 'reload' }] }
  if (name === 'one new, one failing') return { network: 'young' }
  if (name === 'file whose name is no id')
    return { during: [{ kind: 'install', node: 'node-a', plugin: 'nonsense-name' }] }
  if (name.startsWith('empty index') || name === 'Helicon: C block') return { network: 'young' }
  if (name.startsWith('bootstrapping')) {
    return {
      during: [
        { kind: 'start', node: 'node-a' },
        { kind: 'bootstrapped', node: 'node-a' },
      ],
    }
  }
  const { port } = new URL(request.url)
  if (port === '9660') return { node: 'node-b' }
  if (port !== '9670') return {}
  const api = of.startsWith('index') ? 'index' : 'admin'
  const without = { kind: 'disable', node: 'node-b', api }
  return { node: 'node-b', during: api === 'index' ? [without, { ...without, kind: 'enable' }] : [without] }
}

async function take(network: Network, what: object): Promise<void> {
  if ('kind' in what && what.kind === 'reload') await rpc(network.nodes[0]!.url, 'admin.loadVMs', {}, '/ext/admin')
  else await order(network, what)
}

function eventOf(network: Network, before: object, after?: object): Event {
  return [() => take(network, before), after && (() => take(network, after))]
}

function replayed(one: Recorded): Promise<string[]> {
  const { network: name = 'old', node = 'node-a', during } = askingOf(one)
  const network = networks[name]
  const isOf = (transport: string) => one.of === 'transport' && one.case === transport
  const asking = {
    node,
    path: new URL(one.request.url).pathname,
    method: isOf('GET') ? 'GET' : 'POST',
    headers: {
      ...(isOf('text content type') ? { 'content-type': 'text/plain' } : {}),
      ...(isOf('wrong host') ? { host: 'node.example' } : {}),
    },
    body: translated(one),
    event: during && eventOf(network, ...during),
  }
  return replay(network, one, asking, poolOf(one.of))
}

const isListed = (one: Recorded) => differing.some(({ of, case: name }) => of === one.of && name === one.case)

test('there are 205 of them', () => {
  expect(recorded).toHaveLength(205)
})

/** In their order, as some change the answer to a later one. Those that name chains come last: the others knew no such name. */
const isNaming = ({ of }: Recorded) => of.startsWith('admin.alias')
for (const one of [...recorded.filter((each) => !isNaming(each)), ...recorded.filter(isNaming)]) {
  test(`${one.of}: ${one.case}${isListed(one) ? ' differs, as listed' : ''}`, async () => {
    const found = await replayed(one)
    const isAsListed = isListed(one) && found.length > 0
    expect({ isAsListed, differences: isAsListed ? [] : found }).toEqual({ isAsListed: isListed(one), differences: [] })
  })
}

test('each of those that differ is one of them, and they are ten at most', () => {
  expect(differing.filter(({ of, case: name }) => !recorded.some((one) => one.of === of && one.case === name))).toEqual(
    [],
  )
  expect(differing.length).toBeLessThanOrEqual(10)
})
