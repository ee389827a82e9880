// The daemon's drill: one at a time, which ends by itself.

import { expect, test } from 'vitest'
import { createDrills } from '../../src/daemon/drills.ts'
import { createLogger } from '../../src/logger.ts'
import { createSteppedClock } from '../../tools/stepped-time.ts'

const NOON = Date.UTC(2026, 10, 24, 12)

function drills() {
  const time = createSteppedClock(NOON)
  const lines: string[] = []
  const shown: string[] = []
  const log = createLogger({ level: 'info', format: 'logfmt', write: (line) => lines.push(line) })
  const one = createDrills({ clock: time.clock, log, show: async () => void shown.push(text()) })
  const text = () =>
    one
      .families(time.clock.now())
      .map(({ lines: bytes }) => Buffer.concat(bytes).toString())
      .join('')
  return { ...one, time, text, shown, said: () => lines.map((line) => /msg="([^"]*)"/.exec(line)?.[1]) }
}

const critical = { labels: { network: 'fuji', severity: 'critical' }, lasts: 60_000 } as const
const SERIES = 'stakewatch_drill{network="fuji",severity="critical",began="2026-11-24T12:00:00.000Z"} 1\n'

test('is served at once, and until its time is over', async () => {
  const { begin, text, time, shown, said } = drills()
  expect(await begin(critical)).toEqual({ isNew: true, began: '2026-11-24T12:00:00.000Z', seconds: 60 })
  expect(shown).toEqual([SERIES])
  time.advance(59_999)
  expect(text()).toBe(SERIES)
  time.advance(1)
  expect(text()).toBe('')
  expect(said()).toEqual(['a drill has begun', 'the drill has ended by itself'])
})

test('a second one changes nothing while the first goes on, and has a name of its own afterwards', async () => {
  const { begin, text, time } = drills()
  await begin(critical)
  time.advance(20_000)
  const second = { labels: { severity: 'info' }, lasts: 1_000 } as const
  expect(await begin(second)).toEqual({ isNew: false, began: '2026-11-24T12:00:00.000Z', seconds: 40 })
  expect(text()).toBe(SERIES)
  time.advance(40_000)
  expect(await begin(second)).toEqual({ isNew: true, began: '2026-11-24T12:01:00.000Z', seconds: 1 })
  expect(text()).toBe('stakewatch_drill{severity="info",began="2026-11-24T12:01:00.000Z"} 1\n')
})

test('is gone at once when it is ended; to end none says nothing', async () => {
  const { begin, end, shown, said } = drills()
  await begin(critical)
  await end()
  await end()
  expect(shown).toEqual([SERIES, '', ''])
  expect(said()).toEqual(['a drill has begun', 'the drill was ended'])
})
