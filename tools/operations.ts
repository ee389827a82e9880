// The reference of operations, made of their definitions.

import { z } from 'zod'
import { operations } from '../src/operations/index.ts'
import { type Operation, pathOf } from '../src/operations/define.ts'

export function operationsPage(): string {
  const sections = operations.map((operation) => {
    const { name, source, effect, cost, params } = operation
    const rows = Object.entries(params.shape).map(
      ([param, type]) =>
        `| \`${param}\` | ${z.safeParse(type, undefined).success ? '' : 'yes'} | ${descriptionOf(type)} |`,
    )
    const table =
      rows.length === 0
        ? 'No parameters.'
        : ['| parameter | required | description |', '|---|---|---|', ...rows].join('\n')
    return `## ${name}\n\n${source}. \`${requestOf(operation)}\`, ${effect === 'read' ? 'reads' : 'changes the upstream'}, ${cost} ${cost === 1 ? 'unit' : 'units'} a page.\n\n${table}`
  })
  return sections.join('\n\n')
}

function requestOf(operation: Operation): string {
  const verb = 'get' in operation.via ? 'GET' : 'POST'
  return `${verb} ${pathOf(operation)}`
}

function descriptionOf(type: z.core.$ZodType): string {
  return z.globalRegistry.get(type)?.description ?? ''
}
