// admin: the methods of a node's admin interface. Those that change the node ask first. `admin profile` makes it write a profile. To
// profile the CPU it starts the profiler, waits, and stops it.

import { type Command, Option } from 'commander'
import { operations } from '../../operations/index.ts'
import type { Io } from '../io.ts'
import { answering, operationGroup, sections } from '../query/query.ts'
import { BaseError, type ErrorCode, toBaseError } from '../../errors.ts'
import { type AnswerOf, type Operation, parseAnswer } from '../../operations/define.ts'
import {
  type loadVMs,
  lockProfile,
  memoryProfile,
  startCPUProfiler,
  stopCPUProfiler,
} from '../../operations/node/admin.ts'
import {
  askingByName,
  confirm,
  flagsTo,
  shownAs,
  timeoutOf,
  type UpstreamFlags,
  upstreamFlags,
  upstreamOf,
  type YesFlag,
  yesFlag,
} from '../query/upstream-flags.ts'
import { exitCodes } from '../failure.ts'
import { durationOf } from '../flag-values.ts'
import { parameterFlags, type Texts, textsOf, wireOf } from '../query/parameter-flags.ts'
import { progressBar } from '../terminal-text.ts'
import { printable } from '../../lib/printable.ts'

const PREFIX = 'admin.'
/** Methods without the prefix of the documentation, which repeats the name of the command. */
const methods = operations.filter(({ name }) => name.startsWith(PREFIX))

export function admin(program: Command, io: Io): void {
  const about = "run a method of a node's admin interface; alone it lists the methods"
  const command = operationGroup(program, 'admin', about, listing, io)
  for (const method of methods) {
    const own = command.command(shortened(method)).alias(method.name)
    if (method.effect === 'read') answering(own, method, io)
    else changing(own, method, io)
  }
  profile(command, io)
}

function shortened({ name }: { name: string }): string {
  return name.slice(PREFIX.length)
}

function listing(): string {
  const named = methods.map((method) => ({ name: shortened(method), source: method.source, effect: method.effect }))
  const profiles = ['cpu', 'memory', 'lock'].map((kind) => ({
    name: `profile ${kind}`,
    source: 'document 2, Profiler',
  }))
  return sections(
    new Map([
      ['reads', named.filter(({ effect }) => effect === 'read')],
      ['changes the node, asks first', named.filter(({ effect }) => effect !== 'read')],
      ['writes a profile on the node, asks first', profiles],
    ]),
  )
}

interface CpuFlags extends UpstreamFlags, YesFlag {
  /** Milliseconds. */
  for: number
}

/** Milliseconds between updates of the progress bar. */
const STEP = 1_000

function profile(admin: Command, io: Io): void {
  const command = admin.command('profile').description('make the node write a profile: cpu, memory or lock')
  const cpu = command
    .command('cpu')
    .description('start the CPU profiler, wait, stop it; changes the node, asks first')
    .addOption(
      new Option('--for <time>', 'how long')
        .argParser(durationOf('Expected a time such as 30s or 5m.'))
        .default(30_000, '30s'),
    )
    .addHelpText('after', `\nInterrupted, it stops the profiler at once and ends with exit code ${exitCodes.aborted}.`)
  yesFlag(upstreamFlags(cpu)).action((flags: CpuFlags) => profileCpu(flags, io))
  changing(command.command('memory'), memoryProfile, io)
  changing(command.command('lock'), lockProfile, io)
}

async function profileCpu({ for: total, ...flags }: CpuFlags, io: Io): Promise<void> {
  const { source } = upstreamOf('node', flags, io)
  const node = shownAs(source)
  await confirm(`${node}: profile its CPU for ${seconds(total)}`, flags, io)
  // From here on, a signal stops the profile instead of the process.
  const interrupted = io.stopped.then(() => true)
  const advice = `stop it with: stakewatch admin stopCPUProfiler ${flagsTo(source, flags)}`
  const mayRun = (error: BaseError) => {
    const message = `${node}: the CPU profiler may still run; ${advice}\n${error.message}`
    return new BaseError(error.code, message, { details: error.details })
  }
  await askingByName(io, timeoutOf(startCPUProfiler), async (ask) => {
    let wasSent = false
    const send = (operation: Operation, explain: (error: BaseError) => BaseError) =>
      ask(source, operation, wireOf(operation, {}), (_, left) => (wasSent = left)).catch((thrown: unknown) => {
        throw explain(toBaseError(thrown))
      })
    await send(startCPUProfiler, (error) => (wasSent && isUnclear(error) ? mayRun(error) : error))
    const waited = await wait(total, interrupted, io)
    io.progress('')
    await send(stopCPUProfiler, mayRun)
    const what = `stopped the CPU profiler after ${seconds(waited)}; it wrote ${CPU_PROFILE}`
    if (waited < total) throw new BaseError('aborted', `${node}: interrupted, ${what}`)
    io.stdout(`${node}: ${what}\n`)
  })
}

/** Failures after which the node may have done the work, if the request left this machine. */
const unclear = new Set<ErrorCode>(['timeout', 'network', 'bad_response', 'too_large'])
/** Statuses of a proxy that has passed the request on, and got no answer. */
const OF_GATEWAY = /^HTTP 50[234]\b/

const isUnclear = ({ code, message }: BaseError) =>
  unclear.has(code) || (code === 'http_status' && OF_GATEWAY.test(message))

/** Returns the milliseconds that it waited: fewer than `total` if the process was stopped. */
async function wait(total: number, interrupted: Promise<boolean>, io: Io): Promise<number> {
  for (let waited = 0; waited < total;) {
    io.progress(progressBar(waited, total, `${seconds(waited)} of ${seconds(total)}`))
    const step = Math.min(STEP, total - waited)
    if (await Promise.race([interrupted, io.sleep(step).then(() => false)])) return waited
    waited += step
  }
  return total
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1_000} s`
}

/** One method that changes the node: confirms, calls the node and reports the result. */
function changing(command: Command, operation: Operation, io: Io): void {
  command.description(`${operation.source}; changes the node, asks first`)
  yesFlag(upstreamFlags(parameterFlags(command, operation))).action((_: string[], flags: UpstreamFlags & YesFlag) =>
    change(operation, flags, io),
  )
}

async function change(operation: Operation, flags: UpstreamFlags & YesFlag, io: Io): Promise<void> {
  const { source } = upstreamOf(operation.service, flags, io)
  const given = textsOf(operation, flags)
  const wire = wireOf(operation, given)
  const { todo, done } = words[operation.name]!
  const node = shownAs(source)
  await confirm(`${node}: ${todo(given)}`, flags, io)
  await askingByName(io, timeoutOf(operation), async (ask) => {
    const { raw } = await ask(source, operation, wire)
    io.stdout(`${node}: ${printable(done(given, answerOf(operation, raw)))}\n`)
  })
}

function answerOf(operation: Operation, raw: unknown): unknown {
  try {
    return parseAnswer(operation, raw).value
  } catch {
    throw new BaseError('bad_response', 'the node has done it, but its answer does not have the documented form')
  }
}

interface Words {
  /** A question mark follows. */
  todo: (given: Texts) => string
  done: (given: Texts, answer: unknown) => string
}

/** A node answers `{}` for any endpoint, so the answer does not show whether the alias works. */
const ALIAS_ADVICE =
  'it accepts any text, but the alias works only for a base route such as bc/C, bc/<blockchain id> or index/P: for any other it answers 404'

const CPU_PROFILE = 'cpu.profile in its profile directory'

/** By method, for every method that changes the node. */
export const words: Readonly<Record<string, Words>> = {
  'admin.alias': {
    todo: ({ endpoint, alias }) => `make /ext/${endpoint} answer at /ext/${alias} as well`,
    done: ({ endpoint, alias }) => `accepted ${alias} as an alias of ${endpoint}; ${ALIAS_ADVICE}`,
  },
  'admin.aliasChain': {
    todo: ({ chain, alias }) => `give blockchain ${chain} the alias ${alias}`,
    done: ({ chain, alias }) => `blockchain ${chain} now has the alias ${alias}`,
  },
  'admin.loadVMs': {
    todo: () => 'load the virtual machines that were installed since it started, which may take 8 s',
    done: (_, answer) => loaded(answer as AnswerOf<typeof loadVMs>),
  },
  'admin.lockProfile': {
    todo: () => 'write a profile of its locks',
    done: () => 'wrote a profile of its locks to lock.profile in its profile directory',
  },
  'admin.memoryProfile': {
    todo: () => 'write a profile of its memory',
    done: () => 'wrote a profile of its memory to mem.profile in its profile directory',
  },
  'admin.setLoggerLevel': {
    todo: ({ loggerName, ...levels }) =>
      loggerName === undefined
        ? `make all loggers write ${written(levels, 'their files')}`
        : `make logger ${loggerName} write ${written(levels, 'its file')}`,
    done: ({ loggerName, ...levels }) =>
      loggerName === undefined
        ? `all loggers now write ${written(levels, 'their files')}`
        : `logger ${loggerName} now writes ${written(levels, 'its file')}`,
  },
  'admin.startCPUProfiler': {
    todo: () => 'start the CPU profiler, which runs until stopCPUProfiler',
    done: () => 'the CPU profiler runs until stopCPUProfiler',
  },
  'admin.stopCPUProfiler': {
    todo: () => 'stop the CPU profiler and write what it found',
    done: () => `stopped the CPU profiler and wrote ${CPU_PROFILE}`,
  },
}

function written({ logLevel, displayLevel }: Texts, file: string): string {
  const parts = [
    ...(logLevel === undefined ? [] : [`${logLevel} to ${file}`]),
    ...(displayLevel === undefined ? [] : [`${displayLevel} to the console`]),
  ]
  return parts.join(' and ')
}

function loaded({ newVMs, failedVMs = {} }: AnswerOf<typeof loadVMs>): string {
  const fresh = Object.entries(newVMs).map(([id, aliases]) =>
    [id, ...(aliases.length > 0 ? [`(${aliases.join(', ')})`] : [])].join(' '),
  )
  const failed = Object.entries(failedVMs).map(([id, why]) => `${id} failed to load: ${why}`)
  const advice = failed.length === 0 ? [] : ['the node reports a failure only once']
  return [
    fresh.length === 0 ? 'no new virtual machines' : `new virtual machines: ${fresh.join(', ')}`,
    ...failed,
    ...advice,
  ].join('; ')
}
