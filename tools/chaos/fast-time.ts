// Loaded before the daemon, in each of its threads: its time runs faster than that of the machine, and its wall clock
// can be set. Node's own timers of sockets keep the machine's time.

import { createRequire, syncBuiltinESMExports } from 'node:module'
import { performance } from 'node:perf_hooks'
import type * as TimersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { isMainThread, BroadcastChannel } from 'node:worker_threads'
import { CHANNEL, TIME_VARIABLE, type TimeOrder, type TimeSettings } from './time.ts'

const settings = JSON.parse(process.env[TIME_VARIABLE] ?? 'null') as TimeSettings | null
if (settings) install(settings)

function install({ origin, speed, epoch, offset }: TimeSettings): void {
  const real = { Date, setTimeout, setInterval, bigint: process.hrtime.bigint.bind(process.hrtime) }
  /** Milliseconds since the origin. */
  const steady = () => (Number(real.bigint() - BigInt(origin)) / 1e6) * speed
  let wallOffset = offset
  const wall = () => epoch + steady() + wallOffset

  globalThis.Date = class extends real.Date {
    // Only without arguments does a date ask the clock.
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [wall()] : given) as [number]))
    }
    static override now(): number {
      return Math.floor(wall())
    }
  } as DateConstructor

  const { timeOrigin } = performance
  // The sum with the origin of the thread is the same in all threads.
  performance.now = () => epoch + steady() - timeOrigin
  const hrtime = (before: [number, number] = [0, 0]): [number, number] => {
    const nanos = BigInt(Math.round(steady() * 1e6)) - (BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]))
    return [Number(nanos / 1_000_000_000n), Number(nanos % 1_000_000_000n)]
  }
  process.hrtime = Object.assign(hrtime, { bigint: () => BigInt(Math.round(steady() * 1e6)) })

  const fast = (milliseconds: unknown) => (Number(milliseconds) || 0) / speed
  const later = (work: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) =>
    real.setTimeout(work, fast(milliseconds), ...given)
  const require = createRequire(import.meta.url)
  const promises = require('node:timers/promises') as typeof TimersPromises
  const wait = promises.setTimeout
  promises.setTimeout = (milliseconds, value, options) => wait(fast(milliseconds), value, options)
  Object.assign(later, { [promisify.custom]: promises.setTimeout })
  globalThis.setTimeout = later as unknown as typeof setTimeout
  globalThis.setInterval = ((work: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) =>
    real.setInterval(work, fast(milliseconds), ...given)) as typeof setInterval
  const timers = require('node:timers') as Record<string, unknown>
  Object.assign(timers, { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval })
  const signal = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (milliseconds) => signal(Math.ceil(fast(milliseconds)))
  syncBuiltinESMExports()

  const channel = new BroadcastChannel(CHANNEL)
  const obey = (order: TimeOrder) => {
    wallOffset = order.offset
  }
  channel.addEventListener('message', (event) => obey((event as MessageEvent).data as TimeOrder))
  channel.unref()
  if (!isMainThread || !process.channel) return
  process.on('message', (order: TimeOrder) => {
    obey(order)
    channel.postMessage(order)
    process.send!(order)
  })
  process.channel.unref()
  // Its parent is gone, and no other process would end it.
  process.on('disconnect', () => process.exit())
}
