// The unit: systemd's own tools find nothing wrong with it, and what it starts is what docs/install.md installs.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { temporaryFolder } from './support/processes.ts'
import { program } from './support/release.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const unit = read('deploy/systemd/stakewatch.service')
const socket = read('deploy/systemd/stakewatch.socket')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

function analyze(text: string, ...words: readonly string[]) {
  const file = join(folder.path, 'stakewatch.service')
  // A machine may have its Node.js elsewhere.
  writeFileSync(file, text.replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...words, file], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('systemd finds no fault in it', () => {
  expect(analyze(unit, 'verify')).toEqual({ status: 0, stdout: '', stderr: '' })
  // This is what it would say.
  const misspelt = unit.replace('ProtectHome=', 'ProtectHouse=')
  expect(analyze(misspelt, 'verify').stderr).toContain("Unknown key 'ProtectHouse' in section [Service]")
})

test('systemd finds no fault in its socket, and passes it to the service that wants it', () => {
  const withFlag = unit.replace(/^(ExecStart=.*)$/m, '$1 --web.systemd-socket')
  const file = join(folder.path, 'stakewatch.socket')
  writeFileSync(file, socket)
  expect(analyze(withFlag, 'verify', file)).toEqual({ status: 0, stdout: '', stderr: '' })
  writeFileSync(file, socket.replace('ListenStream=19650', 'ListenStream=port'))
  expect(analyze(withFlag, 'verify', file).stderr).toContain('Failed to parse address value')
})

test('an old Node.js is not started again: it ends as the unit says, whether it knows the flags or not', () => {
  const [, status = ''] = /^RestartPreventExitStatus=(\d+)$/m.exec(unit)!
  const isOld = join(folder.path, 'old.cjs')
  writeFileSync(isOld, "Object.defineProperty(process, 'version', { value: 'v22.14.0' })")
  const ends = [['--flag-of-another-version'], ['--require', isOld, program]]
  expect(ends.map((words) => spawnSync(process.execPath, words).status)).toEqual([Number(status), Number(status)])
})

/** Of 100, where 96 is a unit without a word about it. The network is most of what is left. */
const MOST_EXPOSED = 15

test('systemd judges it to be little exposed', () => {
  const judged = (text: string) =>
    analyze(text, 'security', '--offline=yes', '--no-pager', `--threshold=${MOST_EXPOSED}`).status
  expect(judged(unit)).toBe(0)
  expect(judged(unit.replace('RestrictNamespaces=yes', ''))).toBe(1)
})

test('it starts what docs/install.md installs, with the files that it installs', () => {
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit)!
  const page = read('docs/install.md')
  const [, prefix = ''] = /npm install --prefix (\/\S+) /.exec(page)!
  expect(command).toContain(` ${prefix}/node_modules/${packageFile.name}/${packageFile.bin.stakewatch} `)
  const [, folderOfFiles = '', files = ''] = /--target-directory=(\/etc\/stakewatch) (.+)$/m.exec(page)!
  for (const [, path] of command.matchAll(/--(?:web\.)?config\.file=(\S+)/g)) {
    expect(files.split(' ').map((file) => `${folderOfFiles}/${file}`)).toContain(path)
  }
  expect(page).toContain(`${prefix}/node_modules/${packageFile.name}/deploy/systemd/stakewatch.service`)
  const [, flags = ''] = /node ((?:--\S+ )+)/.exec(command)!
  expect(flags).toContain('--disable-sigusr1 ')
  // The container and the bundles start the same, with a flag that their own Node.js is sure to know.
  const own = `${flags}--decommit-pooled-pages`
  expect(read('Dockerfile')).toContain(`node", "${own.replaceAll(' ', '", "')}", "`)
  expect(read('tools/release/bundles.ts')).toContain(`node" ${own} "`)
})
