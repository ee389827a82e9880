// Restarts of a node as node-state counts them, at a run a minute: what is counted was counted by hand, from when its processes
// began and ended.

import { expect, test } from 'vitest'
import { nodeState } from '../../../src/collectors/nodes/node-state.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller } from '../../support/poll.ts'

const yaml = `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
`
const START = Date.parse('2026-11-22T00:00:00Z')
/** Seconds from one round of health checks to the next. */
const ROUND = 30

/** Seconds after the first run. */
interface Play {
  /** When each process begins and ends: the last one lives on. */
  lives: readonly [from: number, to: number][]
  /** Seconds that the P-Chain takes after a start. */
  takes?: number
  /** When nothing gets to the machine. */
  away?: readonly [from: number, to: number][]
  /** When the machine says that nothing listens, though the process lives, as at the end of a tunnel. */
  cut?: readonly [from: number, to: number][]
  /** Other collectors ask every so often; 0: none does. */
  othersEvery?: number
  /** When stakewatch itself begins again, and when it does not run. */
  fresh?: readonly number[]
  off?: readonly [from: number, to: number][]
  health?: 'closed' | ((minute: number) => 'hangs' | undefined)
  /** Its checks have times in whole seconds. */
  isWhole?: true
  /** Seconds by which a round of checks is late. */
  late?: (minute: number) => number
  /** Seconds between two runs. */
  every?: number
  minutes: number
}

const within = (times: readonly [number, number][], at: number) => times.find(([from, to]) => from <= at && at < to)

async function countRestarts(play: Play) {
  const { lives, takes = 5, away = [], cut = [], othersEvery = 10, fresh = [], off = [], every = 60, minutes } = play
  const poller = createPoller(yaml, nodeState, START)
  const isRefusing = (at: number) => !within(away, at) && (within(cut, at) !== undefined || !within(lives, at))
  let since = 0
  const counts: number[] = []
  for (let second = 0; second <= minutes * 60; second += 1) {
    if (fresh.includes(second)) poller.refusedAt.clear()
    if (within(off, second)) continue
    const isAsked = second % every === 0
    if (!isRefusing(second)) since = 0
    else if (isAsked || (othersEvery > 0 && second % othersEvery === 0)) {
      since ||= START + second * 1_000
      poller.refusedAt.set('node-2', since)
    }
    if (!isAsked) continue
    poller.clock.now = START + second * 1_000
    await poller.poll((operation) => {
      if (within(away, second)) return new BaseError('timeout', 'late')
      if (isRefusing(second)) return new BaseError('network', 'ECONNREFUSED')
      const [began] = within(lives, second)!
      const isDone = second >= began + takes
      if (operation === 'info.isBootstrapped') return { isBootstrapped: isDone }
      if (play.health === 'closed') return new BaseError('unsupported', '404')
      if (play.health?.(second / 60)) return new BaseError('timeout', 'late')
      return { healthy: true, checks: checksAt(second, began, play) }
    })
    counts.push(poller.value('stakewatch_node_restarts_total')!)
  }
  const at = poller.value('stakewatch_node_state_since_timestamp_seconds')! - START / 1_000
  return { restarts: counts.at(-1), counts, since: at }
}

/** The check of a chain comes with it and runs in the next round, those of the node in each. */
function checksAt(second: number, began: number, { takes = 5, late: lateAt, isWhole }: Play) {
  const late = lateAt?.(second / 60) ?? 0
  const round = began + Math.floor((second - late - began) / ROUND) * ROUND
  const made = (at: number) => ({
    timestamp: new Date(START + (isWhole ? Math.floor(at) : at + late) * 1_000 + (isWhole ? 0 : 1)).toISOString(),
    duration: 1_000_000,
  })
  const hasRun = round >= began + takes
  const ofChain = hasRun ? made(round) : { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z', duration: 0 }
  return { P: ofChain, bootstrapped: ofChain, bls: made(round), router: made(round + 0.002) }
}

/** Long before the first run. */
const first = (to: number): [number, number] => [-86_400.893, to]
const ever = Infinity

test.each<[string, Play, number]>([
  ['other collectors were refused', { lives: [first(63), [81.2, ever]], minutes: 6 }, 1],
  ['it refused until just before the run', { lives: [first(65), [118.4, ever]], minutes: 6 }, 1],
  ['its P-Chain was done at once', { lives: [first(61), [75.6, ever]], takes: 0, minutes: 6 }, 1],
  ['within a minute, asked by no one', { lives: [first(181), [190.35, ever]], othersEvery: 0, minutes: 7 }, 1],
  ['its checks have not run', { lives: [first(71), [109.2, ever]], othersEvery: 0, minutes: 6 }, 1],
  [
    'its machine was gone, and all was well again',
    { lives: [first(250), [480.3, ever]], away: [[250, 600]], minutes: 14 },
    1,
  ],
  ['it was down for five runs', { lives: [first(70), [391.5, ever]], minutes: 12 }, 1],
  [
    'five in half an hour',
    {
      lives: [first(304), [318.1, 722], [744.7, 1_083], [1_090.2, 1_505], [1_533.9, 1_921], [1_940.4, ever]],
      minutes: 38,
    },
    5,
  ],
  ['three in a row, a minute apart', { lives: [first(64), [82.1, 124], [141.3, 184], [202.6, ever]], minutes: 9 }, 3],
  ['stakewatch began again while it was down', { lives: [first(130), [215.2, ever]], fresh: [200], minutes: 9 }, 1],
  ['stakewatch did not run', { lives: [first(400), [460.2, ever]], off: [[301, 899]], fresh: [899], minutes: 20 }, 1],
  ['its checks have whole seconds', { lives: [first(63), [81.2, ever]], isWhole: true, minutes: 6 }, 1],
  ['its health page is closed', { lives: [first(63), [81.2, ever]], health: 'closed', minutes: 6 }, 1],
])('a restart counts: %s', async (_, play, restarts) => {
  const seen = await countRestarts(play)
  expect(seen.restarts).toBe(restarts)
  const [lastStart] = play.lives.at(-1)!
  expect(seen.since).toBeGreaterThan(lastStart)
})

test.each<[string, Play]>([
  ['an outage of the network', { lives: [first(ever)], away: [[70, 400]], minutes: 14 }],
  ['a tunnel that ended', { lives: [first(ever)], cut: [[70, 400]], minutes: 14 }],
  // Its round at 104.1 s is shown at 120 s.
  [
    'a tunnel that ended after a check of whole seconds',
    { lives: [[-85.9, ever]], cut: [[106, 119]], isWhole: true, minutes: 8 },
  ],
  ['a tunnel that ended for a moment', { lives: [first(ever)], cut: [[70, 71]], minutes: 8 }],
  ['a tunnel in the first minute', { lives: [first(ever)], cut: [[30, 31]], minutes: 8 }],
  [
    'a tunnel that ended, and the checks come later',
    {
      lives: [first(ever)],
      cut: [[70, 200]],
      health: (minute) => (minute < 8 && minute > 2 ? 'hangs' : undefined),
      minutes: 12,
    },
  ],
  ['stakewatch began again', { lives: [first(ever)], fresh: [200], off: [[200, 800]], minutes: 20 }],
  ['a start that was under way', { lives: [[-20.3, ever]], takes: 90, minutes: 9 }],
  ['a node that was down at first', { lives: [[100.3, ever]], minutes: 9 }],
  // 0 to 0.9 s late, no two times alike.
  ['a busy node', { lives: [first(ever)], late: (minute) => ((minute * 37) % 10) / 10 + 0.01, minutes: 60 }],
  // Its round in the fourth minute is late, and six runs see it.
  [
    'a busy node that is asked more often than it makes checks',
    { lives: [[-86_400, ever]], late: (minute) => (Math.floor(minute * 2) === 8 ? 0.2 : 0.01), every: 5, minutes: 8 },
  ],
  [
    'a busy node that is late twice',
    { lives: [first(ever)], late: (minute) => ([7, 8].includes(minute) ? 0.4 : 0), minutes: 20 },
  ],
])('no restart: %s', async (_, play) => {
  expect((await countRestarts(play)).counts.filter((count) => count !== 0)).toEqual([])
})

// An answer from before an outage is of the process before it.
test.each<[string, (poller: ReturnType<typeof createPoller>) => Promise<void>, number | undefined]>([
  ['all was well', async () => {}, 30_000],
  ['connections were refused', async (poller) => void poller.refusedAt.set('node-2', START + 1), undefined],
  ['it did not answer', (poller) => poller.poll(() => new BaseError('timeout', 'late')), undefined],
])('the age of accepted health checks when %s', async (_, happen, age) => {
  const poller = createPoller(yaml, nodeState, START)
  const well = (operation: string) =>
    operation === 'info.isBootstrapped' ? { isBootstrapped: true } : { healthy: true, checks: {} }
  await poller.poll(well)
  await happen(poller)
  await poller.poll(well)
  expect(poller.accepted.get('health.health')).toBe(age)
})
