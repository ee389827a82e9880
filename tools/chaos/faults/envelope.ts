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

const envelopes: readonly { name: string; about: string; lies?: true; envelope: (result: Json, id: Json) => Json }[] = [
  { name: 'wrong-id', about: 'the id of another call', envelope: (result) => rpc(999_999_999, { result }) },
  { name: 'no-id', about: 'no id', envelope: (result) => ({ jsonrpc: '2.0', result }) },
  { name: 'id-as-text', about: 'the id as a text', envelope: (result, id) => rpc(JSON.stringify(id), { result }) },
  { name: 'id-null', about: 'a result with the id null', envelope: (result) => rpc(null, { result }) },
  { name: 'internal-error', about: 'error -32000', envelope: (_, id) => rpc(id, error(-32_000, 'internal error')) },
  {
    name: 'parse-error',
    about: 'error -32700 without an id',
    envelope: () => rpc(null, error(-32_700, 'parse error')),
  },
  {
    name: 'error-and-result',
    about: 'an error next to the result',
    envelope: (result, id) => rpc(id, { result, ...error(-32_000, 'but') }),
  },
  { name: 'error-as-text', about: 'an error that is a text', envelope: (_, id) => rpc(id, { error: 'failed' }) },
  {
    name: 'error-false',
    about: 'an error that is false, and no result',
    envelope: (_, id) => rpc(id, { error: false }),
  },
  { name: 'error-of-nothing', about: 'an error without code and message', envelope: (_, id) => rpc(id, { error: {} }) },
  { name: 'result-null', about: 'a result of null', envelope: (_, id) => rpc(id, { result: null }) },
  { name: 'result-missing', about: 'neither result nor error', envelope: (_, id) => rpc(id, {}) },
  {
    name: 'result-text',
    about: 'the result as a text',
    envelope: (result, id) => rpc(id, { result: JSON.stringify(result) }),
  },
  { name: 'result-list', about: 'the result in a list', envelope: (result, id) => rpc(id, { result: [result] }) },
  { name: 'result-empty', about: 'a result without any field', envelope: (_, id) => rpc(id, { result: {} }) },
  { name: 'batch', about: 'a batch of one answer', envelope: (result, id) => [rpc(id, { result })] },
]

type Whole = { [key: string]: Json }

const services: readonly { name: string; about: string; change: (value: Whole) => Json | undefined }[] = [
  {
    name: 'error-with-status-200',
    about: 'the body of an error with status 200',
    change: () => ({ message: 'internal error', error: 'Internal Server Error', statusCode: 500 }),
  },
  { name: 'wrapped', about: 'the answer in a field `data`', change: (value) => ({ data: value }) },
  {
    name: 'nulls',
    about: 'every field null',
    change: (value) => Object.fromEntries(Object.keys(value).map((key) => [key, null])),
  },
  {
    name: 'texts',
    about: 'every field a text',
    change: (value) => Object.fromEntries(Object.keys(value).map((key) => [key, 'x'])),
  },
  {
    name: 'other-names',
    about: 'every field under another name',
    change: (value) => Object.fromEntries(Object.entries(value).map(([key, one]) => [`${key}_`, one])),
  },
]

const withFields = (item: Json | undefined, change: (value: Json) => Json): Json =>
  item !== null && typeof item === 'object' && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).map(([name, value]) => [name, change(value)]))
    : change(item ?? null)

const lists: readonly { name: string; about: string; lies?: true; change: (items: Json[]) => Json }[] = [
  { name: 'list-null', about: 'null in place of a list', change: () => null },
  {
    name: 'list-as-object',
    about: 'an object in place of a list',
    change: (items) => Object.fromEntries(items.entries()),
  },
  { name: 'items-null', about: 'a list of null', change: (items) => items.map(() => null) },
  { name: 'items-numbers', about: 'a list of numbers', change: (items) => items.map((_, at) => at) },
  { name: 'items-empty', about: 'a list of empty objects', change: (items) => items.map(() => ({})) },
  { name: 'items-nested', about: 'a list in the list', change: (items) => [items] },
  { name: 'one-item-null', about: 'null as the first item', change: ([, ...rest]) => [null, ...rest] },
  {
    name: 'one-item-unreadable',
    about: 'a first item whose fields are all of another type',
    change: ([first, ...rest]) => [withFields(first, (value) => (typeof value === 'string' ? -1 : 'x')), ...rest],
  },
  {
    name: 'one-item-huge',
    about: 'a first item with 100 kB in each field',
    change: ([first, ...rest]) => [withFields(first, () => '9'.repeat(100_000)), ...rest],
  },
  { name: 'duplicates', about: 'each item twice', change: (items) => items.flatMap((item) => [item, item]) },
  { name: 'empty-list', about: 'a list without items, where there are some', lies: true, change: () => [] },
  { name: 'item-missing', about: 'the first item is left out', lies: true, change: (items) => items.slice(1) },
  { name: 'reversed', about: 'the items the other way round', lies: true, change: (items) => items.toReversed() },
  {
    name: 'half-list',
    about: 'half of the items',
    lies: true,
    change: (items) => items.slice(0, Math.ceil(items.length / 2)),
  },
]

const tokens: readonly { name: string; about: string; token: (dice: { hex(length: number): string }) => Json }[] = [
  { name: 'same-token-for-ever', about: 'the same page token with every page', token: () => 'again' },
  { name: 'new-token-for-ever', about: 'ever new page tokens', token: (dice) => dice.hex(16) },
  { name: 'token-number', about: 'a number as page token', token: () => 7 },
  { name: 'token-huge', about: 'a page token of 100 kB', token: () => 'x'.repeat(100_000) },
]

const listFaults: readonly Fault[] = lists.map(({ name, about, lies, change }) => ({
  name,
  phase: 'lists and pages',
  weight: 0.25,
  about,
  counts: 'if it reads differently',
  ...(lies ? { lies } : {}),
  make: (proper, asked) =>
    changed(proper, asked, (value) => {
      const list = listIn(value)
      return list && list.items.length > 0 ? { ...value, [list.name]: change(list.items) } : undefined
    }),
}))

const tokenFaults: readonly Fault[] = tokens.map(({ name, about, token }) => ({
  name,
  phase: 'lists and pages',
  weight: 0.25,
  about,
  counts: 'if it reads differently',
  only: ['data'],
  make: (proper, asked, dice) =>
    changed(proper, asked, (value) => (listIn(value) ? { ...value, nextPageToken: token(dice) } : undefined)),
}))

export const envelopeFaults: readonly Fault[] = [
  ...envelopes.map(({ name, about, envelope }): Fault => ({
    name,
    phase: 'envelope of a node',
    weight: 0.6,
    about,
    counts: 'if it reads differently',
    only: ['node'],
    make: (proper) => enveloped(proper, envelope),
  })),
  ...services.map(({ name, about, change }): Fault => ({
    name,
    phase: 'envelope of a service',
    weight: 0.6,
    about,
    counts: 'if it reads differently',
    only: ['data', 'metrics'],
    make: (proper, asked) => changed(proper, asked, change),
  })),
  ...listFaults,
  {
    name: 'empty-pages-for-ever',
    phase: 'lists and pages',
    weight: 0.25,
    about: 'empty pages, each with a new token',
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
