// Which addresses of a host are tried, and when. Sockets and time are the test's own.

import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createConnector } from '../../src/upstream/connect.ts'
import { rowsOf } from '../support/rows.ts'

/** What becomes of an attempt: connected or failed a number of milliseconds after it began, or never. */
type Fate = { connected: number } | { failed: number; code: string } | 'silent'

const DEAD: Fate = 'silent'
const NO_ROUTE: Fate = { failed: 0, code: 'ENETUNREACH' }
const refused = (failed: number): Fate => ({ failed, code: 'ECONNREFUSED' })
const connected = (milliseconds: number): Fate => ({ connected: milliseconds })

/** All promises that can end have ended after a turn of the event loop. */
const settled = () => setImmediate()

/** Time that passes whenever all work that is due is done. */
function createTime() {
  let time = 0
  const due: { at: number; work: () => void }[] = []
  return {
    now: () => time,
    at: (after: number, work: () => void) => void due.push({ at: time + after, work }),
    async pass(isOver: () => boolean) {
      while (!isOver()) {
        await settled()
        if (isOver()) return
        due.sort((a, b) => a.at - b.at)
        const next = due.shift()
        if (!next) throw new Error('nothing is left that could end this')
        time = next.at
        next.work()
      }
    },
  }
}

async function connectTo(fates: readonly (readonly [address: string, fate: Fate])[]) {
  const time = createTime()
  const begun: string[] = []
  const open: string[] = []
  const connect = createConnector(
    {
      lookup: () => Promise.resolve(fates.map(([address]) => ({ address, family: address.includes(':') ? 6 : 4 }))),
      open(address) {
        begun.push(`${address} at ${time.now()}`)
        open.push(address)
        const destroy = () => void open.splice(open.indexOf(address), 1)
        const socket = Object.assign(new EventEmitter(), { address, destroy })
        const fate = fates.find(([one]) => one === address)![1]
        if (fate !== 'silent' && 'connected' in fate) time.at(fate.connected, () => socket.emit('connect'))
        else if (fate !== 'silent') {
          time.at(fate.failed, () => socket.emit('error', Object.assign(new Error(fate.code), { code: fate.code })))
        }
        return socket as unknown as Socket
      },
      after: (milliseconds) => new Promise<void>((resolve) => time.at(milliseconds, resolve)),
    },
    {},
  )
  let outcome: string | undefined
  connect({ hostname: 'node.example', protocol: 'http:', port: '9650' }, (error, socket) => {
    outcome = error ? (error as NodeJS.ErrnoException).code! : (socket as unknown as { address: string }).address
  })
  await time.pass(() => outcome !== undefined)
  await settled()
  return { outcome, after: time.now(), begun, open }
}

/** `10.0.0.1=300`: connected after so long; `=dead` never answers, `=lost` has no route, `=no20` refuses after 20 ms. */
function fatesOf(text: string): [string, Fate][] {
  return text.split(' ').map((one) => {
    const [address = '', fate = ''] = one.split('=')
    if (fate === 'dead') return [address, DEAD]
    if (fate === 'lost') return [address, NO_ROUTE]
    return [address, fate.startsWith('no') ? refused(Number(fate.slice(2))) : connected(Number(fate))]
  })
}

// What becomes of each address; which one is used, or why none is; after how long; which attempts began when.
test.each(
  rowsOf(`
    one address                             | 10.0.0.1=30                | 10.0.0.1 |   30 | 10.0.0.1@0
    no route for the other family           | 10.0.0.1=300 2001:db8::1=lost | 10.0.0.1 |  300 | 10.0.0.1@0 2001:db8::1@250
    // The next one begins at once.
    no route for the preferred family       | 2001:db8::1=lost 10.0.0.1=300 | 10.0.0.1 |  300 | 2001:db8::1@0 10.0.0.1@0
    the first of two is dead                | 10.0.0.1=dead 10.0.0.2=300 | 10.0.0.2 |  550 | 10.0.0.1@0 10.0.0.2@250
    the first is slow, the second one dead  | 10.0.0.1=3300 10.0.0.2=dead | 10.0.0.1 | 3300 | 10.0.0.1@0 10.0.0.2@250
    the slower one answers first            | 10.0.0.1=900 10.0.0.2=100  | 10.0.0.2 |  350 | 10.0.0.1@0 10.0.0.2@250
    all refuse                              | 10.0.0.1=no20 10.0.0.2=no20 | ECONNREFUSED | 40 | 10.0.0.1@0 10.0.0.2@20
    a refusal says more than a lost route   | 2001:db8::1=lost 10.0.0.1=no20 | ECONNREFUSED | 20 | 2001:db8::1@0 10.0.0.1@0
    // Each has four seconds.
    none answers                | 10.0.0.1=dead 10.0.0.2=dead | UND_ERR_CONNECT_TIMEOUT | 4250 | 10.0.0.1@0 10.0.0.2@250
  `),
)('%s', async (_, fates, outcome = '', after, begun = '') => {
  const seen = await connectTo(fatesOf(fates))
  // All others are closed.
  const open = begun.includes(`${outcome}@`) ? [outcome] : []
  expect(seen).toEqual({
    outcome,
    after: Number(after),
    begun: begun.replaceAll('@', ' at ').split(/ (?=\S+ at)/),
    open,
  })
})

test('five of six are dead: families take turns', async () => {
  const dead = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '10.0.0.1'].map((address): [string, Fate] => [
    address,
    DEAD,
  ])
  expect(await connectTo([...dead, ['10.0.0.2', connected(100)], ['10.0.0.3', DEAD]])).toEqual({
    outcome: '10.0.0.2',
    after: 850,
    begun: ['2001:db8::1 at 0', '10.0.0.1 at 250', '2001:db8::2 at 500', '10.0.0.2 at 750'],
    open: ['10.0.0.2'],
  })
})
