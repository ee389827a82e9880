// The command line without a process: flags, advice and exit codes through a fake Io.

import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { CommanderError } from 'commander'
import { describe, expect, test } from 'vitest'
import { failureText } from '../../src/commands/failure.ts'
import type { Io } from '../../src/commands/io.ts'
import { createProgram } from '../../src/commands/program.ts'
import { quietIo } from '../support/command.ts'
import { configFrom } from '../support/poll.ts'
import { postJson } from '../support/post.ts'

interface Outcome {
  code: number
  stdout: string
  stderr: string
  /** By path; absent where nothing was. */
  written?: Record<string, string>
}

/** Runs a command line; `files` is the file system, `meanwhile` asks the command to end when it resolves. */
async function run(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  meanwhile: (seen: Outcome) => Promise<void> = async () => {},
): Promise<Outcome> {
  const seen: Outcome = { code: 0, stdout: '', stderr: '' }
  let stopped: Promise<void> | undefined
  const io: Io = {
    ...quietIo,
    version: '1.2.3',
    readFile(path) {
      const text = files[path]
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      return text
    },
    writeFile: (path, text) => (seen.written = { ...seen.written, [path]: text }),
    stdout: (text) => (seen.stdout += text),
    stderr: (text) => (seen.stderr += text),
    log: (line) => (seen.stderr += line),
    setExitCode: (code) => (seen.code = code),
    // A command may read it several times, and first before it has something to show.
    get stopped() {
      if (!/msg=listening/.test(seen.stderr) && seen.stdout === '') return new Promise<void>(() => {})
      return (stopped ??= meanwhile(seen))
    },
  }
  try {
    const program = await createProgram(io, args)
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return { ...seen, code: error.exitCode }
    return { ...seen, code: 1, stderr: `${seen.stderr}${failureText(error) ?? String(error)}\n` }
  }
  return seen
}

const DEMO = 'or try stakewatch demo'
const RUNBOOK_BASE = 'Expected an http or https URL without a password, a query and a fragment'
const JOB_NAME = 'Expected the job_name of a scrape configuration'
const FOLDER = 'Expected the path of a folder, such as /var/lib/stakewatch.'
const ADDRESS = 'Expected [host]:port, as in :19650 or 127.0.0.1:19650.'

test('--help lists every command, and says how to begin', async () => {
  const { code, stdout, stderr } = await run(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const command of ['serve', 'watch', 'init', 'check', 'once', 'simulate', 'demo', 'catalogue', 'alerts']) {
    expect(stdout).toMatch(new RegExp(`^  ${command} \\[options\\] +\\w`, 'm'))
  }
  expect(stdout).toMatch(/^ {2}stakewatch demo +watch a simulated network$/m)
})

test.each([
  [
    'the program',
    ['--help'],
    [
      'Options:',
      'Watch:',
      'Configure:',
      'Ask nodes and services:',
      'Look at a simulated network:',
      'Check what is around it:',
      'Set up what is around it:',
      'Examples:',
    ],
  ],
  ['serve', ['serve', '--help'], ['Configuration:', 'Storage:', 'Web:', 'Logs:', 'Options:']],
  ['an operation', ['query', 'get-blockchain-details', '--help'], ['Parameters:', 'Options:', 'Configuration:']],
])('the help of %s is in groups', async (_, args, groups) => {
  const { stdout } = await run(args)
  expect(stdout.match(/^[A-Z][\w ]+:$/gm)).toEqual(groups)
})

test.each([
  [
    ['watch', '--preset=mainnet', '--node-url=http://u:KEY@h/KEY/ext'],
    "option '--node-url <url>' argument 'http://***' is invalid.",
  ],
  [['serve', '--node-url=http://u:KEY@h/?k=KEY'], "unknown option '--node-url=http://***'"],
  [['check', '--config.file=a', 'http://u:KEY@h'], "too many arguments for 'check'"],
])('%j is refused, and the address that may hold a key is not repeated', async (args, text) => {
  const { stderr } = await run(args)
  expect(stderr).toContain(`error: ${text}`)
  expect(stderr).not.toContain('KEY')
})

const LIKE_ONCE = 'Only configured budgets bound it, and it knows nothing of what a running daemon spends'
const OUTSIDE = 'No budget bounds these requests, and a running daemon does not count them in the budget that it keeps.'

test.each([
  ['once', ['once'], LIKE_ONCE],
  ['check --live', ['check'], LIKE_ONCE],
  ['query', ['query'], OUTSIDE],
  ['an operation of query', ['query', 'get-blockchain-details'], OUTSIDE],
  ['admin', ['admin'], OUTSIDE],
  ['a method of admin', ['admin', 'loadVMs'], OUTSIDE],
  ['a profile of admin', ['admin', 'profile', 'cpu'], OUTSIDE],
])('the help of %s says once which budget holds for its requests', async (_, args, sentence) => {
  const { code, stdout } = await run([...args, '--help'])
  const [, ...rest] = stdout.replace(/\s+/g, ' ').split(sentence)
  expect({ code, said: rest.length }).toEqual({ code: 0, said: 1 })
})

test('help prints what --help of the same words prints', async () => {
  for (const words of [[], ['check'], ['query', 'info.peers'], ['admin', 'profile', 'cpu']]) {
    expect(await run(['help', ...words])).toEqual(await run([...words, '--help']))
  }
})

test('--version prints the version alone', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' })
})

test.each([
  ['no configuration for the default command', [], DEMO],
  ['no configuration for serve', ['serve'], DEMO],
  ['no configuration for check', ['check'], DEMO],
  ['no configuration for once', ['once'], DEMO],
  ['an empty name of a configuration', ['--config.file='], DEMO],
  ['a misspelt command', ['chek'], "unknown command 'chek'; did you mean check?"],
  [
    'a command that is like none',
    ['scrape'],
    "unknown command 'scrape'; there are serve, watch, top, silence, once, report, init, check, query, admin, demo, simulate, doctor, drill, backtest, alerts, catalogue, completion",
  ],
  ['a command that each object has as a member', ['toString'], "unknown command 'toString'; there are serve, watch"],
  ['a command that is like none, with flags', ['scrape', '--all'], "unknown command 'scrape'"],
  ['help of a misspelt command', ['help', 'chek'], "unknown command 'chek'; did you mean check?"],
  [
    'help of an operation that is like none',
    ['help', 'query', 'scrape'],
    "'scrape'; the help of query says what there is",
  ],
  ['a word too many', ['check', '--config.file=a.yml', 'b.yml'], "too many arguments for 'check'"],
  ['a flag that does not exist', ['--all'], "unknown option '--all'"],
  ['a flag of another command', ['check', '--web.listen-address=:1'], "unknown option '--web.listen-address=:1'"],
  ['an address without a port', ['demo', '--web.listen-address=localhost'], ADDRESS],
  ['a public address without a port', ['demo', '--web.public-listen-address=localhost'], ADDRESS],
  ['an address whose port is none', ['demo', '--web.listen-address=:metrics'], ADDRESS],
  ['a port that is too high', ['demo', '--web.listen-address=:65536'], ADDRESS],
  ['a second address that is wrong', ['demo', '--web.listen-address=:1', '--web.listen-address=::'], ADDRESS],
  ['a path that is relative', ['demo', '--web.telemetry-path=metrics'], 'Expected a path such as /metrics.'],
  ['a storage without a folder', ['--config.file=a.yml', '--storage.path='], FOLDER],
  [
    'an interval of what is off',
    ['--config.file=a.yml', '--config.auto-reload-interval=1m'],
    '--config.auto-reload-interval: give --config.enable-auto-reload as well',
  ],
  ['a report without a folder', ['report', '--output='], FOLDER],
  ['nodes whose profiles have no folder', ['simulate', '--storage.path= '], FOLDER],
  ['a log level that does not exist', ['demo', '--log.level=loud'], 'Allowed choices are debug, info, warn, error.'],
  ['a log format that does not exist', ['demo', '--log.format=xml'], 'Allowed choices are logfmt, json.'],
  ['a past that is yet to come', ['demo', '--since=99999999999'], 'Expected a time in the past.'],
  ['a beginning in milliseconds', ['simulate', '--epoch=1780000000000'], 'Expected a Unix time in seconds'],
  ['two beginnings', ['demo', '--since=1780000000', '--epoch=1780000000'], 'cannot be used with option'],
  ['a speed that is none', ['demo', '--speed=fast'], 'Expected a number from 0 on.'],
  ['a dialect that does not exist', ['demo', '--dialect=local'], 'Allowed choices are document, live.'],
  ['a base of runbooks that is no URL', ['alerts', '--runbook-base=wiki.your.org/stakewatch'], RUNBOOK_BASE],
  ['a base of runbooks that is empty', ['alerts', '--runbook-base='], RUNBOOK_BASE],
  ['a base of runbooks that no browser opens', ['alerts', '--runbook-base=file:///usr/share/doc/'], RUNBOOK_BASE],
  ['a base of runbooks with a query', ['alerts', '--runbook-base=https://wiki.your.org/?page='], RUNBOOK_BASE],
  ['a base of runbooks with a fragment', ['alerts', '--runbook-base=https://wiki.your.org/#/'], RUNBOOK_BASE],
  ['a base of runbooks with a password', ['alerts', '--runbook-base=https://me:secret@wiki.your.org/'], RUNBOOK_BASE],
  ['a job without a name', ['alerts', '--job='], JOB_NAME],
  ['a job whose name is blank', ['alerts', '--job= '], JOB_NAME],
  ['a job with a quotation mark', ['alerts', '--job=stake"watch'], JOB_NAME],
  ['a job with a backslash', ['alerts', '--job=stake\\watch'], JOB_NAME],
  ['a job with a tab', ['alerts', '--job=stake\twatch'], JOB_NAME],
  ['a dialect that does not exist', ['simulate', '--dialect='], 'Allowed choices are document, live.'],
])('%s is refused with advice', async (_, args, advice) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^error: .+\nRun with --help for the usage\.\n$/)
  expect(stderr).toContain(advice)
})

test.each([
  ['serve', ['--config.file=a.yml']],
  ['check', ['check', '--config.file', 'a.yml']],
  ['once', ['once', '--config.file', 'a.yml']],
])('%s says where the configuration is wrong, or that it cannot be read', async (_, args) => {
  expect(await run(args, { 'a.yml': 'networks:\n  - nam: fuji\n' })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^a\.yml:2:5: networks\[0\]\.nam: unknown key; did you mean name\?$/m),
  })
  expect(await run(args)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'a.yml: the file cannot be read: there is no such file\n',
  })
})

const NOTHING_TO_ASK = 'networks: [{ name: fuji }]\n'

test('--web.listen-address is repeatable: serve answers at all of them, until it is asked to stop', async () => {
  const answers: string[] = []
  const here = '--web.listen-address=127.0.0.1:0'
  const ended = await run(['--config.file=a.yml', here, here], { 'a.yml': NOTHING_TO_ASK }, async ({ stderr }) => {
    for (const [, address] of stderr.matchAll(/address=(\S+)/g)) {
      const response = await fetch(`http://${address}/-/healthy`)
      answers.push(`${response.status} ${await response.text()}`)
    }
  })
  expect(answers).toEqual(['200 stakewatch is healthy.\n', '200 stakewatch is healthy.\n'])
  expect(ended).toMatchObject({ code: 0, stdout: '' })
  expect(ended.stderr).toMatch(/^ts=\S+ level=info msg=stopping$/m)
})

test('--web.public-listen-address: another address, where there is no other page', async () => {
  const answers: string[] = []
  const flags = ['--web.listen-address=127.0.0.1:0', '--web.public-listen-address=127.0.0.1:0']
  const ended = await run(['--config.file=a.yml', ...flags], { 'a.yml': NOTHING_TO_ASK }, async ({ stderr }) => {
    for (const [, address] of stderr.matchAll(/address=(\S+)/g)) {
      for (const path of ['/-/healthy', '/public']) {
        const response = await fetch(`http://${address}${path}`)
        answers.push(`${response.status} ${await response.text()}`)
      }
    }
  })
  const missing = '404 There is no public page.\n'
  expect(answers).toEqual(['200 stakewatch is healthy.\n', missing, '404 Not found.\n', missing])
  expect(ended).toMatchObject({ code: 0, stdout: '' })
})

describe('simulate', () => {
  /** The answers of the first node, and how the command ended. */
  async function asking(flags: readonly string[], ...methods: string[]) {
    const answers: unknown[] = []
    const ended = await run(['simulate', ...flags], {}, async ({ stdout }) => {
      const [, url] = /name: node-a, url: "([^"]+)"/.exec(stdout)!
      for (const method of methods) {
        const path = method.startsWith('admin') ? '/ext/admin' : '/ext/bc/P'
        const answer = await postJson(url + path, { jsonrpc: '2.0', id: 1, method })
        answers.push((JSON.parse(answer) as { result: unknown }).result)
      }
    })
    return { answers, ...ended }
  }

  test('answers in the form of the document, or in that of live services', async () => {
    const supply = expect.stringMatching(/^\d+$/) as string
    const { answers, stdout } = await asking([], 'platform.getCurrentSupply')
    expect(answers).toEqual([{ supply }])
    expect(configFrom(stdout).networks[0]!.nodes).toHaveLength(2)
    const live = await asking(['--dialect=live'], 'platform.getCurrentSupply')
    expect(live.answers).toEqual([{ supply, height: expect.stringMatching(/^\d+$/) as string }])
  })

  test('has nodes that write their profiles to the given folder, and says so', async () => {
    const { code, stderr, written = {} } = await asking(['--storage.path=/data/sim'], 'admin.lockProfile')
    expect({ code, files: Object.keys(written) }).toEqual({ code: 0, files: ['/data/sim/node-a/lock.profile'] })
    expect(stderr).toContain('A simulated node wrote /data/sim/node-a/lock.profile\n')
  })

  test('has nodes that otherwise write them into one folder of their own, if they write any', async () => {
    const { written = {} } = await asking([], 'admin.lockProfile', 'admin.memoryProfile')
    const folders = new Set(Object.keys(written).map((path) => dirname(path)))
    expect(Object.keys(written)).toHaveLength(2)
    expect([...folders]).toEqual([expect.stringMatching(/\/stakewatch-[0-9a-f-]{36}\/node-a$/)])
    expect([...folders][0]!.startsWith(tmpdir())).toBe(true)
    expect(await asking([], 'platform.getCurrentSupply')).not.toHaveProperty('written')
  })
})

test.each([
  [
    'a port in use',
    { code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 19_650 },
    'cannot listen on 127.0.0.1:19650: the port is already in use; choose another address (--web.listen-address, --web.public-listen-address)',
  ],
  [
    'a privileged port',
    { code: 'EACCES', syscall: 'listen', address: '::', port: 80 },
    'cannot listen on [::]:80: permission denied; ports below 1024 need privileges; choose another address (--web.listen-address, --web.public-listen-address)',
  ],
  [
    'a host that is none',
    { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'here.invalid' },
    'cannot listen on here.invalid: no such host; choose another address (--web.listen-address, --web.public-listen-address)',
  ],
  [
    'what we have no words for',
    { code: 'EMFILE', syscall: 'listen', address: '::1', port: 1 },
    'cannot listen on [::1]:1: listen failed; choose another address (--web.listen-address, --web.public-listen-address)',
  ],
  ['another system call', { code: 'ENOENT', syscall: 'open' }, undefined],
  ['a defect', {}, undefined],
])('a listener that fails is explained: %s', (_, properties, text) => {
  expect(failureText(Object.assign(new Error('listen failed'), properties))).toBe(text)
})
