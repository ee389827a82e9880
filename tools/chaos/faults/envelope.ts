// Faults of the envelope: valid JSON that does not say what an answer says.

import { type Answer, changed, type Fault, isObject, type Json, listIn, parseExactly, withBody } from './define.ts'
import type { Script } from './define.ts'

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

const envelopes: readonly { name: string; lies?: true; envelope: (result: Json, id: Json) => Json }[] = [
  { name: 'wrong-id', envelope: (result) => rpc(999_999_999, { result }) },
  { name: 'no-id', envelope: (result) => ({ jsonrpc: '2.0', result }) },
  { name: 'id-as-text', envelope: (result, id) => rpc(JSON.stringify(id), { result }) },
  { name: 'id-null', envelope: (result) => rpc(null, { result }) },
  { name: 'internal-error', envelope: (_, id) => rpc(id, error(-32_000, 'internal error')) },
  {
    name: 'parse-error',
    envelope: () => rpc(null, error(-32_700, 'parse error')),
  },
  {
    name: 'error-and-result',
    envelope: (result, id) => rpc(id, { result, ...error(-32_000, 'but') }),
  },
  { name: 'error-as-text', envelope: (_, id) => rpc(id, { error: 'failed' }) },
  {
    name: 'error-false',
    envelope: (_, id) => rpc(id, { error: false }),
  },
  { name: 'error-of-nothing', envelope: (_, id) => rpc(id, { error: {} }) },
  { name: 'result-null', envelope: (_, id) => rpc(id, { result: null }) },
  { name: 'result-missing', envelope: (_, id) => rpc(id, {}) },
  {
    name: 'result-text',
    envelope: (result, id) => rpc(id, { result: JSON.stringify(result) }),
  },
  { name: 'result-list', envelope: (result, id) => rpc(id, { result: [result] }) },
  { name: 'result-empty', envelope: (_, id) => rpc(id, { result: {} }) },
  { name: 'batch', envelope: (result, id) => [rpc(id, { result })] },
]

type Whole = { [key: string]: Json }

const services: readonly { name: string; change: (value: Whole) => Json | undefined }[] = [
  {
    name: 'error-with-status-200',
    change: () => ({ message: 'internal error', error: 'Internal Server Error', statusCode: 500 }),
  },
  { name: 'wrapped', change: (value) => ({ data: value }) },
  {
    name: 'nulls',
    change: (value) => Object.fromEntries(Object.keys(value).map((key) => [key, null])),
  },
  {
    name: 'texts',
    change: (value) => Object.fromEntries(Object.keys(value).map((key) => [key, 'x'])),
  },
  {
    name: 'other-names',
    change: (value) => Object.fromEntries(Object.entries(value).map(([key, one]) => [`${key}_`, one])),
  },
]

const withFields = (item: Json | undefined, change: (value: Json) => Json): Json =>
  item !== null && typeof item === 'object' && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).map(([name, value]) => [name, change(value)]))
    : change(item ?? null)

const lists: readonly { name: string; lies?: true; change: (items: Json[]) => Json }[] = [
  { name: 'list-null', change: () => null },
  {
    name: 'list-as-object',
    change: (items) => Object.fromEntries(items.entries()),
  },
  { name: 'items-null', change: (items) => items.map(() => null) },
  { name: 'items-numbers', change: (items) => items.map((_, at) => at) },
  { name: 'items-empty', change: (items) => items.map(() => ({})) },
  { name: 'items-nested', change: (items) => [items] },
  { name: 'one-item-null', change: ([, ...rest]) => [null, ...rest] },
  {
    name: 'one-item-unreadable',
    change: ([first, ...rest]) => [withFields(first, (value) => (typeof value === 'string' ? -1 : 'x')), ...rest],
  },
  {
    name: 'one-item-huge',
    change: ([first, ...rest]) => [withFields(first, () => '9'.repeat(100_000)), ...rest],
  },
  { name: 'duplicates', change: (items) => items.flatMap((item) => [item, item]) },
  { name: 'empty-list', lies: true, change: () => [] },
  { name: 'item-missing', lies: true, change: (items) => items.slice(1) },
  { name: 'reversed', lies: true, change: (items) => items.toReversed() },
  {
    name: 'half-list',
    lies: true,
    change: (items) => items.slice(0, Math.ceil(items.length / 2)),
  },
]

const tokens: readonly { name: string; token: (dice: { hex(length: number): string }) => Json }[] = [
  { name: 'same-token-for-ever', token: () => 'again' },
  { name: 'new-token-for-ever', token: (dice) => dice.hex(16) },
  { name: 'token-number', token: () => 7 },
  { name: 'token-huge', token: () => 'x'.repeat(100_000) },
]

const listFaults: readonly Fault[] = lists.map(({ name, lies, change }) => ({
  name,
  phase: 'lists and pages',
  weight: 0.25,
  counts: 'if it reads differently',
  ...(lies ? { lies } : {}),
  make: (proper, asked) =>
    changed(proper, asked, (value) => {
      const list = listIn(value)
      return list && list.items.length > 0 ? { ...value, [list.name]: change(list.items) } : undefined
    }),
}))

const tokenFaults: readonly Fault[] = tokens.map(({ name, token }) => ({
  name,
  phase: 'lists and pages',
  weight: 0.25,
  counts: 'if it reads differently',
  only: ['data'],
  make: (proper, asked, dice) =>
    changed(proper, asked, (value) => (listIn(value) ? { ...value, nextPageToken: token(dice) } : undefined)),
}))

export const envelopeFaults: readonly Fault[] = [
  ...envelopes.map(({ name, envelope }): Fault => ({
    name,
    phase: 'envelope of a node',
    weight: 0.6,
    counts: 'if it reads differently',
    only: ['node'],
    make: (proper) => enveloped(proper, envelope),
  })),
  ...services.map(({ name, change }): Fault => ({
    name,
    phase: 'envelope of a service',
    weight: 0.6,
    counts: 'if it reads differently',
    only: ['data', 'metrics'],
    make: (proper, asked) => changed(proper, asked, change),
  })),
  ...listFaults,
  {
    name: 'empty-pages-for-ever',
    phase: 'lists and pages',
    weight: 0.25,
    counts: 'if it reads differently',
    only: ['data'],
    lies: true,
    make: (proper, asked, dice) =>
      changed(proper, asked, (value) => {
        const list = listIn(value)
        return list ? { ...value, [list.name]: [], nextPageToken: dice.hex(16) } : undefined
      }),
  },
  ...tokenFaults,
]
