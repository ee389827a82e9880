// Every parser that meets the outside, and the files whose branches they have to take.

import { readdirSync } from 'node:fs'
import { answerParsers } from './answers.ts'
import { backtestParsers } from './backtest.ts'
import { commandParsers } from './commands.ts'
import { configParser } from './config.ts'
import type { FilePart } from './coverage.ts'
import type { AnyParser } from './parser.ts'
import { memoryParser } from './memory.ts'
import { patternParser } from './patterns.ts'
import { requestParsers } from './requests.ts'
import { storageParser } from './storage.ts'
import { upstreamParsers } from './upstream.ts'
import { webParsers } from './web.ts'
import { wordParsers } from './random-text.ts'

export async function allParsers(): Promise<readonly AnyParser[]> {
  return [
    ...(await answerParsers()),
    ...backtestParsers,
    ...commandParsers,
    configParser,
    ...(await requestParsers()),
    await memoryParser(),
    patternParser,
    await storageParser(),
    ...upstreamParsers,
    ...webParsers,
    ...wordParsers,
  ]
}

const root = new URL('../../', import.meta.url)
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, root))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: `${folder}${file}` }))

/** They begin with a configuration that was read: it crosses to another thread, check shows it, pages choose from it. */
const NO_PARSERS = new Set([
  'src/config/file/packed.ts',
  'src/config/file/effective.ts',
  'src/config/public-validators.ts',
  // By function, below.
  'src/config/presets.ts',
])

/** A folder is the parsers' own; of other files it is one function that reads what others wrote. */
export const parserFiles: readonly FilePart[] = [
  ...[
    'src/operations/',
    'src/operations/data/',
    'src/operations/metrics/',
    'src/operations/node/',
    'src/config/',
    'src/config/checks/',
    'src/config/file/',
    'src/config/web/',
    'src/commands/monitoring/',
  ]
    .flatMap(filesIn)
    .filter(({ file }) => !NO_PARSERS.has(file)),
  ...['address', 'bounds', 'json', 'json-rpc', 'mask', 'page-tokens', 'headers', 'rest'].map((name) => ({
    file: `src/upstream/${name}.ts`,
  })),
  { file: 'src/budget/spending.ts' },
  ...['ids', 'raw-json', 'suggestion'].map((name) => ({ file: `src/lib/${name}.ts` })),
  // The rest of it names the public nodes.
  { file: 'src/config/presets.ts', functions: ['withPreset'] },
  // The rest of it formats.
  { file: 'src/lib/duration.ts', functions: ['parseDuration'] },
  // The rest of it chooses words for the help.
  {
    file: 'src/commands/query/parameter-flags.ts',
    functions: ['parameterFlags', 'withDashes', 'refuseLeftOver', 'textsOf', 'wireOf', 'wrong'],
  },
  // The rest of it asks name servers.
  // The rest of it is about disks that are full or read-only.
  { file: 'src/storage/database.ts', functions: ['prepare', 'isJson'] },
  { file: 'src/storage/storage.ts', functions: ['use'] },
  { file: 'src/run/memory.ts', functions: ['createRecall'] },
  { file: 'src/server/negotiate.ts' },
  { file: 'src/server/server.ts', functions: ['parseListenAddress'] },
]
