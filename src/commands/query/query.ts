// query: calls any read-only operation of the documented APIs.

import type { Command } from 'commander'
import { operations } from '../../operations/index.ts'
import type { Io } from '../io.ts'
import { operationGroup, sections } from './operation-group.ts'
import { answering } from './query-answer.ts'

/** An `action` causes work for others, so it asks for confirmation. */
const offered = operations.filter(({ effect }) => effect !== 'change')

export function query(program: Command, io: Io): void {
  const about = 'ask an upstream one operation of its documents; alone it lists the operations'
  const command = operationGroup(program, 'query', about, listing, io)
  for (const operation of offered) answering(command.command(operation.name), operation, io)
}

function listing(): string {
  return sections(
    Map.groupBy(offered, ({ service, effect }) => (effect === 'read' ? service : `${service}, asks first`)),
  )
}
