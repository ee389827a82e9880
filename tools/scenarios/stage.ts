// A simulated network and a daemon that watches it over HTTP, both in this process, on a clock that goes on only while nothing is
// asked: days pass as fast as both keep up with, and a busy machine changes nothing.

import { type Daemon, createDaemon, type DaemonOptions } from '../../src/daemon/daemon.ts'
import { parseConfig } from '../../src/commands/config.ts'
import type { Io } from '../../src/commands/io.ts'
import type { Config } from '../../src/config/schema.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/simulator/simulator.ts'
import { createKeeper } from '../../src/storage/keeper.ts'
import type { Keeper } from '../../src/storage/messages.ts'
import { createStorage } from '../../src/storage/storage.ts'
import { createIdle, createSteppedClock, STEP } from '../stepped-time.ts'

export interface StageOptions {
  network: Omit<SimulatorOptions, 'clock'>
  config: (simulator: Simulator, clock: Clock) => Config | Promise<Config>
  /** Folder of what outlives the daemon; default: nothing does. */
  storage?: string
  log?: DaemonOptions['log']
  /** The services have the daemon's time, as real ones do, and grant the units of a minute in a minute. */
  isInTime?: true
  /** The daemon polls only when it is asked to, and serves nothing. */
  isIdle?: true
}

export type Play = Awaited<ReturnType<typeof openStage>>

/**
 * The services grant units for each minute of their clock, and most scenarios ask everything at once: their clock goes so fast that
 * a minute passes with each question, and the network so slowly by it that nothing is left of that.
 */
const FAST = 1e9

const quiet = { info: () => {}, warn: () => {} }

export const read = (text: string): Config => parseConfig(text, 'scenario.yaml', { env: {} } as Io)

export async function openStage(options: StageOptions) {
  const { network, config: configOf, storage: folder, log = quiet, isInTime, isIdle } = options
  const { idle, forget } = createIdle()
  const time = createSteppedClock(network.epoch * 1_000)
  /** Milliseconds that the machine slept, and by which its wall clock is wrong. */
  const clocks = { slept: 0, wrong: 0 }
  let asked = 0
  const now = () => time.clock.now().steady + clocks.slept
  const simulator = await startSimulator({
    ...(isInTime
      ? { clock: () => now() / 1_000 }
      : { clock: () => (now() / 1_000) * FAST + 60 * (asked += 1), speed: 1 / FAST }),
    wait: (milliseconds) => new Promise((resolve) => void time.clock.after(milliseconds, resolve)),
    ...network,
  })
  const config = await configOf(simulator, time.clock)
  let life!: { daemon: Daemon; url: string; kill: () => void; stopDisk: (when: 'before' | 'after') => void }

  async function start() {
    const death = new AbortController()
    /** Where in the next write the disk stops for good. */
    let stop: 'before' | 'after' | undefined
    const keeper = folder === undefined ? undefined : createKeeper(folder)
    const disk: Keeper = {
      write(batch) {
        if (death.signal.aborted || stop === 'before') return new Promise(() => {})
        const answer = keeper!.write(batch)
        return stop === 'after' ? new Promise(() => {}) : answer
      },
      close: () => keeper!.close(),
    }
    const clock: Clock = {
      now() {
        const { wall, steady } = time.clock.now()
        return { wall: wall + clocks.slept + clocks.wrong, steady }
      },
      after: (milliseconds, work) => time.clock.after(milliseconds, () => death.signal.aborted || work()),
      deadline: (milliseconds) => AbortSignal.any([time.clock.deadline(milliseconds), death.signal]),
    }
    const daemon = createDaemon({
      config,
      version: 'scenario',
      log,
      clock,
      random: () => 0,
      ...(folder !== undefined && { storage: createStorage({ folder, keeper: disk, clock, log }) }),
    })
    const where = { addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' }
    const [bound] = isIdle ? [] : await daemon.start(where)
    life = {
      daemon,
      url: `http://127.0.0.1:${bound?.port}`,
      stopDisk: (when) => (stop = when),
      kill() {
        death.abort()
        keeper?.close()
        // What it says from now on reaches neither the disk nor a client.
        void daemon.stop()
        forget()
      },
    }
  }

  async function step(): Promise<void> {
    await idle()
    time.advance(STEP * 1_000)
    await idle()
  }

  await start()
  return {
    simulator,
    now,
    step,
    idle,
    clock: time.clock,
    /** Timers that the daemon has set. */
    waiting: time.waiting,
    /** The body of a page, and its status. */
    async get(path: string, headers: Record<string, string> = {}) {
      const answer = await fetch(`${life.url}${path}`, { headers })
      return { status: answer.status, text: await answer.text() }
    },
    /** What a scrape would get, with the process's own metrics as they are. */
    exposition: async () => (await life.daemon.once(() => false)).text,
    polled: () => life.daemon.once(),
    /** Moves time at once, as where the process stands still. */
    pass: (milliseconds: number) => time.advance(milliseconds),
    sleep: (milliseconds: number) => (clocks.slept += milliseconds),
    setWrong: (milliseconds: number) => (clocks.wrong = milliseconds),
    /** The disk stops before or after it has written the next records: what waits for it goes on waiting. */
    stopDisk: (when: 'before' | 'after') => life.stopDisk(when),
    async kill() {
      life.kill()
      await start()
    },
    async stopDaemon() {
      const stopped = life.daemon.stop()
      time.advance(3_600_000)
      await stopped
    },
    async end() {
      const stopped = life.daemon.stop()
      time.advance(STEP * 1_000)
      await stopped
      await simulator.stop()
    },
  }
}
