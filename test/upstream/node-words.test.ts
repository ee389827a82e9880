// What a 404 of a node means, by what its P-Chain said before.

import { expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { secretUrl } from '../../src/lib/secret.ts'
import { createNodeWords } from '../../src/upstream/node-words.ts'
import { NO_NODE } from '../../src/upstream/rpc-error.ts'
import type { Source } from '../../src/upstream/source.ts'

const sourceAt = (url: string): Source => ({ service: 'node', network: 'fuji', name: 'node', url: secretUrl(url) })
const node = sourceAt('http://127.0.0.1:1')
const P = '/ext/bc/P'
const absent = new BaseError('unsupported', 'the node does not serve it')
const bootstrapping = new BaseError('not_ready', 'bootstrapping')
const noNode = new BaseError('http_status', NO_NODE)

const RESTS = ['/ext/bc/C/rpc', '/ext/index/P/block', '/ext/health', '/ext/info'] as const
const all = (code: string) => RESTS.map(() => code)

test.each<[string, readonly (BaseError | 'ok')[], readonly string[]]>([
  ['nothing yet', [], all('unsupported')],
  ['it is there', ['ok'], all('unsupported')],
  ['it bootstraps', [bootstrapping], ['not_ready', 'not_ready', 'unsupported', 'unsupported']],
  ['it has bootstrapped', [bootstrapping, 'ok'], all('unsupported')],
  ['it is not there', [noNode], all('http_status')],
  ['it is not there, and then it is', [noNode, 'ok'], all('unsupported')],
  [
    'it is not there, and then it bootstraps',
    [noNode, bootstrapping],
    ['not_ready', 'not_ready', 'unsupported', 'unsupported'],
  ],
  ['it is not there, and then nothing answers', [noNode, new BaseError('network', 'refused')], all('http_status')],
])('where the P-Chain said: %s', (_, said, expected) => {
  const words = createNodeWords()
  for (const one of said) {
    if (one === 'ok') words.answered(node, P)
    else words.understood(node, P, one)
  }
  expect(RESTS.map((path) => words.understood(node, path, absent).code)).toEqual(expected)
})

test('an answer of another path or of another node changes nothing, and other errors mean what they say', () => {
  const words = createNodeWords()
  words.understood(node, P, noNode)
  words.answered(node, '/ext/health')
  words.answered(sourceAt('http://127.0.0.1:2'), P)
  expect(words.understood(node, '/ext/info', absent).message).toBe(NO_NODE)
  expect(words.understood(sourceAt('http://127.0.0.1:2'), '/ext/info', absent)).toBe(absent)
  const late = new BaseError('timeout', 'late')
  expect(words.understood(node, '/ext/info', late)).toBe(late)
})
