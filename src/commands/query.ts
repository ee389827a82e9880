// query: any reading operation of the documents, from the command line. Its flags and help are the operation's definition.

import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { BaseError } from '../errors.ts'
import { secretUrl } from '../lib/secret.ts'
import { fromText, type Operation, toWire } from '../operations/define.ts'
import { operations } from '../operations/index.ts'
import { upstreams } from '../scheduler/plan.ts'
import { createAskBody } from '../upstream/client.ts'
import { createHttp } from '../upstream/http.ts'
import type { Source } from '../upstream/source.ts'
import { readConfig } from './config.ts'
import type { Io } from './io.ts'
import { itemsOf, lines, table } from './query-output.ts'

interface QueryFlags {
  url?: string
  'config.file'?: string
  'config.network'?: string
  'config.source'?: string
  all?: true
  limit?: number
  output: 'json' | 'ndjson' | 'table'
}

const TIMEOUT = 30_000
const reading = operations.filter(({ effect }) => effect === 'read')

export function query(program: Command, io: Io): void {
  const command = program
    .command('query')
    .description('ask an upstream one operation of its documents; alone it lists the operations')
    .action(() => io.stdout(listing()))
  for (const operation of reading) add(command, operation, io)
}

function listing(): string {
  const services = Map.groupBy(reading, ({ service }) => service)
  const lines = [...services].flatMap(([service, own]) => [
    service,
    ...own.map(({ name, source }) => `  ${name.padEnd(40)} ${source}`),
  ])
  return `${lines.join('\n')}\n`
}

function add(command: Command, operation: Operation, io: Io): void {
  const one = command.command(operation.name).description(`${operation.source}; ${operation.service} service`)
  for (const [name, type] of Object.entries(operation.params.shape)) {
    one.addOption(new Option(`--${name} <${kindOf(type)}>`, describe(type)))
  }
  one
    .option('--url <url>', 'base address of the upstream')
    .option('--config.file <file>', 'take the upstream from this configuration instead')
    .option('--config.network <name>', 'its network; default: the first one')
    .option('--config.source <name>', 'its upstream; default: the first one of the service')
    .option('--all', 'follow the pages to the end')
    .option('--limit <items>', 'follow the pages until there are so many items', wholeNumber)
    .addOption(new Option('--output <form>', 'form of the output').choices(['json', 'ndjson', 'table']).default('json'))
    .action(async (flags: QueryFlags & Record<string, string | undefined>) => run(operation, flags, io))
}

async function run(
  operation: Operation,
  flags: QueryFlags & Record<string, string | undefined>,
  io: Io,
): Promise<void> {
  const { source, network } = upstreamOf(operation, flags, io)
  const given = Object.fromEntries(Object.keys(operation.params.shape).map((name) => [name, flags[name]]))
  if ('network' in operation.params.shape) given['network'] ??= network
  const http = createHttp({ userAgent: `stakewatch/${io.version}`, random: Math.random })
  const ask = createAskBody(http, TIMEOUT)
  const { all = false, limit = all ? Infinity : 0, output } = flags
  // The columns of a table depend on all that comes.
  const rows: unknown[] = []
  try {
    let read = 0
    let pageToken = given['pageToken']
    for (let isLast = false; !isLast;) {
      const { text, raw } = await ask(source, operation, wireOf(operation, { ...given, pageToken }))
      const items = itemsOf(operation, text).slice(0, limit > 0 ? limit - read : undefined)
      read += items.length
      const { nextPageToken: next } = Object(raw) as { nextPageToken?: string }
      isLast = read >= limit || typeof next !== 'string' || next === '' || next === pageToken
      if (output === 'table') rows.push(...items)
      else io.stdout(output === 'ndjson' ? lines(items) : isLast ? text : `${text}\n`)
      if (!isLast) io.progress(`${read} items`)
      pageToken = next
    }
    if (output === 'table') io.stdout(table(rows))
  } finally {
    io.progress('')
    await http.close()
  }
}

function upstreamOf(operation: Operation, flags: QueryFlags, io: Io): { source: Source; network: string | undefined } {
  const { service } = operation
  if (flags.url !== undefined) {
    if (!URL.canParse(flags.url)) throw new BaseError('config', '--url: expected a URL such as http://10.0.0.5:9650')
    return { source: { service, network: '', name: '--url', url: secretUrl(flags.url) }, network: undefined }
  }
  const file = flags['config.file']
  if (file === undefined) throw new BaseError('config', 'where to ask? Give --url, or --config.file')
  const { networks } = readConfig(file, io)
  const network = pick(networks, flags['config.network'], '--config.network', 'network')
  const sources = upstreams(network).filter((one) => one.service === service)
  const source = pick(sources, flags['config.source'], '--config.source', `upstream of the ${service} service`)
  return { source, network: network.data_api?.network }
}

function pick<T extends { name: string }>(from: readonly T[], name: string | undefined, flag: string, what: string): T {
  const found = name === undefined ? from[0] : from.find((one) => one.name === name)
  if (found) return found
  const known = from.map((one) => one.name).join(', ')
  throw new BaseError('config', known === '' ? `no ${what} is configured` : `${flag}: expected one of ${known}`)
}

/** Throws BaseError with what is wrong with the parameters, by flag. */
function wireOf(operation: Operation, strings: Record<string, string | undefined>) {
  try {
    return toWire(operation, fromText(operation, strings))
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown
    const lines = thrown.issues.map(({ path, message }) => {
      const isMissing = path.length > 0 && strings[String(path[0])] === undefined
      return `${path.length === 0 ? '' : `--${path.join('.')}: `}${isMissing ? 'is missing' : message}`
    })
    throw new BaseError('config', `${lines.join('\n')}\nRun with --help for what ${operation.name} takes.`)
  }
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number from 1 on.')
}

function describe(type: z.core.$ZodType): string {
  return `${z.globalRegistry.get(type)?.description ?? ''}${isRequired(type) ? ' (required)' : ''}`
}

function isRequired(type: z.core.$ZodType): boolean {
  return !z.safeParse(type, undefined).success
}

function kindOf(type: z.core.$ZodType): string {
  const inner = type instanceof z.ZodOptional || type instanceof z.ZodDefault ? type.unwrap() : type
  if (inner instanceof z.ZodEnum) return inner.options.join('|')
  return inner instanceof z.ZodArray ? 'text,...' : 'text'
}
