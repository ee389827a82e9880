// admin against bare nodes: what is asked of a person and of the node, and what is said of it afterwards.

import { describe, expect, test } from 'vitest'
import { words } from '../../../src/commands/admin/admin.ts'
import { operations } from '../../../src/operations/index.ts'
import { bare, bareNode } from '../../support/bare-server.ts'
import { runCommand } from '../../support/command.ts'

const admin = (args: readonly string[], changes: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(['admin', ...args], changes)

/** A terminal with a person who gives this answer. */
function person(answer: boolean) {
  const questions: string[] = []
  const confirm = (question: string) => {
    questions.push(question)
    return Promise.resolve(answer)
  }
  return { questions, confirm }
}

const LOGGER = ['setLoggerLevel', '--loggerName=C', '--logLevel=DEBUG']
const empty = () => ({ result: '{}' })

test('alone lists the methods by what they do', async () => {
  const { stdout } = await admin([])
  expect(stdout).toMatch(
    /^reads\n( {2}get\w+ +document 2, Admin interface\n){2}changes the node, asks first\n( {2}\w+ +document 2, Admin interface\n){8}writes/,
  )
  expect(stdout).toContain('  setLoggerLevel                           document 2, Admin interface\n')
  expect(stdout).toContain('  profile cpu                              document 2, Profiler\n')
})

test('every method that changes a node has its words', () => {
  const changing = operations.filter(({ effect }) => effect === 'change').map(({ name }) => name)
  expect(Object.keys(words).toSorted()).toEqual(changing.toSorted())
})

test.each(['getLoggerLevel', 'admin.getLoggerLevel'])(
  '%s reads: no confirmation, and it prints the raw body',
  async (method) => {
    const { url, asked } = await bare(() => ({
      body: ' {"jsonrpc":"2.0", "result":{"loggerLevels":{"C":{"logLevel":"INFO","new":18446744073709551615}}}, "id":1}\n',
    }))
    const { questions, confirm } = person(true)
    const seen = await admin([method, `--url=${url}`, '--loggerName=C'], { confirm })
    expect(seen).toMatchObject({
      code: 0,
      stdout:
        ' {"jsonrpc":"2.0", "result":{"loggerLevels":{"C":{"logLevel":"INFO","new":18446744073709551615}}}, "id":1}\n',
      stderr: '',
    })
    expect(questions).toEqual([])
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /ext/admin'])
    expect(JSON.parse(asked[0]!.body)).toMatchObject({ method: 'admin.getLoggerLevel', params: { loggerName: 'C' } })
  },
)

describe('a method that changes the node', () => {
  test.each([
    ['by its short name', LOGGER],
    ["by the document's name", ['admin.setLoggerLevel', ...LOGGER.slice(1)]],
    ['by its name in other letters', ['setloggerlevel', ...LOGGER.slice(1)]],
    ['with dashes in its parameters', ['setLoggerLevel', '--logger-name=C', '--log-level', 'DEBUG']],
  ])('is done when a person says yes: %s', async (_, args) => {
    const { url, calls } = await bareNode(empty)
    const { questions, confirm } = person(true)
    const seen = await admin([...args, `--url=${url}`], { confirm })
    const { host } = new URL(url)
    expect(questions).toEqual([`${host}: make logger C write DEBUG to its file?`])
    expect(seen).toMatchObject({ code: 0, stdout: `${host}: logger C now writes DEBUG to its file\n`, stderr: '' })
    expect(calls()).toMatchObject([{ method: 'admin.setLoggerLevel', params: { loggerName: 'C', logLevel: 'DEBUG' } }])
  })

  test('is done without a question by --yes', async () => {
    const { url, calls } = await bareNode(empty)
    const { questions, confirm } = person(false)
    expect(await admin([...LOGGER, `--url=${url}`, '--yes'], { confirm })).toMatchObject({ code: 0, stderr: '' })
    expect([questions, calls().length]).toEqual([[], 1])
  })

  test.each([
    ['a person says no', person(false).confirm, 9, 'not confirmed: nothing was sent'],
    [
      'there is no terminal',
      () => undefined,
      1,
      'make logger C write DEBUG to its file: there is no terminal to ask on; --yes does it without asking',
    ],
  ])('is not sent when %s', async (_, confirm, code, message) => {
    const { url, asked } = await bareNode(empty)
    const seen = await admin([...LOGGER, `--url=${url}`], { confirm })
    expect(seen).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
    expect(asked).toEqual([])
  })

  test('names the configured node and its host; secrets of its address are not shown', async () => {
    const { url } = await bareNode(empty)
    const { host } = new URL(url)
    const yaml = `networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://user:MARKER@${host}/MARKER?key=MARKER" }] }]`
    const { questions, confirm } = person(true)
    const seen = await admin([...LOGGER, '--config.file=a.yml'], { confirm, readFile: () => yaml })
    expect(questions).toEqual([`node-a (${host}): make logger C write DEBUG to its file?`])
    expect(seen.stdout).toBe(`node-a (${host}): logger C now writes DEBUG to its file\n`)
  })

  test('with a wrong parameter is rejected before any confirmation', async () => {
    const { questions, confirm } = person(true)
    const seen = await admin(['setLoggerLevel', '--url=http://127.0.0.1:1'], { confirm })
    expect(seen).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('one of logLevel and displayLevel is required'),
    })
    expect(questions).toEqual([])
  })

  test('that the node refuses says why, and claims nothing', async () => {
    const { url } = await bareNode(() => ({ error: 'logger with name "C" not found\u001b[2J' }))
    const seen = await admin([...LOGGER, `--url=${url}`, '--yes'])
    expect(seen).toMatchObject({
      code: 4,
      stdout: '',
      stderr: 'the node answered with error -32000: logger with name "C" not found?[2J',
    })
  })

  test('whose answer cannot be read is said to be done', async () => {
    const { url } = await bareNode(() => ({ result: '[]' }))
    const seen = await admin(['loadVMs', `--url=${url}`, '--yes'])
    expect(seen).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('the node has done it, but') })
  })
})

test.each([
  [
    ['alias', '--endpoint=bc/X', '--alias=x'],
    '{}',
    'make /ext/bc/X answer at /ext/x as well',
    'accepted x as an alias of bc/X; it accepts any text, but the alias works only for a base route such as bc/C, bc/<blockchain id> or index/P: for any other it answers 404',
  ],
  [
    ['aliasChain', '--chain=2q9', '--alias=mine'],
    '{}',
    'give blockchain 2q9 the alias mine',
    'blockchain 2q9 now has the alias mine',
  ],
  [
    ['setLoggerLevel', '--displayLevel=WARN'],
    '{"loggerLevels":{}}',
    'make all loggers write WARN to the console',
    'all loggers now write WARN to the console',
  ],
  [
    ['setLoggerLevel', '--logLevel=DEBUG', '--displayLevel=OFF'],
    '{}',
    'make all loggers write DEBUG to their files and OFF to the console',
    'all loggers now write DEBUG to their files and OFF to the console',
  ],
  [
    ['loadVMs'],
    '{"newVMs":{"vm-1":["first","one"],"vm-2":[]}}',
    'load the virtual machines that were installed since it started, which may take 8 s',
    'new virtual machines: vm-1 (first, one), vm-2',
  ],
  [
    ['loadVMs'],
    '{"newVMs":{},"failedVMs":{"vm-3":"no handshake\\u001b[2J","vm-4":"not found"}}',
    'load the virtual machines that were installed since it started, which may take 8 s',
    'no new virtual machines; vm-3 failed to load: no handshake?[2J; vm-4 failed to load: not found; the node reports a failure only once',
  ],
  [
    ['memoryProfile'],
    '{}',
    'write a profile of its memory',
    'wrote a profile of its memory to mem.profile in its profile directory',
  ],
  [
    ['profile', 'lock'],
    '{}',
    'write a profile of its locks',
    'wrote a profile of its locks to lock.profile in its profile directory',
  ],
  [
    ['startCPUProfiler'],
    '{}',
    'start the CPU profiler, which runs until stopCPUProfiler',
    'the CPU profiler runs until stopCPUProfiler',
  ],
  [
    ['stopCPUProfiler'],
    '{}',
    'stop the CPU profiler and write what it found',
    'stopped the CPU profiler and wrote cpu.profile in its profile directory',
  ],
])('%j of %s: the question, and what was done', async (args, result, todo, done) => {
  const { url } = await bareNode(() => ({ result }))
  const { questions, confirm } = person(true)
  const { stdout, stderr } = await admin([...args, `--url=${url}`], { confirm })
  const { host } = new URL(url)
  expect({ questions, stdout, stderr }).toEqual({
    questions: [`${host}: ${todo}?`],
    stdout: `${host}: ${done}\n`,
    stderr: '',
  })
})

test.each([
  ['a typo', ['setLogerLevel', '--logLevel=INFO'], "unknown operation 'setLogerLevel'; did you mean setLoggerLevel?"],
  ['a method from elsewhere', ['platform.getBlock'], "unknown operation 'platform.getBlock'; stakewatch admin lists"],
  [
    'an alias that is too long',
    ['aliasChain', '--chain=2q9', `--alias=${'x'.repeat(513)}`, '--url=http://127.0.0.1:1'],
    '--alias: expected at most 512 characters',
  ],
  ['a parameter that the method does not have', ['loadVMs', '--vmID=v'], 'unknown parameter vmID'],
  ['an unknown profile', ['profile', 'disk'], "unknown command 'disk'"],
  [
    'a data service for a method of nodes',
    ['loadVMs', '--config.file=a.yml'],
    'no upstream of the node service is configured',
  ],
])('%s is refused', async (_, args, message) => {
  const yaml = 'networks: [{ name: fuji, data_api: { url: "http://127.0.0.1:1" } }]'
  const seen = await admin(args, { readFile: () => yaml })
  expect(seen).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
})
