// query: calls any read-only operation of the documented APIs, page by page, and prints each page: the raw body, its items line by
// line, or a table. Other commands have operations as subcommands, too.

import { type Command, Option } from 'commander'
import { operations } from '../../operations/index.ts'
import type { Io } from '../io.ts'
import { meantOr } from '../../lib/suggestion.ts'
import { isRawJson, rawJson } from '../../lib/raw-json.ts'
import { listIn, type Operation } from '../../operations/define.ts'
import { aligned, counted, progressBar } from '../terminal-text.ts'
import { printable } from '../../lib/printable.ts'
import type { AskBody } from '../../upstream/transports.ts'
import { pages } from '../../upstream/page-tokens.ts'
import {
  askingByName,
  confirm,
  shownAs,
  timeoutOf,
  type UpstreamFlags,
  upstreamFlags,
  upstreamOf,
  type YesFlag,
  yesFlag,
} from './upstream-flags.ts'
import { numberOf } from '../flag-values.ts'
import { parameterFlags, textsOf, wireOf } from './parameter-flags.ts'

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

/** Shown after the help of the group and of each operation. */
const ACCOUNT =
  '\nNo budget bounds these requests, and a running daemon does not count them in the budget that it keeps.'

/** A command with operations as subcommands; without one, it lists them. */
export function operationGroup(program: Command, name: string, about: string, listing: () => string, io: Io): Command {
  const group = program
    .command(name)
    .description(about)
    .usage('[operation] [options]')
    .addHelpText('afterAll', ACCOUNT)
    // Accepts any flags of an unknown operation, so that the error is about the operation.
    .argument('[words...]')
    .allowUnknownOption()
    .action(async ([word, ...rest]: string[]) => {
      if (word === undefined) return io.stdout(listing())
      const meant = group.commands.find((command) => namesOf(command).some((name) => isAlike(name, word)))
      if (meant === undefined) return refuse(group, word)
      await meant.parseAsync(rest, { from: 'user' })
    })
  return group
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()]
}

/** Names of operations are case-insensitive. */
function isAlike(name: string, word: string): boolean {
  return name.toLowerCase() === word.toLowerCase()
}

function refuse(group: Command, word: string): void {
  const advice = meantOr(`stakewatch ${group.name()} lists what there is`, word, group.commands.flatMap(namesOf))
  group.error(`error: unknown operation '${word}'; ${advice}`)
}

/** One section per heading, an operation with its source per line. */
export function sections(of: ReadonlyMap<string, readonly { name: string; source: string }[]>): string {
  const lines = [...of].flatMap(([heading, own]) => [
    heading,
    ...own.map(({ name, source }) => `  ${name.padEnd(40)} ${source}`),
  ])
  return `${lines.join('\n')}\n`
}

const outputs = ['json', 'ndjson', 'table'] as const
type Output = (typeof outputs)[number]

/** Keeps numbers as text, because a double would round those beyond 2^53. */
function parseKeepingNumbers(text: string): unknown {
  const keep = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined ? rawJson(source) : value
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown)
}

/** The items of the operation's list, or the whole answer as one item. */
function itemsOf(operation: Operation, text: string): readonly unknown[] {
  const body = parseKeepingNumbers(text)
  const answer = 'rpc' in operation.via ? (body as { result?: unknown }).result : body
  return operation.items === undefined ? [answer] : (listIn(operation, answer) ?? [])
}

function lines(items: readonly unknown[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join('')
}

/** One row per item, a column for each field that is no list or object. */
function table(items: readonly unknown[]): string {
  const rows = items.map(cells)
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0) return ''
  return `${aligned([columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]).join('\n')}\n`
}

/** An answer without fields, such as the number of a block, is one cell. */
function cells(item: unknown): Record<string, string> {
  const isPlain = typeof item !== 'object' || isRawJson(item)
  const all: object = isPlain ? { value: item } : Object(item)
  const fields = Object.entries(all).flatMap(([name, value]: [string, unknown]) => {
    if (isRawJson(value)) return [[name, value.rawJSON]]
    if (typeof value === 'string') return [[name, printable(value)]]
    return typeof value === 'boolean' ? [[name, String(value)]] : []
  })
  return Object.fromEntries(fields) as Record<string, string>
}

interface AnswerFlags extends UpstreamFlags, YesFlag {
  all?: true
  limit?: number
  output: Output
}

export function answering(command: Command, operation: Operation, io: Io): void {
  const { source, service, effect, params, items } = operation
  command
    .summary(`from the ${service === 'node' ? 'node' : `${service} service`}`)
    .description(`${source}; ${service} service`)
  upstreamFlags(parameterFlags(command, operation))
  if ('pageToken' in params.shape) command.option('--all', 'follow the pages to the end')
  if (items !== undefined) {
    const positive = numberOf(/^[1-9]\d{0,8}$/, 'Expected a whole number from 1 on.')
    command.option('--limit <items>', 'follow the pages until there are this many items', positive)
  }
  command.addOption(new Option('--output <form>', 'form of the output').choices(outputs).default('json'))
  if (effect === 'action') yesFlag(command)
  command.action((_: string[], flags: AnswerFlags) => answer(operation, flags, io))
}

async function answer(operation: Operation, flags: AnswerFlags, io: Io): Promise<void> {
  const { source, network } = upstreamOf(operation.service, flags, io)
  const given = textsOf(operation, flags)
  const texts = 'network' in given ? { ...given, network: given['network'] ?? network } : given
  // Rejects wrong parameters before it sends anything.
  wireOf(operation, texts)
  if (operation.effect === 'action') {
    await confirm(`${shownAs(source)}: make validators of the network work for ${operation.name}`, flags, io)
  }
  await askingByName(io, timeoutOf(operation), async (ask) => {
    const askPage: AskPage = (pageToken = texts['pageToken']) =>
      ask(source, operation, wireOf(operation, { ...texts, pageToken }))
    await print(operation, askPage, flags, io)
  })
}

type AskPage = (pageToken: string | undefined) => ReturnType<AskBody>

async function print(operation: Operation, askPage: AskPage, flags: AnswerFlags, io: Io): Promise<void> {
  const { all = false, limit = all ? Infinity : 0, output } = flags
  // The columns of a table depend on all items.
  const rows: unknown[] = []
  const read = { items: 0, pages: 0 }
  const list = pages(async (pageToken) => {
    if (read.pages > 0) {
      if (output === 'json') io.stdout('\n')
      io.progress(progressOf(read, limit))
    }
    const { text, raw } = await askPage(pageToken)
    return { text, value: raw }
  }, Infinity)
  for await (const { text } of list) {
    const items = itemsOf(operation, text).slice(0, limit > 0 ? limit - read.items : undefined)
    read.items += items.length
    read.pages += 1
    // Progress and output may share a terminal.
    io.progress('')
    if (output === 'table') rows.push(...items)
    else io.stdout(output === 'ndjson' ? lines(items) : text)
    // A page costs requests of the plan.
    if (read.items >= limit || io.isOutputLost()) break
  }
  if (output === 'table') io.stdout(table(rows))
}

function progressOf({ items, pages }: { items: number; pages: number }, limit: number): string {
  return limit === Infinity
    ? `${counted(items, 'item')}, ${counted(pages, 'page')}`
    : progressBar(items, limit, `${items} of ${counted(limit, 'item')}`)
}
