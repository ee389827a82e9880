// query against bare servers: its requests, its output and its failures.

import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exitCodeOf } from '../../../src/commands/failure.ts'
import type { Io } from '../../../src/commands/io.ts'
import { wireOf } from '../../../src/commands/query/parameter-flags.ts'
import { answering } from '../../../src/commands/query/query.ts'
import { timeoutOf } from '../../../src/commands/query/upstream-flags.ts'
import { defineOperation } from '../../../src/operations/define.ts'
import { integer } from '../../../src/operations/fields.ts'
import { bare } from '../../support/bare-server.ts'
import { quietIo, runCommand } from '../../support/command.ts'
import { createProxyServer } from '../../support/proxy-server.ts'
import { createTlsUpstream } from '../../support/tls-upstream.ts'

const run = (args: readonly string[], files: Readonly<Record<string, string>> = {}) =>
  runCommand(['query', ...args], { readFile: (path) => files[path] ?? '' })

/** As document 1, EvmBlock, gives them; the white space is the server's own. */
const page = (numbers: readonly number[], next?: string) =>
  `{ "blocks": [${numbers.map((number) => `{"blockNumber":"${number}","blockTimestamp":17,"blockHash":"0x${number}","txCount":18446744073709551615,"more":{"a":1}}`).join(',')}]${next === undefined ? '' : `, "nextPageToken": "${next}"`} }`

describe('query', () => {
  test('alone lists the reading operations by service, with where the documents define them', async () => {
    const { stdout } = await run([])
    expect(stdout).toMatch(
      /^data, asks first\n( {2}\S+ +document 1, operation \d+\n){2}data\n( {2}\S+ +(document 1, operation \d+|the data service's own interface, \w+)\n)+metrics\n {2}avg-tps +document 2, Metrics service\n {2}rolling-window-metrics +the metrics service's own interface, version 2\nnode\n/,
    )
    expect(stdout).toContain('  list-latest-evm-blocks                   document 1, operation 12\n')
  })

  test('prints the body of a REST answer byte for byte', async () => {
    const body = page([7, 6], 'next')
    const { url, asked } = await bare(() => ({ body }))
    const seen = await run(['list-latest-evm-blocks', `--url=${url}/base`, '--chainId=43114', '--pageSize=2'])
    expect(seen).toMatchObject({ code: 0, stdout: body, stderr: '' })
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /base/v1/chains/43114/blocks?pageSize=2'])
  })

  test('prints the whole envelope of a JSON-RPC answer, with lists given by commas', async () => {
    const { url, asked } = await bare(({ body }) => ({
      body: ` {"jsonrpc":"2.0", "result":{"validators":[]}, "id":${(JSON.parse(body) as { id: number }).id}}\n`,
    }))
    const seen = await run(['platform.getCurrentValidators', '--url', url, '--nodeIDs=NodeID-a,NodeID-b'])
    expect(seen).toMatchObject({ code: 0, stdout: ' {"jsonrpc":"2.0", "result":{"validators":[]}, "id":1}\n' })
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/ext/bc/P' })
    expect(JSON.parse(asked[0]!.body)).toMatchObject({
      method: 'platform.getCurrentValidators',
      params: { nodeIDs: ['NodeID-a', 'NodeID-b'] },
    })
  })

  test.each([
    ['one page without --all', [], [[7, 6]]],
    ['all pages', ['--all'], [[7, 6], [5], [4, 3]]],
    ['as many pages as the limit needs', ['--limit=3'], [[7, 6], [5]]],
  ])('ndjson: %s, numbers as they were written', async (_, flags, expected) => {
    const pages = [page([7, 6], 'a'), page([5], 'b'), page([4, 3], '')]
    const { url, asked } = await bare((__, number) => ({ body: pages[number - 1]! }))
    const { stdout } = await run(['list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--output=ndjson', ...flags])
    const line = (number: number) =>
      `{"blockNumber":"${number}","blockTimestamp":17,"blockHash":"0x${number}","txCount":18446744073709551615,"more":{"a":1}}\n`
    expect(stdout).toBe(expected.flat().map(line).join(''))
    expect(asked.map(({ url }) => new URL(url, 'http://x').searchParams.get('pageToken'))).toEqual(
      [null, 'a', 'b'].slice(0, expected.length),
    )
  })

  test('asks for no further page once the reader of its output has ended, as in `query | head`', async () => {
    const { url, asked } = await bare(() => ({ body: page([7, 6], String(asked.length)) }))
    const lines = [] as string[]
    await runCommand(
      ['query', 'list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--output=ndjson', '--limit=6'],
      {
        stdout: (text) => lines.push(text),
        isOutputLost: () => lines.length > 1,
      },
    )
    expect(asked).toHaveLength(2)
  })

  test('json: each page on a line of its own; the limit cuts between pages', async () => {
    const pages = [page([7, 6], 'a'), page([5])]
    const { url } = await bare((_, number) => ({ body: pages[number - 1]! }))
    const { stdout } = await run(['list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--all'])
    expect(stdout).toBe(pages.join('\n'))
  })

  test.each([
    [
      ['--all'],
      [
        ['', '', '2 items, 1 page'],
        ['2 items, 1 page', '', '3 items, 2 pages'],
        ['3 items, 2 pages', '', ''],
      ],
    ],
    [
      ['--limit=4'],
      [
        ['', '', '[###############---------------]  50 %  2 of 4 items'],
        [
          '[###############---------------]  50 %  2 of 4 items',
          '',
          '[######################--------]  75 %  3 of 4 items',
        ],
        ['[######################--------]  75 %  3 of 4 items', '', ''],
      ],
    ],
  ])('progress is never next to output: %j', async (flags, expected) => {
    const pages = [page([7, 6], 'a'), page([5], 'b'), page([4, 3])]
    const { url } = await bare((_, number) => ({ body: pages[number - 1]! }))
    const shown: string[] = ['']
    const around: string[][] = []
    await runCommand(['query', 'list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--output=ndjson', ...flags], {
      progress: (text) => {
        // Drawing over what stands there clears it.
        if (around.at(-1)?.length === 2) around.at(-1)!.push(text)
        shown.push(text)
      },
      stdout: () => around.push(shown.slice(-2)),
    })
    expect(around).toEqual(expected)
  })

  test('how far it is does not stand before an error', async () => {
    const { url } = await bare((_, number) =>
      number === 1 ? { body: page([7], 'a') } : { status: 400, body: '{"message":"no such page"}' },
    )
    const seen = await run(['list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--all'])
    expect(seen).toMatchObject({ code: 5, stdout: `${page([7], 'a')}\n` })
    expect(seen.progress).toEqual(['', '1 item, 1 page', ''])
  })

  test('a token that comes back is an error: the list is not complete', async () => {
    const { url, asked } = await bare(() => ({ body: page([7], 'a') }))
    const seen = await run(['list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--all', '--output=ndjson'])
    expect(seen).toMatchObject({ code: 6, stderr: expect.stringContaining('a page token came back') })
    expect(asked).toHaveLength(2)
  })

  test('a list of more than a thousand pages is followed to its end', async () => {
    const { url, asked } = await bare((_, number) => ({
      body: page([number], number > 1_000 ? undefined : String(number)),
    }))
    const seen = await run(['list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--all', '--output=ndjson'])
    expect([seen.code, asked.length, seen.stdout.split('\n').length - 1]).toEqual([0, 1_001, 1_001])
  })

  test('table: one header for all pages, no control characters of an upstream', async () => {
    const pages = [
      `{"blocks":[{"blockNumber":"7","name":"\\u001b[2J"}],"nextPageToken":"a"}`,
      `{"blocks":[{"blockNumber":"100","up":true}]}`,
    ]
    const { url } = await bare((_, number) => ({ body: pages[number - 1]! }))
    const { stdout } = await run(['list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--all', '--output=table'])
    expect(stdout).toBe('blockNumber  name  up\n7            ?[2J\n100                true\n')
  })

  test.each([
    ['a text', '"0x74b"', 'value\n0x74b\n'],
    ['a number', '18446744073709551615', 'value\n18446744073709551615\n'],
    ['yes or no', 'false', 'value\nfalse\n'],
  ])('table: %s as the whole answer is one cell', async (_, result, expected) => {
    const { url } = await bare(({ body }) => ({
      body: `{"jsonrpc":"2.0","result":${result},"id":${(JSON.parse(body) as { id: number }).id}}`,
    }))
    const { stdout } = await run(['eth_blockNumber', `--url=${url}`, '--chain=C', '--output=table'])
    expect(stdout).toBe(expected)
  })

  test.each([
    [
      'a rule of the document',
      ['list-latest-evm-blocks', '--chainId=1', '--pageSize=101'],
      1,
      '--pageSize: expected 1 to 100',
    ],
    [
      'what is missing',
      ['get-primary-network-block', '--network=fuji'],
      1,
      '--blockchainId: is missing\n--blockId: is missing',
    ],
    [
      'a rule between parameters',
      ['list-pending-rewards', '--network=fuji'],
      1,
      'one of addresses and nodeIds is required',
    ],
    ['no JSON', ['list-latest-evm-blocks', '--chainId=html'], 6, 'expected JSON, got a page (HTML)'],
    ['what is not there', ['list-latest-evm-blocks', '--chainId=gone'], 3, 'HTTP 404: not there: no such chain'],
    ['an error of the service', ['list-latest-evm-blocks', '--chainId=bad'], 5, 'HTTP 400: chainId is odd'],
    [
      'what the node does not have',
      ['platform.getCurrentSupply'],
      4,
      'the node does not have what was asked for: not found',
    ],
    [
      'an error of the node',
      ['platform.getBlockchainStatus', '--blockchainID=P'],
      4,
      'the node answered with error -32000: not found',
    ],
  ])('says %s, with an exit code of its own', async (_, args, code, message) => {
    const { url } = await bare(({ url, body }) => {
      if (url.includes('html')) return { body: '<html>' }
      if (url.includes('gone'))
        return { status: 404, body: '{"message":"no such chain","statusCode":404,"error":"Not Found"}' }
      if (url.includes('bad'))
        return { status: 400, body: '{"message":["chainId is odd"],"statusCode":400,"error":"Bad Request"}' }
      const { id } = JSON.parse(body) as { id: number }
      return { body: `{"jsonrpc":"2.0","error":{"code":-32000,"message":"not found"},"id":${id}}` }
    })
    const seen = await run([...args, `--url=${url}`])
    expect(seen).toMatchObject({ code, stdout: '' })
    expect(seen.stderr).toContain(message)
  })

  test('a refused connection has an exit code of its own', async () => {
    const seen = await run(['avg-tps', '--chainId=1', '--url=http://127.0.0.1:1'])
    expect(seen).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining('the connection failed') })
  })

  test('that nothing listens names the upstream that was taken', async () => {
    const yaml = 'networks: [{ name: mainnet, nodes: [{ name: node-a, url: "http://127.0.0.1:1" }] }]'
    const { stderr } = await run(['info.peers', '--config.file=a.yml'], { 'a.yml': yaml })
    expect(stderr).toMatch(/^node-a \(127\.0\.0\.1:1\): the connection failed/)
  })

  test('that an authority is unknown has a remedy for a URL, which has no ca_file', async () => {
    const { url } = await createTlsUpstream()
    const { stderr } = await run(['info.peers', `--url=${url}`])
    expect(stderr).toMatch(/unknown authority: trust it on this system, or name its file in NODE_EXTRA_CA_CERTS$/)
    const yaml = `networks: [{ name: mainnet, nodes: [{ name: node-a, url: "${url}" }] }]`
    expect((await run(['info.peers', '--config.file=a.yml'], { 'a.yml': yaml })).stderr).toMatch(/in ca_file$/)
  })

  test('that a proxy forbids the upstream has a remedy for a URL, which has no key proxy', async () => {
    const { url: proxy } = await createProxyServer({ refuses: 403 })
    const { stderr } = await runCommand(['query', 'info.peers', '--url=https://127.0.0.1:1'], {
      env: { HTTPS_PROXY: proxy() },
    })
    expect(stderr).toMatch(
      /forbids this upstream \(HTTP 403\): allow it there, or name its host in NO_PROXY to go direct$/,
    )
  })

  test('takes upstream, key and network from the configuration', async () => {
    const { url, asked } = await bare(() => ({ body: '{"blocks":[]}' }))
    const yaml = `
networks:
  - { name: mainnet, data_api: { url: "http://127.0.0.1:1" } }
  - { name: other, data_api: { url: "${url}", network: testnet, key: "k-1" } }
`
    const args = ['list-latest-primary-network-blocks', '--blockchainId=p-chain', '--config.file=a.yml']
    expect(await run([...args, '--config.network=other'], { 'a.yml': yaml })).toMatchObject({
      code: 0,
      stdout: '{"blocks":[]}',
    })
    expect(asked[0]).toMatchObject({
      url: '/v1/networks/testnet/blockchains/p-chain/blocks?pageSize=10',
      headers: { 'x-data-api-key': 'k-1' },
    })
    const unknown = await run([...args, '--config.network=fuji'], { 'a.yml': yaml })
    expect(unknown).toMatchObject({ code: 1, stderr: '--config.network: expected one of mainnet, other' })
    const node = await run(['platform.getCurrentSupply', '--config.file=a.yml'], { 'a.yml': yaml })
    expect(node).toMatchObject({ code: 1, stderr: 'no upstream of the node service is configured' })
  })

  test.each([
    ['no upstream', ['avg-tps', '--chainId=1'], 'where to ask? Give --url, or --config.file'],
    [
      'an address and an upstream of a configuration',
      ['avg-tps', '--chainId=1', '--url=http://127.0.0.1:1', '--config.source=a'],
      "option '--url <url>' cannot be used with option '--config.source <name>'",
    ],
    ['no URL', ['avg-tps', '--chainId=1', '--url=here'], '--url: expected a URL'],
    [
      'an unknown parameter',
      ['avg-tps', '--chainsId=1', '--url=http://127.0.0.1:1'],
      'unknown parameter chainsId; did you mean chainId?',
    ],
    [
      'a parameter that is like none',
      ['avg-tps', '--network', 'fuji', '--chainId=1'],
      'unknown parameter network; known: chainId, pageToken, url, config.file,',
    ],
    ['a value without its flag', ['avg-tps', '43114'], "'43114' is no flag: parameters are given as --name=value"],
    ['a misspelt operation', ['avg-tp', '--chainId=1'], "unknown operation 'avg-tp'; did you mean avg-tps?"],
    ['an operation that is like none', ['blocks'], "unknown operation 'blocks'; stakewatch query lists what there is"],
    ['a flag in place of an operation', ['--all'], "unknown operation '--all'"],
  ])('%s', async (_, args, message) => {
    const seen = await run(args)
    expect(seen.code).toBe(1)
    expect(seen.stderr).toContain(message)
  })
})

describe('an action', () => {
  const probe = defineOperation({
    name: 'probe',
    source: 'document 1, operation 1',
    service: 'data',
    effect: 'action',
    via: { post: '/v1/probe', body: ['message'] },
    params: z.object({ message: z.string().min(1) }),
    answer: z.object({}),
    cost: 20,
  })

  async function act(flags: readonly string[], confirm: Io['confirm']) {
    const { url, asked } = await bare(() => ({ status: 201, body: ' {"signed" : 1} ' }))
    let stdout = ''
    const command = new Command('probe').exitOverride().configureOutput({ writeErr: () => {} })
    answering(command, probe, { ...quietIo, confirm, stdout: (text) => (stdout += text) })
    const thrown: unknown = await command
      .parseAsync([`--url=${url}`, ...flags], { from: 'user' })
      .catch((error: unknown) => error)
    return { host: new URL(url).host, code: thrown === command ? 0 : exitCodeOf(thrown), stdout, asked: asked.length }
  }

  test('asks first, then prints the body as it came', async () => {
    const questions: string[] = []
    const confirm = async (question: string) => questions.push(question) > 0
    const { host, ...ended } = await act(['--message=0x1'], confirm)
    expect(ended).toEqual({ code: 0, stdout: ' {"signed" : 1} ', asked: 1 })
    expect(questions).toEqual([`${host}: make validators of the network work for probe?`])
  })

  test.each([
    ['--yes', ['--message=0x1', '--yes'], undefined, { code: 0, stdout: ' {"signed" : 1} ', asked: 1 }],
    ['a person who says no', ['--message=0x1'], false, { code: 9, stdout: '', asked: 0 }],
    ['neither a terminal nor --yes', ['--message=0x1'], undefined, { code: 1, stdout: '', asked: 0 }],
    ['a wrong parameter, before any confirmation', ['--message='], false, { code: 1, stdout: '', asked: 0 }],
  ])('with %s', async (_, flags, answer, expected) => {
    const confirm = () => (answer === undefined ? undefined : Promise.resolve(answer))
    expect(await act(flags, confirm)).toMatchObject(expected)
  })

  test('may take the minute that validators need', () => {
    expect(timeoutOf({ effect: 'action' })).toBeGreaterThanOrEqual(60_000)
    expect(timeoutOf({ effect: 'read' })).toBeLessThan(60_000)
  })
})

test.each([
  [{}, '--first: is missing'],
  [{ first: 'maybe' }, '--first: expected yes or no'],
  // The rule says what to do, and not only that something is missing.
  [{ first: 'yes' }, '--second: required with --first=yes'],
  [{ first: 'no', second: '' }, '--second: is empty'],
  [{ first: 'no', order: 'up' }, '--order: expected one of asc, desc'],
  [{ first: 'no', order: '' }, '--order: is empty'],
  [{ first: 'no', addresses: 'a,,b' }, '--addresses (value 2): is empty'],
  [{ first: 'no', addresses: '' }, '--addresses (value 1): is empty'],
  [{ first: 'no', kinds: 'A,C' }, '--kinds (value 2): expected one of A, B'],
  [{ first: 'no', height: '-1' }, '--height: expected a number from 0 on'],
  [{ first: 'no', height: 'x' }, '--height: expected an integer'],
  [{ first: 'no', size: '9' }, '--size: expected a number from 1 to 8'],
])('%j is refused by flag', (texts, message) => {
  const first = z.enum(['yes', 'no'], 'expected yes or no')
  const params = z.object({
    first,
    second: z.string().min(1).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    addresses: z.array(z.string().min(1)).optional(),
    kinds: z.array(z.enum(['A', 'B'])).optional(),
    height: integer.pipe(z.int().min(0)).optional(),
    size: integer.pipe(z.int().min(1).max(8)).optional(),
  })
  const operation = defineOperation({
    name: 'probe',
    source: 'document 1',
    service: 'data',
    effect: 'read',
    via: { get: '/v1/probe' },
    params: params.refine(({ first, second }) => first === 'no' || second, {
      path: ['second'],
      message: 'required with --first=yes',
    }),
    answer: z.object({}),
    cost: 1,
  })
  expect(() => wireOf(operation, texts)).toThrow(`${message}\nRun with --help for what probe takes.`)
})

test.each([
  [['avg-tps', '--chain-id=43114']],
  [['avg-tps', '--chain-id', '43114']],
  [['avg-tps', '--chainId=43114']],
  [['AVG-TPS', '--chainId=43114']],
  [['Avg-Tps', '--chain-id', '43114', '--output', 'json']],
])('%j is understood', async (args) => {
  const { url, asked } = await bare(() => ({ body: '{"results":[]}' }))
  expect(await run([...args, `--url=${url}`])).toMatchObject({ code: 0, stderr: '' })
  expect(asked.length).toBe(1)
})

test('the help of an operation is made of its definition', async () => {
  const { stdout } = await run(['list-utxos-v2', '--help'])
  // Lines are broken at the width of the terminal.
  const help = stdout.replace(/\s+/g, ' ')
  for (const words of [
    'Usage: stakewatch query list-utxos-v2 [options]',
    'document 1, operation 3; data service',
    '--network <value> the network; fuji and testnet are the same (mainnet, fuji, testnet; required)',
    '--includeSpent <value> spent ones as well (true, false)',
    '--pageToken <value> token received in nextPageToken of a previous call --',
    '--pageSize <value> items per page (1..1024; default: 10)',
    '--all follow the pages to the end',
  ]) {
    expect(help).toContain(words)
  }
})

test.each([
  ['--all', 'platform.getCurrentValidators'],
  ['--limit', 'platform.getCurrentSupply'],
  ['--yes', 'avg-tps'],
])('%s is no flag of %s', async (flag, operation) => {
  expect((await run([operation, '--help'])).stdout).not.toContain(flag)
})
