// Which addresses of a host are tried, and when. Sockets and time are the test's own.

import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createConnector } from '../../src/upstream/connect.ts'

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

test.each<[string, [string, Fate][], string, number, string[]]>([
  ['one address', [['10.0.0.1', connected(30)]], '10.0.0.1', 30, ['10.0.0.1 at 0']],
  [
    'a handshake of 300 ms, and no route for the other family',
    [
      ['10.0.0.1', connected(300)],
      ['2001:db8::1', NO_ROUTE],
    ],
    '10.0.0.1',
    300,
    ['10.0.0.1 at 0', '2001:db8::1 at 250'],
  ],
  [
    'no route for the preferred family: the next one begins at once',
    [
      ['2001:db8::1', NO_ROUTE],
      ['10.0.0.1', connected(300)],
    ],
    '10.0.0.1',
    300,
    ['2001:db8::1 at 0', '10.0.0.1 at 0'],
  ],
  [
    'the first of two is dead',
    [
      ['10.0.0.1', DEAD],
      ['10.0.0.2', connected(300)],
    ],
    '10.0.0.2',
    550,
    ['10.0.0.1 at 0', '10.0.0.2 at 250'],
  ],
  [
    'the second of two is dead, and the first one slow',
    [
      ['10.0.0.1', connected(3_300)],
      ['10.0.0.2', DEAD],
    ],
    '10.0.0.1',
    3_300,
    ['10.0.0.1 at 0', '10.0.0.2 at 250'],
  ],
  [
    'five of six are dead: families take turns',
    [
      ['2001:db8::1', DEAD],
      ['2001:db8::2', DEAD],
      ['2001:db8::3', DEAD],
      ['10.0.0.1', DEAD],
      ['10.0.0.2', connected(100)],
      ['10.0.0.3', DEAD],
    ],
    '10.0.0.2',
    850,
    ['2001:db8::1 at 0', '10.0.0.1 at 250', '2001:db8::2 at 500', '10.0.0.2 at 750'],
  ],
  [
    'the slower one answers first',
    [
      ['10.0.0.1', connected(900)],
      ['10.0.0.2', connected(100)],
    ],
    '10.0.0.2',
    350,
    ['10.0.0.1 at 0', '10.0.0.2 at 250'],
  ],
  [
    'all refuse',
    [
      ['10.0.0.1', refused(20)],
      ['10.0.0.2', refused(20)],
    ],
    'ECONNREFUSED',
    40,
    ['10.0.0.1 at 0', '10.0.0.2 at 20'],
  ],
  [
    'a refusal says more than a missing route',
    [
      ['2001:db8::1', NO_ROUTE],
      ['10.0.0.1', refused(20)],
    ],
    'ECONNREFUSED',
    20,
    ['2001:db8::1 at 0', '10.0.0.1 at 0'],
  ],
  [
    'none answers: each has four seconds',
    [
      ['10.0.0.1', DEAD],
      ['10.0.0.2', DEAD],
    ],
    'UND_ERR_CONNECT_TIMEOUT',
    4_250,
    ['10.0.0.1 at 0', '10.0.0.2 at 250'],
  ],
])('%s', async (_, fates, outcome, after, begun) => {
  const seen = await connectTo(fates)
  // All others are closed.
  const open = begun.some((one) => one.startsWith(`${outcome} `)) ? [outcome] : []
  expect(seen).toEqual({ outcome, after, begun, open })
})
