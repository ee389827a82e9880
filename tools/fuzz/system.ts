// Files of the system and of the operator that are read while the daemon runs: those that names are looked up in, and a web
// configuration that is being rewritten.

import { array, constantFrom, nat, oneof, record, string, subarray, tuple } from 'fast-check'
import { webSourceOf } from '../../src/commands/serve/web-config-file.ts'
import type { WebConfig } from '../../src/config/web/web-config.ts'
import { createWebConfigReloader } from '../../src/server/web-config-reload.ts'
import { createLookup } from '../../src/upstream/names.ts'
import { editedText, textEdits } from './json.ts'
import { type AnyParser, defineParser } from './parser.ts'

const HOSTS = '127.0.0.1 localhost\n::1 localhost ip6-localhost\n# comment\n10.0.0.1 node-a node-a.lan # a\n'
const RESOLV = 'nameserver 10.0.0.53\nsearch x.local svc.local\noptions ndots:5 timeout:1\ndomain lan\n'
const MOST_ASKED = 7

const lookups = defineParser({
  name: 'the hosts file and resolv.conf',
  inputs: record({
    hosts: tuple(constantFrom(HOSTS, ''), textEdits).map(([text, edits]) => editedText(text, edits)),
    resolv: tuple(constantFrom(RESOLV, ''), textEdits).map(([text, edits]) => editedText(text, edits)),
    host: oneof(constantFrom('node-a', 'localhost', 'a.localhost', 'node.dev', 'a.b.c.d.e.f.', '.'), string()),
  }),
  sizeOf: ({ hosts, resolv, host }) => hosts.length + resolv.length + host.length,
  async run({ hosts, resolv, host }) {
    const asked: string[] = []
    /** DNS knows nothing. */
    const unknown = (name: string) => {
      asked.push(name)
      return Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }))
    }
    const lookup = createLookup({
      now: () => 0,
      readFile: (path) => Promise.resolve(path === '/etc/hosts' ? hosts : resolv),
      resolver: () => ({ resolve4: unknown, resolve6: unknown }),
      system: () => Promise.resolve([{ address: '10.0.0.9', family: 4 }]),
    })
    const found = await new Promise((resolve) =>
      lookup(host, { all: true }, (error, all) => resolve(error?.code ?? all)),
    )
    if (!Array.isArray(found) || found.length === 0) throw new Error(`nothing was found: ${String(found)}`)
    if (new Set(asked).size > MOST_ASKED || asked.some((name) => !name.startsWith(host)))
      throw new Error(`asked for ${asked.join(', ')}`)
    return { found, asked: asked.length }
  },
})

const SANS = ['prometheus.example', 'prometheus', 'spiffe://a/b']
const HASH = '$2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG'
const parts = record({
  users: subarray(['alice', 'bob', 'prometheus']),
  limit: subarray(['  interval: 1s\n', '  burst: 20\n'], { minLength: 2 }),
  hasLimit: nat(1),
  headers: subarray(['    X-Frame-Options: deny\n', '    X-XSS-Protection: "1"\n']),
  sans: subarray(SANS),
  order: array(nat(3), { minLength: 4, maxLength: 4 }),
})

/** Blocks of the file in any order. TLS itself needs certificates: web-matrix.test.ts cuts files with them at each byte. */
const fileOf = ({
  users,
  limit,
  hasLimit,
  headers,
  order,
}: {
  users: string[]
  limit: string[]
  hasLimit: number
  headers: string[]
  order: number[]
}) =>
  [
    users.length > 0 ? `basic_auth_users:\n${users.map((user) => `  ${user}: ${HASH}\n`).join('')}` : '',
    hasLimit ? `rate_limit:\n${limit.join('')}` : '',
    headers.length > 0 ? `http_server_config:\n  headers:\n${headers.join('')}` : '',
    '# the end\n',
  ]
    .map((block, at) => ({ block, at: order[at]! }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ block }) => block)
    .join('')

const webFiles = defineParser({
  name: 'a web configuration that is cut off, again and again',
  inputs: record({ parts, cuts: array(nat(600), { minLength: 1, maxLength: 6 }) }),
  sizeOf: ({ parts: some }) => fileOf(some).length,
  run({ parts: some, cuts }) {
    const whole = fileOf(some)
    let text = whole
    let time = 0
    const web = createWebConfigReloader(webSourceOf('web.yml', { env: {}, readFile: () => text })!, {
      clock: { now: () => ({ steady: (time += 1_000) }), after: () => () => {} },
      validate: () => {},
      reread: () => {},
    })
    const first = web.current()
    for (const cut of cuts) {
      text = whole.slice(0, cut % (whole.length + 1))
      promiseNoMore(first, web.current(), text)
    }
    return web.current().users.size
  },
})

function promiseNoMore(before: WebConfig, now: WebConfig, text: string): void {
  const isMore =
    (before.users.size > 0 && now.users.size === 0) ||
    [...now.users.keys()].some((user) => !before.users.has(user)) ||
    (before.rateLimit !== undefined && (now.rateLimit?.burst ?? Infinity) > before.rateLimit.burst)
  if (isMore) throw new Error(`more clients may connect after ${JSON.stringify(text)}`)
}

export const systemParsers: readonly AnyParser[] = [lookups, webFiles]
