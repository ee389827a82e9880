// admin: the methods of a node's admin interface. Those that change the node ask first.

import type { Command } from 'commander'
import { operations } from '../../operations/index.ts'
import { changing } from './admin-change.ts'
import { profile } from './admin-profile.ts'
import type { Io } from '../io.ts'
import { operationGroup, sections } from '../query/query.ts'
import { answering } from '../query/query-answer.ts'

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
