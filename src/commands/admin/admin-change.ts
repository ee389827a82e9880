// The command for one admin method that changes the node: confirms, calls the node and reports the result.

import type { Command } from 'commander'
import { BaseError } from '../../errors.ts'
import { type Operation, parseAnswer } from '../../operations/define.ts'
import { words } from './admin-words.ts'
import { confirm, type YesFlag, yesFlag } from './confirm.ts'
import type { Io } from '../io.ts'
import { parameterFlags, textsOf, wireOf } from '../query/parameter-flags.ts'
import { printable } from '../../lib/printable.ts'
import { asking, shownAs, timeoutOf, type UpstreamFlags, upstreamFlags, upstreamOf } from '../query/upstream-flags.ts'

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
