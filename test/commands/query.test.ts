// query against bare servers: what is asked, what is printed, and how failures are told.

import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answering } from '../../src/commands/query-answer.ts'
import { timeoutOf } from '../../src/commands/upstream-flags.ts'
import { defineOperation } from '../../src/operations/define.ts'
import { bare, bareNode } from '../support/bare-server.ts'
import { quietIo, runCommand } from '../support/command.ts'

const run = (args: readonly string[], files: Readonly<Record<string, string>> = {}) =>
  runCommand(['query', ...args], { readFile: (path) => files[path] ?? '' })

/** As document 1, EvmBlock, gives them; the white space is the server's own. */
const page = (numbers: readonly number[], next?: string) =>
  `{ "blocks": [${numbers.map((number) => `{"blockNumber":"${number}","blockTimestamp":17,"blockHash":"0x${number}","txCount":18446744073709551615,"more":{"a":1}}`).join(',')}]${next === undefined ? '' : `, "nextPageToken": "${next}"`} }`

describe('query', () => {
  test('alone lists the reading operations by service, with where the documents define them', async () => {
    const { stdout } = await run([])
    expect(stdout).toMatch(
      /^data\n( {2}\S+ +document 1, operation \d+\n)+metrics\n {2}avg-tps +document 2, Metrics service\nnode\n/,
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

  test('json: each page on a line of its own; the limit cuts between pages', async () => {
    const pages = [page([7, 6], 'a'), page([5])]
    const { url } = await bare((_, number) => ({ body: pages[number - 1]! }))
    const { stdout } = await run(['list-latest-evm-blocks', `--url=${url}`, '--chainId=1', '--all'])
    expect(stdout).toBe(pages.join('\n'))
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
    ['no JSON', ['list-latest-evm-blocks', '--chainId=html'], 6, 'expected JSON, got HTML'],
    ['what is not there', ['list-latest-evm-blocks', '--chainId=gone'], 3, 'HTTP 404: not there: no such chain'],
    ['an error of the service', ['list-latest-evm-blocks', '--chainId=bad'], 5, 'HTTP 400: chainId is odd'],
    ['an error of the node', ['platform.getCurrentSupply'], 4, 'the node answered with error -32000: not found'],
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
