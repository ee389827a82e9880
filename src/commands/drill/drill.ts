// drill: sends a test page through the whole chain, and follows it from link to link.

import { type Command, InvalidArgumentError } from 'commander'
import { BaseError, toBaseError } from '../../errors.ts'
import { severities } from '../../server/drill.ts'
import { orNothing } from '../failure.ts'
import {
  type DaemonFlags,
  daemonFlags,
  daemonOf,
  foundAt,
  headerFlag,
  neededServer,
  type ServerFlags,
  serverFlags,
  serverOf,
  shownOf,
  type Target,
  withHttp,
} from '../http-target.ts'
import type { Io } from '../io.ts'
import { alertmanagerAt, baseOf } from '../monitoring/alertmanager.ts'
import { type Prometheus, prometheusAt } from '../monitoring/prometheus.ts'
import { type Before, begin, type Broken, type Chain, end, isAbsence, look } from './chain.ts'
import { type Step, stepsAfter, stepsOf } from './steps.ts'
import { formatDuration } from '../../lib/duration.ts'
import { printable } from '../../lib/printable.ts'

interface DrillFlags extends DaemonFlags, ServerFlags {
  severity: string
  label?: readonly string[]
  for: string
  json?: true
}

const EXAMPLE = `
Example:
  stakewatch drill --prometheus=http://localhost:9090 --label=network=mainnet

The daemon needs --web.enable-lifecycle. Exit codes: 0 the chain is whole, 10 a program does not answer, 11 a link is broken.`

export function drill(program: Command, io: Io): void {
  const command = program
    .command('drill')
    .description('send a test page through the daemon, Prometheus and Alertmanager, and say where it gets stuck')
  command
    .addOption(
      command.createOption('--severity <severity>', 'severity of the page').choices(severities).default('critical'),
    )
    .option('--label <name=value>', 'label of the page, repeatable', labelOf)
    .option('--for <time>', 'when the daemon ends the drill by itself', '5m')
  serverFlags(command, 'prometheus', 'Prometheus')
  serverFlags(command, 'alertmanager', 'Alertmanager, instead of those that Prometheus sends to')
  daemonFlags(headerFlag(command), 'the certificates of these servers')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLE)
    .action((flags: DrillFlags) =>
      withHttp(flags, io, async (http) => {
        const daemon = daemonOf(flags, io)
        const target = neededServer(flags, 'prometheus', ': a drill follows the page from link to link', io)
        const prometheus = prometheusAt(http, target)
        const prepare = async () => {
          const targets = await managersOf(prometheus, target, flags, io)
          const managers = targets.map((one) => alertmanagerAt(http, one))
          return { http, daemon, prometheus, managers }
        }
        await run(prepare, flags, io)
      }),
    )
}

async function managersOf(
  prometheus: Prometheus,
  asked: Target,
  flags: DrillFlags,
  io: Io,
): Promise<readonly Target[]> {
  const given = serverOf(flags, 'alertmanager', io)
  if (given) return [given]
  const urls = await orNothing(prometheus.alertmanagers(), 'unsupported')
  if (urls) return urls.map((url) => foundAt(baseOf(url), 'alertmanager'))
  throw new BaseError(
    'config',
    `${shownOf(asked)} does not say where it sends alerts: give --alertmanager=<url>, or the path prefix that --prometheus lacks`,
  )
}

async function run(prepare: () => Promise<Chain>, flags: DrillFlags, io: Io): Promise<void> {
  const follower = createFollower(io, flags.json !== true)
  const learn = async () => {
    const chain = await prepare()
    return { chain, before: await look(chain) }
  }
  const known = await follower.ask('scraped', () => Promise.race([follower.stopped, learn()]))
  if (known) await send(known.chain, known.before, { flags, follower, io })
  const sentAt = follower.seen.find(({ step }) => step === 'notified')?.seconds
  if (follower.isWhole()) {
    follower.print(
      `The chain is whole: the page was sent after ${sentAt?.toFixed(1)} s. See whether it has arrived, too.\n`,
    )
  }
  if (flags.json) io.stdout(jsonOf(follower.seen))
  io.setExitCode(exitCodeOf(follower.seen))
}

interface Sending {
  flags: DrillFlags
  follower: ReturnType<typeof createFollower>
  io: Io
}

async function send(chain: Chain, before: Before, { flags, follower, io }: Sending): Promise<void> {
  const { severity, label = [], for: time } = flags
  const query = new URLSearchParams([['severity', severity], ['for', time], ...label.map(pairOf)])
  const begun = await follower.ask('exposed', () => begin(chain, query))
  if (!begun) return
  follower.print(`DRILL with ${[`severity=${severity}`, ...label].join(', ')}\n`)
  try {
    await follower.follow(stepsOf(chain, before, begun), begun.endsAt)
  } finally {
    // Another failure counts more, and the drill ends by itself.
    await end(chain, begun).catch((error: unknown) =>
      io.stderr(`the drill ends by itself: ${toBaseError(error).message}\n`),
    )
  }
  await follower.follow(stepsAfter(chain, before, begun), Infinity)
}

function labelOf(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^\w+=./.test(text)) throw new InvalidArgumentError('Expected a label with its value, such as network=mainnet.')
  const [name] = pairOf(text)
  if (name === 'severity' || name === 'for')
    throw new InvalidArgumentError(`${name} is no label: give it as --${name}.`)
  if (before.some((one) => pairOf(one)[0] === name)) throw new InvalidArgumentError(`The label ${name} is given twice.`)
  return [...before, text]
}

function pairOf(label: string): [string, string] {
  const at = label.indexOf('=')
  return [label.slice(0, at), label.slice(at + 1)]
}

/** How a step ended, in the words of doctor. */
interface Seen {
  step: string
  level: 'ok' | 'unknown' | 'failed'
  /** Since the drill began. */
  seconds: number
  found: string
  fix?: string
}

type Result = Pick<Seen, 'level' | 'found' | 'fix'>

const unanswered = ({ message }: BaseError): Result => ({
  level: 'unknown',
  found: message,
  fix: 'make it answer, and begin another drill',
})

/** How often each link is looked at (milliseconds). */
const PAUSE = 250

function createFollower(io: Io, isText: boolean) {
  const began = performance.now()
  const seen: Seen[] = []
  const stopped = io.stopped.then(() => Promise.reject(new BaseError('aborted', 'stopped: the drill has ended')))
  // It may be that nothing waits for it any more.
  stopped.catch(() => {})
  const isWhole = () => seen.every(({ level }) => level === 'ok')
  const print = (text: string) => (isText ? io.stdout(text) : undefined)
  const add = (step: string, result: Result) => {
    const one = { step, seconds: Math.round((performance.now() - began) / 100) / 10, ...result }
    seen.push(one)
    print(lineOf(one))
  }
  return {
    seen: seen as readonly Seen[],
    stopped,
    isWhole,
    print,
    /** Up to the first step that fails, and not at all after one. Throws a BaseError when the process is stopped. */
    async follow(steps: readonly Step[], endsAt: number) {
      for (const step of steps) {
        if (!isWhole()) return
        const result = await resultOf(step, endsAt, io, stopped)
        add(step.name, result)
      }
    },
    /** What the step needs first; undefined if the program that has it does not answer, with which the drill ends. */
    async ask<T>(step: string, work: () => Promise<T>): Promise<T | undefined> {
      try {
        return await work()
      } catch (error) {
        if (!isAbsence(error)) throw error
        add(step, unanswered(error))
        return undefined
      }
    },
  }
}

async function resultOf(step: Step, endsAt: number, io: Io, stopped: Promise<never>): Promise<Result> {
  try {
    const result = await waitFor(step, endsAt, io, stopped)
    return typeof result === 'string' ? { level: 'ok', found: result } : { level: 'failed', ...result }
  } catch (error) {
    if (!(error instanceof BaseError) || error.code === 'aborted') throw error
    return unanswered(error)
  } finally {
    io.progress('')
  }
}

async function waitFor(
  { name, within, look, late }: Step,
  endsAt: number,
  io: Io,
  stopped: Promise<never>,
): Promise<string | Broken> {
  const end = performance.now() + within()
  for (;;) {
    const seen = await Promise.race([stopped, look()])
    if (seen !== undefined) return seen
    const now = performance.now()
    if (now > endsAt) return { found: 'the drill has ended by itself before that', fix: 'give a longer time as --for' }
    if (now > end) return late()
    io.progress(`waiting until it is ${name}, for ${formatDuration(Math.ceil((end - now) / 1_000) * 1_000)} at most`)
    await io.sleep(PAUSE)
  }
}

function lineOf({ step, level, seconds, found, fix }: Seen): string {
  const line = `${seconds.toFixed(1).padStart(6)} s  ${level === 'ok' ? '' : 'NOT '}${step}`
  const rest = fix === undefined ? '' : `${' '.repeat(24)}fix: ${printable(fix)}\n`
  return `${line.padEnd(24)}${printable(found)}\n${rest}`
}

/** As doctor has them. */
const exitCodes = { ok: 0, unknown: 10, failed: 11 }

const worstOf = (seen: readonly Seen[]) => seen.find(({ level }) => level !== 'ok')?.level ?? 'ok'
const exitCodeOf = (seen: readonly Seen[]) => exitCodes[worstOf(seen)]
const jsonOf = (seen: readonly Seen[]) => `${JSON.stringify({ worst: worstOf(seen), steps: seen }, undefined, 2)}\n`
