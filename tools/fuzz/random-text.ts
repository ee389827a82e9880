// Small texts with a form of their own: durations, ids, page tokens, secrets in the words of others.

import { array, constantFrom, integer, nat, oneof, string, tuple, uint8Array, type Arbitrary } from 'fast-check'
import { proxiesOf } from '../../src/config/proxies.ts'
import { BaseError } from '../../src/errors.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import {
  addressPrefixes,
  readAddress,
  readBlsKey,
  readCb58,
  readEvmAddress,
  readId,
  readNodeId,
  toAddress,
  toCb58,
  toEvmAddress,
} from '../../src/lib/ids.ts'
import { masking } from '../../src/upstream/mask.ts'
import { suggestionFor } from '../../src/lib/suggestion.ts'
import { pages } from '../../src/upstream/page-tokens.ts'
import { editedText, hostileValues, textEdits } from './json.ts'
import { type AnyParser, defineParser } from './parser.ts'

const sizeOf = (text: string) => text.length

const duration = defineParser<string>({
  name: 'duration',
  inputs: tuple(
    array(
      tuple(
        oneof(nat(1_000).map(String), constantFrom('', '-1', '1.5', '1e3', '9'.repeat(400), ' ')),
        constantFrom('d', 'h', 'm', 's', 'ms', 'w', '', 'S'),
      ),
      { maxLength: 6 },
    ),
    textEdits,
  ).map(([parts, some]) => editedText(parts.flat().join(''), some)),
  sizeOf,
  run(text) {
    const parsed = parseDuration(text)
    if (parsed === undefined) throw new BaseError('config', 'no duration')
    if (Number.isNaN(parsed) || parsed < 0) throw new Error(`${parsed} ms`)
    return parsed
  },
})

const bytes = (...lengths: number[]): Arbitrary<Uint8Array> =>
  constantFrom(...lengths).chain((length) => uint8Array({ minLength: length, maxLength: length }))
const ids = oneof(
  bytes(32, 32, 31, 33, 20, 0).map(toCb58),
  bytes(20, 20, 19, 32).map((value) => `NodeID-${toCb58(value)}`),
  tuple(
    constantFrom(...Object.values(addressPrefixes), 'other'),
    constantFrom('P', 'X', 'C', undefined, 'Q'),
    bytes(20, 20, 32),
  ).map(([prefix, chain, value]) => toAddress({ chain, prefix, bytes: value })),
  bytes(20, 20, 21).map((value) => toEvmAddress(`0x${Buffer.from(value).toString('hex')}`)),
  bytes(48, 48, 47).map((value) => `0x${Buffer.from(value).toString('hex')}`),
  constantFrom(
    '',
    'P-',
    'NodeID-',
    '0x',
    '1',
    '-',
    '1'.repeat(200),
    'avax1',
    `avax1${'q'.repeat(200)}`,
    'x'.repeat(50_000),
  ),
  string({ unit: 'binary', maxLength: 60 }),
)
const oneCase = (text: string, how: number) => (how === 0 ? text.toUpperCase() : how === 1 ? text.toLowerCase() : text)

const readers: readonly [string, (text: string) => { value?: unknown; wrong?: string | undefined }][] = [
  ['cb58', readCb58],
  ['id', readId],
  ['node id', readNodeId],
  ['address', readAddress],
  ['evm address', readEvmAddress],
  ['key', readBlsKey],
]

const id = defineParser<string>({
  name: 'ids and addresses',
  inputs: tuple(ids, nat(8), textEdits).map(([text, how, some]) => editedText(oneCase(text, how), some)),
  sizeOf,
  run(text) {
    const read = readers.map(([kind, reader]) => ({ kind, ...reader(text) }))
    for (const { kind, value, wrong } of read) {
      if ((value === undefined) === (wrong === undefined)) throw new Error(`${kind}: both or neither`)
      if (wrong !== undefined && text.length > 8 && wrong.includes(text))
        throw new Error(`${kind}: the refusal repeats the text`)
    }
    const { value: address } = readAddress(text)
    // bech32m has another checksum for the same bytes.
    if (address && readAddress(toAddress(address)).value === undefined)
      throw new Error('written again it is no address')
    const { value } = readCb58(text)
    if (value && toCb58(value) !== text) throw new Error('written again it is another id')
    if (read.every(({ wrong }) => wrong !== undefined)) throw new BaseError('config', 'no id')
    // An id goes into labels, addresses and paths.
    if (!text.isWellFormed()) throw new Error('an id that is no text')
    return read
  },
})

const tokens = oneof(
  constantFrom<unknown>('', 'a', 'b', 'c', null, undefined, ...hostileValues),
  integer().map(String),
  string({ unit: 'binary' }),
)
const token = defineParser<unknown[]>({
  name: 'page tokens',
  inputs: array(tokens, { maxLength: 30 }),
  sizeOf: ({ length }) => length,
  async run(list) {
    let asked = 0
    const sent: unknown[] = []
    const ask = (sentToken: string | undefined) => {
      sent.push(sentToken)
      // No list at all, an empty one, or one with items.
      const items = [undefined, [], [1]][list.length % 3]
      return Promise.resolve({ value: { items, nextPageToken: list[asked++] } })
    }
    const read = async () => {
      for await (const page of pages(ask, 20, 'items')) void page
    }
    const refused = await read().catch((error: unknown) => error)
    if (asked > 20) throw new Error(`${asked} pages`)
    if (new Set(sent).size < sent.length) throw new Error('a page was asked for twice')
    if (sent.slice(1).some((one) => typeof one !== 'string' || one === '')) throw new Error('a token that is no text')
    if (refused !== undefined) throw refused as Error
  },
})

const SECRETS = ['k3y/of+mine==', 'pa%2Fss"word', 'abcd', 'a b\\c&d<e>', 'ünïcödé']
const percent = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const forms = [
  (text: string) => text,
  encodeURIComponent,
  (text: string) => percent(text).toUpperCase(),
  (text: string) => new URLSearchParams({ '': text }).toString(),
]
const hidden = SECRETS.flatMap((secret) => forms.map((form) => form(secret)))
const hide = masking(SECRETS)
const mask = defineParser<{ before: string; form: string; after: string }>({
  name: 'secrets in texts',
  inputs: tuple(
    constantFrom(...hidden),
    array(oneof(string({ maxLength: 10 }), constantFrom(...Array.from('\\%\n"😀 '), '%41', '\n  ')), {
      maxLength: 4,
    }),
    textEdits,
  ).map(([form, parts, some]) => ({
    before: `${editedText(parts.join(''), some)} `,
    form,
    after: ` ${parts.toReversed().join('')}`,
  })),
  sizeOf: ({ before, form, after }) => before.length + form.length + after.length,
  run({ before, form, after }) {
    const shown = hide(`${before}${form}${after}`)
    if (shown.includes(form) || SECRETS.some((secret) => shown.includes(secret))) throw new Error(`shown: ${shown}`)
    if (before.length < 1_000 && !shown.includes('***')) throw new Error(`nothing is hidden: ${shown}`)
    if (hide(shown) !== shown) throw new Error('hidden twice, it says something else')
    return shown
  },
})

const WORDS = ['networks', 'nodes', 'name', 'url']
const suggestion = defineParser<string>({
  name: 'misspelt words',
  inputs: tuple(constantFrom(...WORDS, ''), string({ unit: 'binary', maxLength: 5 }), nat(8)).map(
    ([word, text, at]) => word.slice(0, at) + text + word.slice(at + 1),
  ),
  sizeOf,
  run(word) {
    const found = suggestionFor(word, WORDS)
    if (found === undefined) throw new BaseError('config', 'nothing is near')
    if (!WORDS.includes(found)) throw new Error(found)
    return found
  },
})

const SECRET = 'MARKER-of-a-proxy'
const proxyText = tuple(
  constantFrom('http://', 'https://', 'socks5://', '', 'HTTP://'),
  constantFrom(`user:${SECRET}@`, 'user:%zz@', ''),
  constantFrom('proxy.example:3128', '[::1]:3128', 'proxy.example', '', 'a b', 'proxy.example:99999'),
  constantFrom('', '/', '/path', '?query', ' '),
  textEdits,
).map(([scheme, user, host, end, some]) => editedText(scheme + user + host + end, some))

const environment = defineParser<Record<string, string>>({
  name: 'proxies of the environment',
  inputs: array(
    tuple(constantFrom('http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'), proxyText),
    { maxLength: 6 },
  ).map((pairs) => Object.fromEntries(pairs)),
  sizeOf: (env) => Object.values(env).join('').length,
  run(env) {
    try {
      const { http, https, none } = proxiesOf(env)
      const shown = [http, https].filter((one) => one !== undefined).map(String)
      if (shown.join().includes(SECRET)) throw new Error('a proxy shows its password')
      return [http?.reveal(), https?.reveal(), none]
    } catch (error) {
      if (error instanceof BaseError && error.message.includes(SECRET))
        throw new Error('a refusal shows a password', { cause: error })
      throw error
    }
  },
})

export const wordParsers: readonly AnyParser[] = [environment, duration, id, token, mask, suggestion]
