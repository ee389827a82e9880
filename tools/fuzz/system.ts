// Files of the system that names are looked up in.

import { constantFrom, oneof, record, string, tuple } from 'fast-check'
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

export const systemParsers: readonly AnyParser[] = [lookups]
