// Files that commands write: who can read them, and what a link or a full disk makes of them.

import { execFile } from 'node:child_process'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { fileModes } from '../../src/commands/io.ts'
import { writeWhole } from '../../src/process/write-file.ts'
import { networkOfTest } from '../simulator/network.ts'

const top = mkdtempSync(join(tmpdir(), 'stakewatch-writes-'))
afterAll(() => rmSync(top, { recursive: true }))

let folder = top
beforeEach(() => {
  folder = mkdtempSync(join(top, 'test-'))
})
const at = (name: string) => join(folder, name)
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** As a process with this umask would make them. */
function withUmask(mask: number): void {
  const before = process.umask(mask)
  onTestFinished(() => void process.umask(before))
}

describe('a file', () => {
  test.each([
    ['a secret', fileModes.secret, 0o000, '600'],
    ['a secret, under a usual umask', fileModes.secret, 0o022, '600'],
    ['another text', fileModes.plain, 0o022, '644'],
    ['another text, under a narrow umask', fileModes.plain, 0o077, '600'],
  ])('with %s is new', (_, mode, mask, expected) => {
    withUmask(mask)
    expect(writeWhole(at('new/deep/file'), 'text\n', mode)).toBeUndefined()
    expect([modeOf(at('new/deep/file')), readFileSync(at('new/deep/file'), 'utf8')]).toEqual([expected, 'text\n'])
    expect(readdirSync(at('new/deep'))).toEqual(['file'])
  })

  test.each([
    ['a secret', fileModes.secret, 0o644, '600'],
    ['a secret', fileModes.secret, 0o666, '600'],
    ['a secret', fileModes.secret, 0o400, '400'],
    ['another text', fileModes.plain, 0o640, '640'],
    ['another text', fileModes.plain, 0o600, '600'],
  ])('with %s and mode %o replaces one of mode %o', (_, mode, present, expected) => {
    withUmask(0)
    writeFileSync(at('file'), 'old\n', { mode: present })
    expect(writeWhole(at('file'), 'new\n', mode)).toBeUndefined()
    expect([modeOf(at('file')), readFileSync(at('file'), 'utf8')]).toEqual([expected, 'new\n'])
    expect(readdirSync(folder)).toEqual(['file'])
  })

  test('that replaces one with more readers never shows them its text: who has the old one open reads the old one', () => {
    writeFileSync(at('file'), 'old\n', { mode: 0o644 })
    const reader = openSync(at('file'), 'r')
    writeWhole(at('file'), 'secret\n', fileModes.secret)
    expect(readFileSync(reader, 'utf8')).toBe('old\n')
    closeSync(reader)
  })
})

describe('nothing is written', () => {
  const LINK = 'it is a symbolic link, which is not followed: remove it, or name the file that it leads to'
  test.each([
    ['a link that leads nowhere', () => symlinkSync(at('elsewhere'), at('file')), LINK],
    ['a link to a file', () => (writeFileSync(at('there'), 'old'), symlinkSync(at('there'), at('file'))), LINK],
    ['a link to a folder', () => (mkdirSync(at('there')), symlinkSync(at('there'), at('file'))), LINK],
    ['a link to itself', () => symlinkSync(at('file'), at('file')), LINK],
    ['a folder', () => mkdirSync(at('file')), 'it is a directory'],
  ])('over %s', (_, prepare, expected) => {
    prepare()
    const seen = () => readdirSync(folder).map((name) => [name, lstatSync(at(name)).size])
    const before = seen()
    expect(writeWhole(at('file'), 'secret', fileModes.plain)).toBe(expected)
    expect([seen(), existsSync(at('elsewhere'))]).toEqual([before, false])
  })

  test('over a device, and below what is no folder', () => {
    writeFileSync(at('plain'), 'old')
    expect(writeWhole('/dev/null', 'text', fileModes.plain)).toBe('it is not a regular file')
    expect(writeWhole(at('plain/file'), 'text', fileModes.plain)).toBe('a part of the path is a file')
    expect(writeWhole(at('plain/deep/file'), 'text', fileModes.plain)).toBe('a part of the path is a file')
    expect(writeWhole(at('x'.repeat(300)), 'text', fileModes.plain)).toBe('its name is too long')
    expect(readFileSync(at('plain'), 'utf8')).toBe('old')
  })
})

describe('init as a process', () => {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
  const init = async (file: string, ...flags: readonly string[]) => {
    const { nodes } = await networkOfTest()
    const words = [main, 'init', `--config.file=${file}`, `--node-url=${nodes[0]!.url}`, ...flags]
    return promisify(execFile)(process.execPath, words).catch((error: { code: number; stderr: string }) => error)
  }

  test('writes a configuration for its owner alone, also over one that others can read', async () => {
    withUmask(0)
    await init(at('new.yml'))
    writeFileSync(at('old.yml'), 'networks: []\n', { mode: 0o666 })
    await init(at('old.yml'), '--force')
    expect([modeOf(at('new.yml')), modeOf(at('old.yml'))]).toEqual(['600', '600'])
    expect(readFileSync(at('old.yml'), 'utf8')).toContain('# Written by stakewatch init.')
  })

  test('does not follow a link that leads nowhere, and says so', async () => {
    symlinkSync(at('elsewhere'), at('file.yml'))
    const ended = await init(at('file.yml'))
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /file\.yml: the file cannot be written: it is a symbolic link, which is not followed: /,
      ),
    })
    expect(existsSync(at('elsewhere'))).toBe(false)
  })
})
