// Faults of the envelope: valid JSON that does not say what an answer says.

import {
  type Answer,
  changed,
  type Fault,
  isObject,
  type Json,
  listIn,
  parseExactly,
  type Script,
  withBody,
} from './define.ts'
import type { Random } from '../../../src/simulator/world/random.ts'

/** Another envelope around the result of a call. */
function enveloped(proper: Answer, envelope: (result: Json, id: Json) => Json): Script | undefined {
  if (proper.status !== 200) return undefined
  const all = parseExactly(proper.body)
  return isObject(all) && all['result'] !== undefined
    ? withBody(proper, JSON.stringify(envelope(all['result'], all['id'] ?? null)))
    : undefined
}

const rpc = (id: Json, rest: { [key: string]: Json }): Json => ({ jsonrpc: '2.0', ...rest, id })
const error = (code: Json, message: Json) => ({ error: { code, message, data: null } })

const envelopes: Readonly<Record<string, (result: Json, id: Json) => Json>> = {
  'wrong-id': (result) => rpc(999_999_999, { result }),
  'no-id': (result) => ({ jsonrpc: '2.0', result }),
  'id-as-text': (result, id) => rpc(JSON.stringify(id), { result }),
  'id-null': (result) => rpc(null, { result }),
  'internal-error': (_, id) => rpc(id, error(-32_000, 'internal error')),
  'parse-error': () => rpc(null, error(-32_700, 'parse error')),
  'error-and-result': (result, id) => rpc(id, { result, ...error(-32_000, 'but') }),
  'error-as-text': (_, id) => rpc(id, { error: 'failed' }),
  'error-false': (_, id) => rpc(id, { error: false }),
  'error-of-nothing': (_, id) => rpc(id, { error: {} }),
  'result-null': (_, id) => rpc(id, { result: null }),
  'result-missing': (_, id) => rpc(id, {}),
  'result-text': (result, id) => rpc(id, { result: JSON.stringify(result) }),
  'result-list': (result, id) => rpc(id, { result: [result] }),
  'result-empty': (_, id) => rpc(id, { result: {} }),
  batch: (result, id) => [rpc(id, { result })],
}

type Whole = { [key: string]: Json }

const services: Readonly<Record<string, (value: Whole) => Json>> = {
  'error-with-status-200': () => ({ message: 'internal error', error: 'Internal Server Error', statusCode: 500 }),
  wrapped: (value) => ({ data: value }),
  nulls: (value) => Object.fromEntries(Object.keys(value).map((key) => [key, null])),
  texts: (value) => Object.fromEntries(Object.keys(value).map((key) => [key, 'x'])),
  'other-names': (value) => Object.fromEntries(Object.entries(value).map(([key, one]) => [`${key}_`, one])),
}

const withFields = (item: Json | undefined, change: (value: Json) => Json): Json =>
  item !== null && typeof item === 'object' && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).map(([name, value]) => [name, change(value)]))
    : change(item ?? null)

const OF_LISTS = { phase: 'lists and pages', weight: 0.25, counts: 'if it reads differently' } as const

const lists: Readonly<Record<string, (items: Json[]) => Json>> = {
  'list-null': () => null,
  'list-as-object': (items) => Object.fromEntries(items.entries()),
  'items-null': (items) => items.map(() => null),
  'items-numbers': (items) => items.map((_, at) => at),
  'items-empty': (items) => items.map(() => ({})),
  'items-nested': (items) => [items],
  'one-item-null': ([, ...rest]) => [null, ...rest],
  'one-item-unreadable': ([first, ...rest]) => [
    withFields(first, (value) => (typeof value === 'string' ? -1 : 'x')),
    ...rest,
  ],
  'one-item-huge': ([first, ...rest]) => [withFields(first, () => '9'.repeat(100_000)), ...rest],
  duplicates: (items) => items.flatMap((item) => [item, item]),
}

/** What they say can pass for the truth. */
const lyingLists: typeof lists = {
  'empty-list': () => [],
  'item-missing': (items) => items.slice(1),
  reversed: (items) => items.toReversed(),
  'half-list': (items) => items.slice(0, Math.ceil(items.length / 2)),
}

const tokens: Readonly<Record<string, (dice: Random) => Json>> = {
  'same-token-for-ever': () => 'again',
  'new-token-for-ever': (dice) => dice.hex(16),
  'token-number': () => 7,
  'token-huge': () => 'x'.repeat(100_000),
}

const listFaults = (all: typeof lists, lies?: true): Fault[] =>
  Object.entries(all).map(([name, change]) => ({
    name,
    ...OF_LISTS,
    ...(lies && { lies }),
    make: (proper, asked) =>
      changed(proper, asked, (value) => {
        const list = listIn(value)
        return list && list.items.length > 0 ? { ...value, [list.name]: change(list.items) } : undefined
      }),
  }))

export const envelopeFaults: readonly Fault[] = [
  ...Object.entries(envelopes).map(([name, envelope]): Fault => ({
    name,
    phase: 'envelope of a node',
    weight: 0.6,
    counts: 'if it reads differently',
    only: ['node'],
    make: (proper) => enveloped(proper, envelope),
  })),
  ...Object.entries(services).map(([name, change]): Fault => ({
    name,
    phase: 'envelope of a service',
    weight: 0.6,
    counts: 'if it reads differently',
    only: ['data', 'metrics'],
    make: (proper, asked) => changed(proper, asked, change),
  })),
  ...listFaults(lists),
  ...listFaults(lyingLists, true),
  {
    name: 'empty-pages-for-ever',
    ...OF_LISTS,
    only: ['data'],
    lies: true,
    make: (proper, asked, dice) =>
      changed(proper, asked, (value) => {
        const list = listIn(value)
        return list ? { ...value, [list.name]: [], nextPageToken: dice.hex(16) } : undefined
      }),
  },
  ...Object.entries(tokens).map(([name, token]): Fault => ({
    name,
    ...OF_LISTS,
    only: ['data'],
    make: (proper, asked, dice) =>
      changed(proper, asked, (value) => (listIn(value) ? { ...value, nextPageToken: token(dice) } : undefined)),
  })),
]
