// The command for one admin method that changes the node: confirms, calls the node and reports the result.

import type { Command } from 'commander'
import { BaseError } from '../../errors.ts'
import { type AnswerOf, type Operation, parseAnswer } from '../../operations/define.ts'
import {
  asking,
  confirm,
  shownAs,
  timeoutOf,
  type UpstreamFlags,
  upstreamFlags,
  upstreamOf,
  type YesFlag,
  yesFlag,
} from '../query/upstream-flags.ts'
import type { Io } from '../io.ts'
import { parameterFlags, type Texts, textsOf, wireOf } from '../query/parameter-flags.ts'
import { printable } from '../../lib/printable.ts'
import type { loadVMs } from '../../operations/node/admin.ts'

export function changing(command: Command, operation: Operation, io: Io): void {
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
  await asking(io, timeoutOf(operation), async (ask) => {
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

export const CPU_PROFILE = 'cpu.profile in its profile directory'

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
