// For hosts without Node.js: a tarball and a .deb with the package, its one dependency and Node.js itself. Reads the packed
// package from the current folder, writes to packages/. Needs npm, tar and dpkg-deb.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import nodeBinaries from './node-binaries.json' with { type: 'json' }

/** npm's name of an architecture, and Debian's. */
const debianNames = { x64: 'amd64', arm64: 'arm64' } as const
export type Architecture = keyof typeof debianNames

const { name, version, description, devDependencies } = packageFile
const debian = fileURLToPath(new URL('debian/', import.meta.url))
const HOME = `usr/lib/${name}`

/** Returns the paths of the tarball and of the .deb. */
export function bundle(arch: Architecture, tarball: string, into: string): { tarball: string; deb: string } {
  const folder = mkdtempSync(join(tmpdir(), `${name}-bundle-`))
  try {
    mkdirSync(into, { recursive: true })
    const title = `${name}-${version}-linux-${arch}`
    const tree = join(folder, title)
    fill(tree, arch, resolve(tarball), folder)
    const paths = {
      tarball: join(into, `${title}.tar.gz`),
      deb: join(into, `${name}_${version}_${debianNames[arch]}.deb`),
    }
    run('tar', [
      '--create',
      '--gzip',
      '--owner=0',
      '--group=0',
      `--file=${paths.tarball}`,
      `--directory=${folder}`,
      title,
    ])
    pack(tree, arch, join(folder, 'deb'), paths.deb)
    return paths
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** bin/ with Node.js and the command, lib/ with the package. */
function fill(tree: string, arch: Architecture, tarball: string, folder: string): void {
  const target = ['--os=linux', `--cpu=${arch}`, '--libc=glibc']
  const lib = join(tree, 'lib')
  mkdirSync(lib, { recursive: true })
  run('tar', ['--extract', `--directory=${folder}`, `--file=${tarball}`])
  // npm refuses other bytes than those of the package's own lockfile.
  const install = join(folder, 'package/dist/install')
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--ignore-scripts']
  run('npm', ['ci', ...quiet, ...target, `--prefix=${install}`])
  // Of a platform's package it leaves them out without a word.
  readdirSync(join(install, `node_modules/@node-rs/bcrypt-linux-${arch}-gnu`))
  renameSync(join(install, 'node_modules'), join(lib, 'node_modules'))
  renameSync(join(folder, 'package'), join(lib, `node_modules/${name}`))
  const node = join(folder, 'node')
  mkdirSync(node)
  run('npm', ['pack', '--silent', `--pack-destination=${node}`, `node-linux-${arch}@${devDependencies.node}`])
  run('tar', [
    '--extract',
    `--directory=${node}`,
    `--file=${join(node, `node-linux-${arch}-${devDependencies.node}.tgz`)}`,
  ])
  mkdirSync(join(tree, 'bin'))
  checkNode(arch, readFileSync(join(node, 'package/bin/node')))
  cpSync(join(node, 'package/bin/node'), join(tree, 'bin/node'))
  chmodSync(join(tree, 'bin/node'), 0o755)
  cpSync(join(node, 'package/LICENSE'), join(tree, 'LICENSE.node'))
  cpSync(join(lib, `node_modules/${name}/LICENSE`), join(tree, 'LICENSE'))
  writeExecutable(
    join(tree, `bin/${name}`),
    `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" --disable-sigusr1 --max-semi-space-size=2 --decommit-pooled-pages "$here/../lib/node_modules/${name}/${packageFile.bin.stakewatch}" "$@"
`,
  )
}

/** Throws unless it is the Node.js of which this repository has the hash. */
export function checkNode(arch: Architecture, binary: Buffer): void {
  const [wanted, known] = [devDependencies.node, nodeBinaries.version]
  const remedy = `compare with SHASUMS256.txt of the archives at nodejs.org, and write the SHA-256 of bin/node into tools/release/node-binaries.json`
  if (wanted !== known)
    throw new Error(`package.json has Node.js ${wanted}, and the hashes are those of ${known}: ${remedy}`)
  const found = hash('sha256', binary)
  if (found !== nodeBinaries[arch])
    throw new Error(`node-linux-${arch}@${wanted} has other bytes (${found}): ${remedy}`)
}

/** The same tree below /usr/lib, with the unit and what dpkg runs. */
function pack(tree: string, arch: Architecture, root: string, deb: string): void {
  const home = join(root, HOME)
  cpSync(tree, home, { recursive: true })
  for (const path of ['usr/bin', 'usr/lib/systemd/system', 'etc/default', 'DEBIAN']) {
    mkdirSync(join(root, path), { recursive: true })
  }
  symlinkSync(`../lib/${name}/bin/${name}`, join(root, `usr/bin/${name}`))
  const unit = readFileSync(join(tree, `lib/node_modules/${name}/deploy/systemd/${name}.service`), 'utf8')
  writeFileSync(join(root, `usr/lib/systemd/system/${name}.service`), unitOf(unit))
  cpSync(join(debian, 'default'), join(root, `etc/default/${name}`))
  const size = run('du', ['--summarize', '--block-size=1024', home]).split('\t', 1)[0]!
  writeFileSync(
    join(root, 'DEBIAN/control'),
    `Package: ${name}
Version: ${version.replace('-', '~')}
Architecture: ${debianNames[arch]}
Maintainer: The maintainers of ${name} <${name}@localhost>
Installed-Size: ${size}
Depends: libc6, libstdc++6, passwd
Section: net
Priority: optional
Description: ${description}
`,
  )
  writeFileSync(join(root, 'DEBIAN/conffiles'), `/etc/default/${name}\n`)
  for (const script of ['postinst', 'prerm', 'postrm']) {
    writeExecutable(join(root, 'DEBIAN', script), readFileSync(join(debian, script), 'utf8'))
  }
  run('chmod', ['--recursive', 'go=rX,u+rw', root])
  run('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', root, deb])
}

/** The unit of the repository with the paths of the .deb; flags come from /etc/default. */
export function unitOf(unit: string): string {
  const program = `/${HOME}/lib/node_modules/${name}`
  return unit
    .replaceAll(`/opt/${name}/node_modules/${name}`, program)
    .replace(/^ExecStart=.*$/m, `EnvironmentFile=/etc/default/${name}\nExecStart=/usr/bin/${name} $STAKEWATCH_FLAGS`)
    .replace(/^(StartLimitIntervalSec=.*)$/m, `$1\nConditionPathExists=/etc/${name}/${name}.yml`)
}

function writeExecutable(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

const run = (program: string, words: readonly string[]) => execFileSync(program, words, { encoding: 'utf8' })

if (import.meta.main) {
  const { arch = [] } = parseArgs({ options: { arch: { type: 'string', multiple: true } } }).values
  for (const one of arch) {
    if (one !== 'x64' && one !== 'arm64') throw new Error(`--arch=${one}: expected x64 or arm64`)
    const { tarball, deb } = bundle(one, `${name}-${version}.tgz`, 'packages')
    console.log(`${tarball}\n${deb}`)
  }
}
