// admin profile: makes a node write a profile. For a CPU profile it starts the profiler, waits, and stops it.

import { type Command, Option } from 'commander'
import { BaseError, type ErrorCode, toBaseError } from '../../errors.ts'
import type { Operation } from '../../operations/define.ts'
import { lockProfile, memoryProfile, startCPUProfiler, stopCPUProfiler } from '../../operations/node/admin.ts'
import { changing, CPU_PROFILE } from './admin-change.ts'
import {
  asking,
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
import type { Io } from '../io.ts'
import { wireOf } from '../query/parameter-flags.ts'
import { progressBar } from '../terminal-text.ts'

interface CpuFlags extends UpstreamFlags, YesFlag {
  /** Milliseconds. */
  for: number
}

/** Milliseconds between updates of the progress bar. */
const STEP = 1_000

export function profile(admin: Command, io: Io): void {
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
  await asking(io, timeoutOf(startCPUProfiler), async (ask) => {
    const send = (operation: Operation, explain: (error: BaseError) => BaseError) =>
      ask(source, operation, wireOf(operation, {})).catch((thrown: unknown) => {
        throw explain(toBaseError(thrown))
      })
    await send(startCPUProfiler, (error) => (unclear.has(error.code) ? mayRun(error) : error))
    const waited = await wait(total, interrupted, io)
    io.progress('')
    await send(stopCPUProfiler, mayRun)
    const what = `stopped the CPU profiler after ${seconds(waited)}; it wrote ${CPU_PROFILE}`
    if (waited < total) throw new BaseError('aborted', `${node}: interrupted, ${what}`)
    io.stdout(`${node}: ${what}\n`)
  })
}

/** Failures after which the node may still have done the work. */
const unclear = new Set<ErrorCode>(['timeout', 'bad_response'])

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
