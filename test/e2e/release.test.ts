// What a release publishes for hosts without Node.js: the .deb is installed here by dpkg, and the program of the tarball runs.
// Needs root, as dpkg does.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { bundle, unitOf } from '../../tools/release/bundles.ts'
import { start, temporaryFolder } from './support/processes.ts'
import { packRelease } from './support/release.ts'
import { eventually } from './support/scrape.ts'
import { blocksOf, openTerminal } from './support/walk.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
/** No Node.js is found there. */
const BARE = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
const arch = process.arch === 'arm64' ? 'arm64' : 'x64'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let built: ReturnType<typeof bundle>
let tarball: string

beforeAll(async () => {
  folder = await temporaryFolder()
  tarball = packRelease(folder.path)
  built = bundle(arch, tarball, join(folder.path, 'packages'))
})

afterAll(async () => {
  spawnSync('dpkg', ['--purge', 'stakewatch'])
  await folder?.remove()
})

/** What docs/install.md has for a machine without its own Node.js, and the commands of it that need one; gives web.yml. */
async function followed(): Promise<string> {
  const blocks = blocksOf(readFileSync(join(repository, 'docs/install.md'), 'utf8'))
  const terminal = await openTerminal(folder.path, BARE)
  for (const start of ['export PATH="/usr/lib', 'openssl req', 'cp node_modules/']) {
    const [block, ...others] = blocks.filter(({ text }) => text.startsWith(start))
    expect(others).toEqual([])
    // amtool comes with Alertmanager.
    await terminal.run(block!.text.replace(/^amtool .*$/gm, ''))
  }
  return terminal.run('cat web.yml')
}

test('the npm package is small', () => {
  expect(statSync(tarball).size).toBeLessThan(3_000_000)
})

test('the .deb installs a command that shows metrics without any other Node.js, a unit and its flags, and purges all of it', async () => {
  execFileSync('dpkg', ['--install', built.deb], { stdio: 'pipe' })
  expect(execFileSync('/usr/bin/stakewatch', ['--version'], { env: BARE, encoding: 'utf8' })).toBe(
    `${packageFile.version}\n`,
  )
  expect(await followed()).toMatch(/^basic_auth_users: \{ prometheus: "\$2[aby]\$/m)
  const demo = start('/usr/bin/env', [
    '-i',
    `PATH=${BARE.PATH}`,
    'stakewatch',
    'demo',
    '--web.listen-address=127.0.0.1:0',
  ])
  try {
    const metrics = await demo.said(/metrics: +(http:\S+\/metrics)\n/)
    await eventually('the first own metric', async () => {
      return (await (await fetch(metrics)).text()).includes('\nstakewatch_validator_connected{')
    })
  } finally {
    await demo.end()
  }
  const unit = '/usr/lib/systemd/system/stakewatch.service'
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(readFileSync('/etc/passwd', 'utf8')).toMatch(/^stakewatch:/m)
  expect(statSync('/etc/stakewatch').mode & 0o777).toBe(0o750)
  execFileSync('dpkg', ['--purge', 'stakewatch'], { stdio: 'pipe' })
  expect(
    ['/usr/bin/stakewatch', '/usr/lib/stakewatch', unit, '/etc/default/stakewatch', '/etc/stakewatch'].filter(
      existsSync,
    ),
  ).toEqual([])
})

test('the unit of the .deb starts its own program, with the flags of /etc/default, once there is a configuration', () => {
  const unit = unitOf(readFileSync(join(repository, 'deploy/systemd/stakewatch.service'), 'utf8'))
  const lines = unit.split('\n')
  expect(lines).toContain('ExecStart=/usr/bin/stakewatch $STAKEWATCH_FLAGS')
  expect(lines).toContain('EnvironmentFile=/etc/default/stakewatch')
  expect(lines).toContain('ConditionPathExists=/etc/stakewatch/stakewatch.yml')
  expect(unit).not.toMatch(/\/opt\/|\/usr\/bin\/node/)
})

test('the tarball runs where it is unpacked, also through a link', () => {
  const at = join(folder.path, 'unpacked')
  execFileSync('mkdir', [at])
  execFileSync('tar', ['--extract', `--file=${built.tarball}`, `--directory=${at}`])
  const program = join(at, `stakewatch-${packageFile.version}-linux-${arch}/bin/stakewatch`)
  const link = join(folder.path, 'sw')
  execFileSync('ln', ['--symbolic', program, link])
  expect(execFileSync(link, ['--version'], { env: BARE, encoding: 'utf8' })).toBe(`${packageFile.version}\n`)
})

test.each(['@node-rs/bcrypt', `@node-rs/bcrypt-linux-${arch}-gnu`])(
  'no bundle is made of a %s with other bytes than the package says',
  (name) => {
    const at = join(folder.path, name.replaceAll('/', '-'))
    mkdirSync(at)
    execFileSync('tar', ['--extract', `--file=${tarball}`, `--directory=${at}`])
    const lockfile = join(at, 'package/dist/install/package-lock.json')
    const lock = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, { integrity: string }> }
    lock.packages[`node_modules/${name}`]!.integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
    writeFileSync(lockfile, JSON.stringify(lock))
    const altered = join(at, 'altered.tgz')
    execFileSync('tar', ['--create', '--gzip', `--file=${altered}`, `--directory=${at}`, 'package'])
    expect(() => bundle(arch, altered, join(at, 'packages'))).toThrow(/EINTEGRITY|ENOENT.*bcrypt-linux/)
  },
)
