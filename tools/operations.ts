// docs/operations.md, from the definitions of the operations.

import { type Parameter, parametersOf } from '../src/commands/query/parameter-flags.ts'
import { type Operation, pathOf } from '../src/operations/define.ts'
import { operations } from '../src/operations/index.ts'

/** A parameter that this many operations share is described once, above them. */
const SHARED = 2

const effects: Readonly<Record<Operation['effect'], string>> = {
  read: '',
  action: ', makes the network work',
  change: ', changes the upstream',
}

export function operationsPage(mark: string): string {
  const all = operations.map((operation) => ({ operation, parameters: parametersOf(operation) }))
  const shared = sharedOf(all.flatMap(({ parameters }) => parameters))
  const isShared = (one: Parameter) => shared.some((other) => described(other) === described(one))
  const sections = all.map(({ operation, parameters }) =>
    [
      `## ${operation.name}`,
      `${requestOf(operation)}${sourceOf(operation)}${costOf(operation)}${effects[operation.effect]}.${sharedText(parameters.filter(isShared))}`,
      listOf(parameters.filter((one) => !isShared(one))),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  )
  return `# Operations

<!-- ${mark} -->

\`stakewatch query OPERATION --param=value\` sends a request, \`stakewatch admin METHOD --param=value\` one that changes a node.
\`--all\` or \`--limit\` follows the pages of a list. No budget limits these requests, and a running daemon does not count them.
A request costs one unit of the budget, or of a list one for each page, unless its section says more. A \\* marks a parameter
that is required. Documents 1 and 2 are those of [upstream.md](upstream.md); an operation without one is beyond them.

## Shared parameters

${listOf(shared)}

${sections.join('\n\n')}
`
}

/** Of several with one name the commonest. */
function sharedOf(all: readonly Parameter[]): Parameter[] {
  const alike = [...Map.groupBy(all, described).values()].filter((same) => same.length >= SHARED)
  const byName = Map.groupBy(alike, ([one]) => one!.name)
  return [...byName.values()].map((some) => some.toSorted((a, b) => b.length - a.length)[0]![0]!)
}

const described = ({ name, accepts, about, preset, isRequired }: Parameter) =>
  JSON.stringify([name, accepts, about, preset, isRequired])

const marked = ({ name, isRequired }: Parameter) => `\`${name}\`${isRequired ? '\\*' : ''}`

function sharedText(parameters: readonly Parameter[]): string {
  return parameters.length === 0 ? '' : ` Shared: ${parameters.map(marked).join(', ')}.`
}

function listOf(parameters: readonly Parameter[]): string {
  const items = parameters.map((one) => {
    const preset = one.preset === undefined ? [] : [`default: ${one.preset}`]
    return `- ${marked(one)}: ${[one.accepts, ...(one.about === '' ? [] : [one.about]), ...preset].join('; ')}`
  })
  return items.join('\n')
}

/** The section of docs/upstream.md, where one of the two documents has the operation. */
const sourceOf = ({ source }: Operation) => (source.startsWith('document') ? `, ${source}` : '')

const costOf = ({ cost }: Operation) => (cost === 1 ? '' : `, ${cost} units`)

function requestOf(operation: Operation): string {
  const verb = 'get' in operation.via ? 'GET' : 'POST'
  return `\`${verb} ${pathOf(operation)}\``
}
