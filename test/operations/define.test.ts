import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineOperation, fromText, parseAnswer, toWire } from '../../src/operations/define.ts'
import { integer, unsigned } from '../../src/operations/fields.ts'

const about = { source: 'a test', service: 'data', effect: 'read', answer: z.object({}), cost: 1 } as const

const listThings = defineOperation({
  ...about,
  name: 'list-things',
  via: { get: '/v1/{network}/things/{thingId}' },
  params: z.object({
    network: z.enum(['mainnet', 'fuji']),
    thingId: z.string(),
    kinds: z.array(z.string()).optional(),
    spent: z.boolean().optional(),
    addresses: z
      .array(z.string())
      .transform((list) => list.join())
      .optional(),
    pageSize: integer.default(10),
  }),
})

const sign = defineOperation({
  ...about,
  name: 'sign',
  via: { post: '/v1/{network}/sign', body: ['message', 'quorum'] },
  params: z.object({
    network: z.string(),
    message: z.string(),
    quorum: integer.optional(),
    pageSize: integer.optional(),
  }),
})

const getValidators = defineOperation({
  ...about,
  name: 'get-validators',
  service: 'node',
  via: { rpc: '/ext/bc/P' },
  params: z.object({ subnetID: z.string().optional(), nodeIDs: z.array(z.string()).default([]) }),
})

const getBlock = defineOperation({
  ...about,
  name: 'get-block',
  service: 'node',
  via: { rpc: '/ext/bc/{chain}/rpc', args: ['block', 'full'] },
  params: z.object({ full: z.boolean().default(false), chain: z.string(), block: z.string().default('latest') }),
})

const getAverage = defineOperation({
  ...about,
  name: 'get-average',
  via: { get: '/v1/average/{chainId}', moved: { get: '/v2/chains/{chainId}/average', query: { pageSize: '1' } } },
  params: z.object({ chainId: z.string(), pageToken: z.string().optional() }),
})

describe('toWire', () => {
  test.each([
    [
      'path and query, defaults included',
      listThings,
      { network: 'fuji', thingId: 'a' },
      { path: '/v1/fuji/things/a', query: { pageSize: '10' }, body: {} },
    ],
    [
      'a list in the query stays a list; text of everything else',
      listThings,
      { network: 'fuji', thingId: 'a', kinds: ['x', 'y'], spent: false, pageSize: '5' },
      { path: '/v1/fuji/things/a', query: { kinds: ['x', 'y'], spent: 'false', pageSize: '5' }, body: {} },
    ],
    [
      'what the body names goes there as it is, the rest to the query',
      sign,
      { network: 'fuji', message: '0x', quorum: 67, pageSize: 2 },
      { path: '/v1/fuji/sign', query: { pageSize: '2' }, body: { message: '0x', quorum: 67 } },
    ],
    [
      'all that is given is an argument of a method',
      getValidators,
      { subnetID: 's', nodeIDs: ['a'] },
      { path: '/ext/bc/P', query: {}, body: { subnetID: 's', nodeIDs: ['a'] } },
    ],
    [
      'a method may take its parameters by their place',
      getBlock,
      { chain: 'C', full: true },
      { path: '/ext/bc/C/rpc', query: {}, body: {}, args: ['latest', true] },
    ],
    [
      'the same question at the path that services have moved an operation to',
      getAverage,
      { chainId: '1', pageToken: 't' },
      {
        path: '/v1/average/1',
        query: { pageToken: 't' },
        body: {},
        moved: { path: '/v2/chains/1/average', query: { pageSize: '1', pageToken: 't' } },
      },
    ],
    [
      'what is undefined is absent',
      getValidators,
      { subnetID: undefined },
      { path: '/ext/bc/P', query: {}, body: { nodeIDs: [] } },
    ],
  ])('%s', (_, operation, params, wire) => {
    expect(toWire(operation, params)).toEqual(wire)
  })

  test.each(['a/b', '../../v2', 'a?b=c', 'a#b', 'a%2Fb', 'a b', 'é', '...', '.a', '\\..\\'])(
    'a value cannot leave its segment of the path: %s',
    (thingId) => {
      const { path } = toWire(listThings, { network: 'fuji', thingId })
      // As the URL of a request has it, which takes dots and backslashes for steps.
      const { pathname, search, hash } = new URL(path, 'http://127.0.0.1')
      const segments = pathname.split('/')
      expect([segments.length, search, hash]).toEqual([5, '', ''])
      expect(decodeURIComponent(segments[4]!)).toBe(thingId)
    },
  )

  test.each(['', '.', '..', '\ud800', 'a\udfff'])('a value that cannot be a segment is refused: "%s"', (thingId) => {
    expect(() => toWire(listThings, { network: 'fuji', thingId })).toThrow('cannot be part of a path')
  })

  test.each([
    ['a broken rule', { network: 'moon', thingId: 'a' }, /mainnet/],
    ['a missing parameter', { network: 'fuji' }, /thingId/],
    [
      'a misspelt name',
      { network: 'fuji', thingId: 'a', kind: ['x'] },
      /unknown parameter kind; known: network, thingId/,
    ],
    ['a name that every object has', { network: 'fuji', thingId: 'a', toString: 'x' }, /unknown parameter toString/],
    ['no parameters at all', undefined, /expected object/],
  ])('refuses %s', (_, params, message) => {
    expect(() => toWire(listThings, params)).toThrow(z.ZodError)
    expect(() => toWire(listThings, params)).toThrow(message)
  })
})

describe('parseAnswer', () => {
  const list = defineOperation({
    ...about,
    name: 'list',
    via: { get: '/list' },
    params: z.object({}),
    answer: z.object({
      nextPageToken: z.string().optional(),
      items: z.array(z.object({ id: z.string(), amount: unsigned, count: integer })),
    }),
    items: 'items',
  })
  const good = (id: string) => ({ id, amount: '1', count: 2 })
  const parsed = (id: string) => ({ id, amount: 1n, count: 2 })

  test.each([
    ['one that lacks a field', [good('a'), { id: 'b', amount: '1' }, good('c')], ['a', 'c'], 1],
    ['one with two wrong fields counts once', [good('a'), { id: 'b', amount: 'x', count: 'y' }], ['a'], 1],
    ['what is no object at all', [null, 'x', good('a'), []], ['a'], 3],
    ['none', [good('a')], ['a'], 0],
    ['none of none', [], [], 0],
  ])('leaves bad items out and counts them: %s', (_, items, left, dropped) => {
    expect(parseAnswer(list, { nextPageToken: 't', items })).toEqual({
      value: { nextPageToken: 't', items: left.map(parsed) },
      unread: (items as unknown[]).filter((item) => !left.some((id) => isDeepStrictEqual(item, good(id)))),
      dropped,
      fieldsDropped: 0,
    })
  })

  test.each([
    ['all items are bad: that is not an empty list', { items: [{}, { id: 'a' }] }],
    ['the list is missing', {}],
    ['the list is none', { items: { 0: good('a') } }],
    ['a member other than the list is bad', { nextPageToken: 5, items: [good('a')] }],
    ['another member and an item are bad', { nextPageToken: 5, items: [good('a'), null] }],
    ['null', null],
    ['a list', [good('a')]],
  ])('throws when the whole does not fit: %s', (_, raw) => {
    expect(() => parseAnswer(list, raw)).toThrow(z.ZodError)
  })

  test('without a list to drop from, one bad field is too many', () => {
    const { items: _, ...whole } = list
    expect(() => parseAnswer(whole, { items: [good('a'), null] })).toThrow(z.ZodError)
  })

  test('ignores what the document does not know', () => {
    const raw = { items: [{ ...good('a'), more: 1 }], another: 1 }
    expect(parseAnswer(list, raw).value).toEqual({ items: [parsed('a')] })
  })
})

describe('fromText', () => {
  test.each([
    ['a list by commas', listThings, { kinds: 'x,y' }, { kinds: ['x', 'y'] }],
    ['a list by repeating', listThings, { kinds: ['x', 'y,z'] }, { kinds: ['x', 'y', 'z'] }],
    ['a list of one', listThings, { kinds: 'x' }, { kinds: ['x'] }],
    ['a list with a default', getValidators, { nodeIDs: 'a,b' }, { nodeIDs: ['a', 'b'] }],
    ['a list that the request joins again', listThings, { addresses: ['x', 'y'] }, { addresses: ['x', 'y'] }],
    ['a list that is joined, by commas', listThings, { addresses: 'x,y' }, { addresses: ['x', 'y'] }],
    ['a text with commas', sign, { message: 'a,b' }, { message: 'a,b' }],
    ['what is absent', sign, { message: undefined }, {}],
    ['what is unknown is left for the rules to refuse', sign, { massage: 'a' }, { massage: 'a' }],
  ])('%s', (_, operation, strings, params) => {
    expect(fromText(operation, strings)).toEqual(params)
  })
})
