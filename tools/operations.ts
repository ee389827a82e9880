// docs/operations.md, from the definitions of the operations.

import { parametersOf } from '../src/commands/query/documented-parameters.ts'
import { type Operation, pathOf } from '../src/operations/define.ts'
import { operations } from '../src/operations/index.ts'

const effects: Readonly<Record<Operation['effect'], string>> = {
  read: 'reads',
  action: 'makes the network work',
  change: 'changes the upstream',
}

export function operationsPage(): string {
  const sections = operations.map((operation) => {
    const { name, source, effect, cost } = operation
    const units = `${cost} ${cost === 1 ? 'unit' : 'units'} a page`
    return `## ${name}\n\n${source}. \`${requestOf(operation)}\`, ${effects[effect]}, ${units}.\n\n${tableOf(operation)}`
  })
  return sections.join('\n\n')
}

function tableOf(operation: Operation): string {
  const rows = parametersOf(operation).map(
    ({ name, isRequired, accepts, preset, about }) =>
      `| \`${name}\` | ${isRequired ? 'yes' : ''} | ${accepts} | ${preset ?? ''} | ${about} |`,
  )
  const head = ['| parameter | required | accepts | default | description |', '|---|---|---|---|---|']
  return rows.length === 0 ? 'No parameters.' : [...head, ...rows].join('\n')
}

function requestOf(operation: Operation): string {
  const verb = 'get' in operation.via ? 'GET' : 'POST'
  return `${verb} ${pathOf(operation)}`
}
