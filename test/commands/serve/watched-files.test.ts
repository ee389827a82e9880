// Both files that a daemon reads again, on a real disk, exchanged in the ways in which operators and machines do so.

import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createConfigFile, webSourceOf } from '../../../src/commands/serve/watched-files.ts'
import { lookAtRegularFile, readRegularFile } from '../../../src/process/read-file.ts'
import { certificate } from '../../support/certificates.ts'

const io = { env: {}, readFile: readRegularFile, lookAt: lookAtRegularFile }
const { cert, key } = certificate('stakewatch')

interface Kind {
  yaml: string
  /** What the file names: as it is, and as it is later; both have the same length. */
  named: string
  first: string
  second: string
  open: (path: string) => { read: () => unknown; isChanged: () => Promise<boolean> }
}

const kinds: Readonly<Record<string, Kind>> = {
  'the configuration': {
    yaml: 'networks: [{ name: fuji, data_api: { url: "https://data.example", key_file: named } }]\n',
    named: 'named',
    first: 'first!',
    second: 'second',
    open(path) {
      const file = createConfigFile(path, io)
      return { read: () => file.read(), isChanged: file.isChanged }
    },
  },
  'the web configuration': {
    yaml: `tls_server_config: { cert_file: named, key: ${JSON.stringify(key)} }\n`,
    named: 'named',
    first: cert,
    // What stands around the certificate does not count for it.
    second: `${cert.slice(0, -1)} `,
    open: (path) => webSourceOf(path, io)!,
  },
}

/** What `file` and `named` are is in a folder, and that is behind a link: ..data, as Kubernetes mounts what it keeps. */
function mounted({ yaml, named, first, open }: Kind) {
  const folder = mkdtempSync(join(tmpdir(), 'watched-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)
  const put = (name: string, text: string) => writeFileSync(at(name), text)
  mkdirSync(at('..one'))
  symlinkSync('..one', at('..data'))
  for (const [name, text] of [
    ['file', yaml],
    [named, first],
  ] as const) {
    put(`..one/${name}`, text)
    symlinkSync(`..data/${name}`, at(name))
  }
  const watched = open(at('file'))
  watched.read()
  return { at, put, watched }
}

type Mounted = ReturnType<typeof mounted>

const touches: Readonly<Record<string, [(mounted: Mounted, kind: Kind) => void, boolean]>> = {
  'without a change': [() => {}, false],
  'it is written as it was': [({ put }, { yaml }) => put('file', yaml), false],
  'it is written': [({ put }, { yaml }) => put('file', `${yaml}# more\n`), true],
  'what it names is written': [({ put }, { second }) => put('named', second), true],
  'what it names is exchanged by one of the same size and time': [
    ({ at, put }, { second }) => {
      const before = statSync(at('named'))
      put('other', second)
      utimesSync(at('other'), before.atime, before.mtime)
      renameSync(at('other'), at('..one/named'))
      const { size, mtimeMs } = statSync(at('named'))
      expect([size, Math.floor(mtimeMs / 1_000)]).toEqual([before.size, Math.floor(before.mtimeMs / 1_000)])
    },
    true,
  ],
  'the link to the folder is turned': [
    ({ at, put }, { yaml, second }) => {
      mkdirSync(at('..two'))
      put('..two/file', yaml)
      put('..two/named', second)
      symlinkSync('..two', at('..data_tmp'))
      renameSync(at('..data_tmp'), at('..data'))
      rmSync(at('..one'), { recursive: true })
    },
    true,
  ],
  'the link is turned to a folder with the same': [
    ({ at, put }, { yaml, first }) => {
      mkdirSync(at('..two'))
      put('..two/file', yaml)
      put('..two/named', first)
      symlinkSync('..two', at('..data_tmp'))
      renameSync(at('..data_tmp'), at('..data'))
    },
    false,
  ],
  'what it names is gone': [({ at }) => rmSync(at('..one/named')), true],
  'it is gone': [({ at }) => rmSync(at('..one/file')), true],
  'it was gone for a moment': [
    ({ at }) => {
      renameSync(at('..one/file'), at('away'))
      renameSync(at('away'), at('..one/file'))
    },
    false,
  ],
}

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  test.each(Object.entries(touches))('when %s', async (_, [touch, isChanged]) => {
    const one = mounted(kind)
    touch(one, kind)
    expect(await one.watched.isChanged()).toBe(isChanged)
  })

  test('that is gone is refused once, and read when it is back', async () => {
    const { at, watched } = mounted(kind)
    renameSync(at('..one/named'), at('away'))
    expect(await watched.isChanged()).toBe(true)
    expect(() => watched.read()).toThrow('there is no such file')
    expect(await watched.isChanged()).toBe(false)
    renameSync(at('away'), at('..one/named'))
    expect(await watched.isChanged()).toBe(true)
    watched.read()
    expect(await watched.isChanged()).toBe(false)
  })
})
