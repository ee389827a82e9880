// Completion, by the shells themselves.

import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/commands/io.ts'
import { createProgram } from '../../../src/commands/program.ts'

let printed = ''
const io: Pick<Io, 'version' | 'stdout'> = { version: '0.0.0', stdout: (text) => (printed += text) }
const program = await createProgram(io as Io)

async function scriptFor(shell: string): Promise<string> {
  printed = ''
  await program.parseAsync(['completion', shell], { from: 'user' })
  return printed
}

function run(shell: string, args: readonly string[], input: string = '') {
  const { status, stdout, stderr } = spawnSync(shell, args, { input, encoding: 'utf8', timeout: 25_000 })
  return { status, lines: stdout.trimEnd().split('\n'), stderr }
}

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** What bash offers for the last word of each line, whose words are as bash splits them. */
async function offersOfBash(lines: readonly (readonly string[])[]): Promise<string[]> {
  const quoted = (word: string) => `'${word}'`
  const asked = lines.map((words) => `ask ${words.map(quoted).join(' ')}`)
  const ask =
    'ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _stakewatch; printf "%s\\n" "${COMPREPLY[*]}"; }'
  const script = [await scriptFor('bash'), ask, ...asked].join('\n')
  const { status, lines: offered, stderr } = run('bash', ['--norc', '--noprofile', '-s'], script)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return offered
}

test.each<[string, string[], string]>([
  ['a command', ['ch'], 'check'],
  ['a flag of the default command', ['--log.f'], '--log.format='],
  ['a value, behind the sign', ['serve', '--log.format', '='], 'logfmt json'],
  ['a value that has begun', ['serve', '--log.format', '=', 'j'], 'json'],
  ['a value of the default command', ['--log.level', '=', 'w'], 'warn'],
  ['the shells of completion', ['completion', ''], 'bash zsh fish'],
  ['an operation', ['query', 'info.getNodeV'], 'info.getNodeVersion'],
  ['a parameter of an operation', ['query', 'get-blockchain-details', '--blockc'], '--blockchainId='],
  ['a value of a parameter', ['query', 'list-validators', '--validationStatus', '=', 'a'], 'active'],
  ['nothing of a parameter that is a number', ['query', 'list-validators', '--pageSize', '='], ''],
  ['a command of a command of a command', ['admin', 'profile', 'c'], 'cpu'],
  ['a command whose help is asked for', ['help', 'ch'], 'check'],
  ['a file', ['check', '--config.file', '=', 'config.sch'], 'config.schema.json'],
  ['nothing where anything may be written', ['check', '--config.file', '=', '/no/such/'], ''],
  [
    'flags behind a flag whose value is the name of a command',
    ['check', '--config.file', '=', 'query', '--l'],
    '--live',
  ],
  ['flags behind a value in a word of its own', ['check', '--config.file', 'query', '--ex'], '--explain'],
  ['nothing of what does not exist', ['chek', '--live', '--li'], ''],
])('bash completes %s', async (_, words, expected) => {
  expect(await offersOfBash([['stakewatch', ...words]])).toEqual([expected])
})

test('bash offers every flag of every command that the help lists', async () => {
  const all: { path: string[]; flags: string[] }[] = []
  const walk = (command: Command, path: string[]) => {
    const help = command.createHelp()
    const flags = help.visibleOptions(command).map(({ long, required }) => `${long}${required ? '=' : ''}`)
    if (path.length > 1 && flags.length > 0) all.push({ path, flags })
    for (const inner of help.visibleCommands(command)) walk(inner, [...path, inner.name()])
  }
  walk(program, ['stakewatch'])
  expect(all.length).toBeGreaterThan(80)
  const offered = await offersOfBash(all.map(({ path }) => [...path, '--']))
  expect(offered).toEqual(all.map(({ flags }) => flags.join(' ')))
})

// Runs only for the shells that are installed.
describe.skipIf(!isInstalled('fish'))('where fish is installed', () => {
  test.each([
    ['ch', 'check'],
    ['--log.f', '--log.format='],
    ['serve --log.format=j', '--log.format=json'],
    ['query info.getNodeV', 'info.getNodeVersion'],
    ['check --config.file=config.sch', '--config.file=config.schema.json'],
    ['serve --storage.path=dashb', '--storage.path=dashboards/'],
    ['check --config.file query --ex', '--explain'],
  ])('fish completes %s', async (line, expected) => {
    const script = `${await scriptFor('fish')}\ncomplete -C 'stakewatch ${line}' | string replace -r '\\t.*' ''\ntrue\n`
    expect(run('fish', ['--no-config', '-c', script])).toEqual({ status: 0, lines: [expected], stderr: '' })
  })
})

describe.skipIf(!isInstalled('zsh'))('where zsh is installed', () => {
  test('zsh reads the script, and its functions know the values', async () => {
    const script = await scriptFor('zsh')
    const ask = `compdef() { : }\n${script}\n_stakewatch_values "$(_stakewatch_at serve)" --log.format\n`
    expect(run('zsh', ['-f', '-c', ask])).toEqual({ status: 0, lines: ['logfmt', 'json'], stderr: '' })
  })
})

test('a shell that is not known is refused with those that are', async () => {
  const { stderr } = spawnSync(
    process.execPath,
    [new URL('../../../src/main.ts', import.meta.url).pathname, 'completion', 'tcsh'],
    {
      encoding: 'utf8',
    },
  )
  expect(stderr).toContain("'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.")
})
