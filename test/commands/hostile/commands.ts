// What commands make of the answers of other programs: each command, with one kind of answer changed and the others healthy.

import { CommanderError } from 'commander'
import { basename } from 'node:path'
import { exitCodes, exitCodeOf, failureText } from '../../../src/commands/failure.ts'
import { createProgram } from '../../../src/commands/program.ts'
import { BaseError } from '../../../src/errors.ts'
import { printable } from '../../../src/lib/printable.ts'
import { createBounds } from '../../../src/upstream/bounds.ts'
import type { HttpAnswer, HttpRequest } from '../../../src/upstream/http.ts'
import { inPackage, quietIo } from '../../support/command.ts'
import { shown } from '../../support/status.ts'
import { edited, editedText } from '../../support/fuzz/json.ts'
import { attacked, FORGED, type Hostile, withAttacks } from './answers.ts'
import { type Asked, type Kind, kinds, NODE_ID, NOW, ROUTES } from './stack.ts'

const MOST_BYTES = 2 ** 20

/** By the address of a server: what may be sent there, and nowhere else. */
const secrets = {
  'prometheus:9090': 'secret-of-prometheus',
  'alertmanager:9093': 'secret-of-alertmanager',
  'grafana:3000': 'secret-of-grafana',
  'watch-1:19650': 'secret-of-the-daemon',
} as const
const prometheus = `--prometheus=http://me:${secrets['prometheus:9090']}@prometheus:9090`
const alertmanager = [
  '--alertmanager=http://alertmanager:9093/',
  '--alertmanager.token-file=/secret-of-alertmanager',
] as const
const grafana = `--grafana=http://me:${secrets['grafana:3000']}@grafana:3000`
const daemon = ['--url=http://watch-1:19650', '--user=me', '--password-file=/secret-of-the-daemon'] as const
const CONFIG = '/stakewatch.yml'
const YAML = `networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://10.0.0.1:9650" }], validators: [{ node_id: ${NODE_ID}, name: val-1 }] }]`

const doctor = [
  ['doctor', prometheus, ...daemon],
  ['doctor', prometheus, '--json'],
]
const ofAlertmanager = [['doctor', ...alertmanager, ...daemon]]
const ofGrafana = [
  ['doctor', grafana, prometheus],
  ['doctor', grafana, '--json'],
]
const drill = [
  ['drill', prometheus, ...alertmanager, ...daemon],
  ['drill', prometheus, ...daemon, '--json'],
]
const silence = ['silence', ...alertmanager, ...daemon]
const named = [...silence, 'val-1', '--for=2h', '--comment=disk', `--config.file=${CONFIG}`]
const report = [
  ['report', prometheus, '--month=2026-06', '--output=out'],
  ['report', prometheus, '--month=2026-06', '--output=out', '--validator=val-2'],
]

/** The commands that read a kind of answer. */
const readers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'Prometheus: its time': doctor,
  'Prometheus: samples': [['doctor', prometheus, ...alertmanager]],
  'Prometheus: a query': [...doctor, ...drill],
  'Prometheus: a query for a range': report,
  'Prometheus: rules': [...doctor, ...drill],
  'Prometheus: targets': [...doctor, ...drill],
  'Prometheus: Alertmanagers': [...doctor, ...drill],
  'Prometheus: flags': doctor,
  'Prometheus: configuration': doctor,
  'Prometheus: runtime': doctor,
  'Prometheus: label values': ofGrafana,
  'Prometheus: metrics': [...doctor, ...drill],
  'Alertmanager: configuration': [...ofAlertmanager, ...drill],
  'Alertmanager: alerts': ofAlertmanager,
  'Alertmanager: groups': drill,
  'Alertmanager: silences': [...ofAlertmanager, [...silence, '--list'], [...silence, '--expire=a1b2-3'], named],
  'Alertmanager: a new silence': [[...named, '--force']],
  'Alertmanager: an ended silence': [[...silence, '--expire=a1b2-3']],
  'Alertmanager: metrics': [...ofAlertmanager, ...drill],
  'Grafana: health': ofGrafana,
  'Grafana: settings': ofGrafana,
  'Grafana: dashboards': ofGrafana,
  'the daemon: ready': [
    ['doctor', ...daemon],
    ['doctor', prometheus],
  ],
  'the daemon: metrics': [['doctor', ...daemon, '--json'], ...drill, named],
  'the daemon: a drill': drill,
  'the daemon: the end of a drill': drill,
  'the daemon: its status': [
    ['top', '--once', ...daemon],
    ['top', '--once', ...daemon, '--limit=1'],
  ],
}

let status: string | undefined
const statusKind: Kind = {
  name: 'the daemon: its status',
  port: 19_650,
  path: /\/api\/v1\/status$/,
  good: () =>
    JSON.parse(
      (status ??= shown({ yaml: YAML, lines: ['stakewatch_upstream_up{network="fuji",source="node-a"} 0'] }).answer(
        '/api/v1/status',
      ).body),
    ),
}
export const kindsOfAnswers = [statusKind, ...kinds]

/** The programs of a chain, one of which answers something else. It is asked at any address: others may name any. */
export function createStack(changed: Kind, { edits: some, attacks: more, textEdits: cuts, other, ...meta }: Hostile) {
  let drilled: Asked['drill'] = 'none'
  let asked = 0
  function answerTo({ method, url, headers, body = '' }: HttpRequest): HttpAnswer {
    if ((asked += 1) > 20_000) throw new Error('it asks without end')
    const { host, port, pathname, search, href } = new URL(url)
    for (const [place, secret] of Object.entries(secrets)) {
      const sent = [href, body, ...Object.values(headers).flatMap((text) => [text, decoded(text)])].join('\n')
      if (place !== host && sent.includes(secret)) throw new Error(`the secret for ${place} is sent to ${host}`)
    }
    const fields = new URLSearchParams(body)
    const [query = '', start, end, step] = ['query', 'start', 'end', 'step'].map((name) => fields.get(name) ?? '')
    const fits = (one: Kind) =>
      one.path.test(pathname.replace(/^\/api\/datasources\/proxy\/uid\/[^/]*/, '') + search) &&
      (one.method === undefined || one.method === method) &&
      (one.query === undefined || one.query.test(query)) &&
      (one.path.source !== String.raw`^\/metrics$` || String(one.port) === port || one === changed)
    const kind = kindsOfAnswers.find(fits)
    if (!kind) return { status: 404, headers: {}, text: 'not found' }
    const length = start === '' ? 0 : Math.floor((Number(end) - Number(start)) / Number(step)) + 1
    const times = Array.from({ length }, (_, at) => Number(start) + at * Number(step))
    const good = kind.good({ method, path: pathname, query, times, drill: drilled })
    if (kind.name === 'the daemon: a drill') drilled = 'on'
    if (kind.name === 'the daemon: the end of a drill') drilled = 'over'
    const date = new Date(NOW * 1_000).toUTCString()
    if (kind !== changed) return { status: 200, headers: { date }, text: textOf(good) }
    const value = typeof good === 'string' ? more.reduce(attacked, good) : withAttacks(edited(good, some), more)
    const text = other ?? editedText(textOf(value), cuts)
    // As the client does.
    createBounds(MOST_BYTES)(Buffer.from(text))
    return {
      status: meta.status,
      headers: { date: meta.location ?? date, location: meta.location },
      text: text.toWellFormed(),
    }
  }
  return {
    send: (request: HttpRequest) => Promise.resolve().then(() => answerTo(request)),
    close: () => Promise.resolve(),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const decoded = (header: string) => Buffer.from(header.split(' ').at(-1)!, 'base64').toString()

/** Time passes only where a command waits. */
export async function inStillTime<T>(work: (sleep: (milliseconds: number) => Promise<void>) => Promise<T>): Promise<T> {
  const { now: wall } = Date
  const { now: steady } = performance
  let passed = 0
  Date.now = () => NOW * 1_000 + passed
  performance.now = () => passed
  try {
    // Waits of days are as short as others.
    return await work(async (milliseconds) => void (passed += 100 * milliseconds))
  } finally {
    Date.now = wall
    performance.now = steady
  }
}

const codes = new Set([0, 10, 11, ...Object.values(exitCodes)])

/** What a command leaves behind. */
interface Seen {
  code: number
  stdout: string
  stderr: string
  progress: string
  files: Record<string, string>
}
export const nothingSeen = (): Seen => ({ code: 0, stdout: '', stderr: '', progress: '', files: {} })

async function runAgainst(words: readonly string[], http: ReturnType<typeof createStack>): Promise<Seen> {
  const seen = nothingSeen()
  await inStillTime(async (sleep) => {
    const io = {
      ...quietIo,
      ...inPackage,
      readFile(path: string) {
        if (path === CONFIG) return YAML
        if (path.startsWith('/secret')) return `${path.slice(1)}\n`
        if (path.startsWith('out')) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
        // The real ones take longer to read than all the rest.
        if (path.endsWith('.json')) return JSON.stringify({ uid: `stakewatch-${basename(path, '.json')}`, title: 'a' })
        if (path.endsWith('.yml')) return ROUTES
        return inPackage.readFile(path)
      },
      stdout: (more: string) => void (seen.stdout += more),
      stderr: (more: string) => void (seen.stderr += more),
      progress: (text: string) => void (seen.progress = text === '' ? seen.progress : text),
      writeFile: (path: string, text: string) => void (seen.files[path] = text),
      setExitCode: (code: number) => void (seen.code = code),
      sleep,
      connect: () => Promise.resolve(http),
    }
    try {
      await (await createProgram(io, words)).parseAsync([...words], { from: 'user' })
    } catch (error) {
      if (error instanceof CommanderError || !(error instanceof BaseError) || error.code === 'bug') throw error
      seen.code = exitCodeOf(error)
      seen.stderr += `${failureText(error)}\n`
    }
  })
  return seen
}

export function promiseHarmless({ code, stdout, stderr, progress, files }: Seen): void {
  if (!codes.has(code)) throw new Error(`exit code ${code}`)
  // CSV ends its lines as spreadsheets do, and a tab of a name does no harm in a file.
  const inFiles = Object.entries(files).map(([path, text]) => [
    path,
    text.replaceAll('\r\n', '\n').replaceAll('\t', ' '),
  ])
  const texts: Record<string, string> = { stdout, stderr, progress, ...Object.fromEntries(inFiles) }
  for (const [name, text] of Object.entries(texts)) {
    const lines = text.split('\n')
    const bad = lines.find((line) => printable(line) !== line)
    if (bad !== undefined) throw new Error(`${name} has control characters: ${JSON.stringify(bad.slice(0, 300))}`)
    if (!name.endsWith('.html') && lines.some((line) => line.trim().startsWith(FORGED)))
      throw new Error(`a line of ${name} is forged: ${JSON.stringify(text.slice(0, 3_000))}`)
    const secret = Object.values(secrets).find((one) => text.includes(one))
    if (secret !== undefined) throw new Error(`${name} shows ${secret}`)
  }
}

/** Runs a command that reads this kind of answer. Throws when it breaks a promise. */
export async function attack(kind: Kind, input: Hostile): Promise<Omit<Seen, 'progress'>> {
  const commands = readers[kind.name]!
  const { progress, ...said } = await runAgainst(commands[input.words % commands.length]!, createStack(kind, input))
  promiseHarmless({ progress, ...said })
  return said
}
