// The command as npm installs it, in a Node.js that is too old for the program and in one that is not.

import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../', import.meta.url))

/** A package whose program says that it runs, and what it was given. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-launcher-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['bin', 'dist']) mkdirSync(join(folder, name))
  for (const file of ['package.json', packageFile.bin.stakewatch]) copyFileSync(join(root, file), join(folder, file))
  writeFileSync(join(folder, 'dist/main.js'), "console.log('runs', ...process.argv.slice(2))")
  return folder
}

function start(node: string, version?: string) {
  const folder = installed()
  const fake = join(folder, 'fake.cjs')
  writeFileSync(fake, `Object.defineProperty(process, 'version', { value: '${version}' })`)
  const flags = version === undefined ? [] : ['--require', fake]
  const args = [...flags, join(folder, packageFile.bin.stakewatch), '--version']
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' })
  return { status, stdout, stderr: stderr.replace(folder, 'FOLDER') }
}

const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
/** Of the machine, where it has one that is too old. */
const old = ['/usr/bin/node', '/usr/local/bin/node']
  .filter((node) => existsSync(node))
  .map((node): [string, string, undefined] => [versionOf(node), node, undefined])
  .filter(([version]) => parseInt(version.slice(1), 10) < 24)

test.each([
  ...old,
  ['v12.22.12', process.execPath, 'v12.22.12'],
  ['v20.20.2', process.execPath, 'v20.20.2'],
  ['v23.11.1', process.execPath, 'v23.11.1'],
] as const)('%s is too old: one line says what is needed', (version, node, faked) => {
  expect(start(node, faked)).toEqual({
    // deploy/systemd/stakewatch.service does not start it again after this one.
    status: 9,
    stdout: '',
    stderr: `stakewatch needs Node.js 24 or later, and this is ${version}; its .deb and its tarball bring one along: "Without Node.js" in FOLDER/docs/install.md\n`,
  })
})

test.each([[undefined], ['v24.0.0'], ['v26.1.0']])('%s runs the program with its arguments', (version) => {
  expect(start(process.execPath, version)).toEqual({ status: 0, stdout: 'runs --version\n', stderr: '' })
})

test('in a checkout without a build it says how to make one', () => {
  const folder = installed()
  rmSync(join(folder, 'dist'), { recursive: true })
  const { status, stderr } = spawnSync(process.execPath, [join(folder, packageFile.bin.stakewatch)], {
    encoding: 'utf8',
  })
  expect([status, stderr.replace(folder, 'FOLDER')]).toEqual([
    1,
    'stakewatch is not built: run `npm ci && npm run build` in FOLDER\n',
  ])
})

test('the version that it needs is the one of the repository', () => {
  const major = readFileSync(join(root, '.node-version'), 'utf8').trim()
  expect(readFileSync(join(root, packageFile.bin.stakewatch), 'utf8')).toContain(`const needed = '${major}'\n`)
})
