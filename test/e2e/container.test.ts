// The image: what is in it, and that it runs without rights as its Dockerfile and docs/install.md say.

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { DEFAULT_PORT } from '../../src/commands/io.ts'
import { imagesIn } from '../../tools/pin-images.ts'
import { buildImage, type Image, inside, instructions } from './support/image.ts'
import { start, temporaryFolder } from './support/processes.ts'
import { packRelease } from './support/release.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let image: Image

beforeAll(async () => {
  folder = await temporaryFolder()
  // For the eyes of the user that the image runs as.
  chmodSync(folder.path, 0o755)
  const context = join(folder.path, 'context')
  mkdirSync(context)
  for (const file of ['Dockerfile', '.dockerignore']) cpSync(join(repository, file), join(context, file))
  packRelease(context)
  image = buildImage(context, realpathSync(folder.path))
})

afterAll(() => folder.remove())

/** `more`: as of `docker run --env`. */
function run(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const [program = '', ...rest] = inside({ ...image, env: { ...image.env, ...more } }, words)
  const { status, stdout, stderr } = spawnSync(program, rest, { encoding: 'utf8', timeout: 30_000 })
  return { status, stdout, stderr }
}

describe('the image holds', () => {
  test('what npm installs of the package, and nothing else', () => {
    const app = join(image.root, image.workdir)
    expect(readdirSync(app)).toEqual(['node_modules'])
    expect(readdirSync(image.root).toSorted()).toEqual(['app', 'nodejs'])
    const modules = join(app, 'node_modules')
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['@node-rs', 'stakewatch'])
    const platform = `bcrypt-linux-${process.arch}-gnu`
    expect(readdirSync(join(modules, '@node-rs')).toSorted()).toEqual(['bcrypt', platform])
    expect(readdirSync(join(modules, 'stakewatch/docs/runbooks'))).toContain('StakewatchDown.md')
    const dist = readdirSync(join(modules, 'stakewatch/dist'), { recursive: true, withFileTypes: true })
    const files = dist.filter((one) => one.isFile()).map(({ name }) => name)
    expect(files).toContain('main.js')
    const others = files.filter((name) => !name.endsWith('.js'))
    expect(others.toSorted()).toEqual(['LICENSES.txt', 'package-lock.json', 'package.json', 'sbom.json'])
  })
})

describe('in the image, without rights,', () => {
  test('nothing can be written', () => {
    const script = "require('node:fs').writeFileSync('node_modules/stakewatch/dist/main.js', '')"
    const { status, stderr } = run([image.entrypoint[0]!, '--eval', script])
    expect(status).toBe(1)
    expect(stderr).toContain('EACCES: permission denied')
  })

  test('the demo runs: healthy while it does, and only then; SIGTERM ends it', async () => {
    const [program = '', ...rest] = inside(image, [...image.entrypoint, 'demo', '--web.listen-address=127.0.0.1:0'])
    const demo = start(program, rest)
    let ended: number | null | undefined
    try {
      const port = await demo.said(/metrics: +http:\/\/127\.0\.0\.1:(\d+)\/metrics\n/)
      // Here its own port may be taken.
      const health = { STAKEWATCH_HEALTH_URL: `http://127.0.0.1:${port}/-/healthy` }
      const checked = () => run(image.healthcheck, health)
      expect(checked()).toEqual({ status: 0, stdout: '', stderr: '' })
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(metrics).toContain(`stakewatch_build_info{version="${packageFile.version}",`)
      ended = await demo.end()
      expect(checked()).toEqual({ status: 1, stdout: '', stderr: 'ECONNREFUSED\n' })
    } finally {
      ended ??= await demo.end()
    }
    expect(ended).toBe(0)
  })

  test('no SIGUSR1 opens the debugger, not even the one that comes before the program', () => {
    const early = join(folder.path, 'early.cjs')
    // Node opens it while it waits for something.
    writeFileSync(early, "process.kill(process.pid, 'SIGUSR1'); setTimeout(() => {}, 500)")
    const started = ([node = '', ...rest]: string[]) => run([node, '--require', early, ...rest, '--version'])
    const version = { status: 0, stdout: `${packageFile.version}\n` }
    expect(started(image.entrypoint)).toEqual({ ...version, stderr: '' })
    // This is what the test sees where it does open.
    const unprotected = image.entrypoint.filter((word) => !word.startsWith('--'))
    expect(started(unprotected)).toEqual({ ...version, stderr: expect.stringMatching(/debugger|inspector/i) })
  })

  test('the daemon asks for the file that is to be mounted', () => {
    const [, file = ''] = /^--config\.file=(.+)$/.exec(image.cmd.join(' '))!
    expect(run([...image.entrypoint, ...image.cmd])).toEqual({
      status: 1,
      stdout: '',
      // A machine with the .deb has its folder, which this user may not read.
      stderr: expect.stringMatching(
        new RegExp(
          `^${file}: the file cannot be read: (there is no such file|stakewatch has no permission to read it)\n$`,
        ),
      ) as unknown,
    })
    expect(read('docs/install.md')).toContain(`:${file}:ro`)
  })
})

describe('the Dockerfile', () => {
  test('stands on the Node.js that the repository names, in both stages', () => {
    const major = read('.node-version').trim()
    const all = instructions(read('Dockerfile'))
    expect(all.flatMap(([word, rest]) => (word === 'FROM' ? [rest] : []))).toEqual([
      '--platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build',
      '${RUNTIME_IMAGE}',
    ])
    const images = imagesIn(read('Dockerfile'))
    const digest = '(@sha256:[0-9a-f]{64})?$'
    expect(images).toEqual([
      expect.stringMatching(new RegExp(`^node:${major}${digest}`)),
      expect.stringMatching(new RegExp(`/nodejs${major}-debian\\d+:nonroot${digest}`)),
    ])
  })

  const pinned = `node@sha256:${'a'.repeat(64)}`
  test.each([
    ['unknown', 'node:24', 'base:1', 0],
    ['1.2.3', 'node:24', 'base:1', 1],
    ['1.2.3', pinned, 'base:1', 1],
    ['1.2.3', 'node:24', pinned, 1],
    ['1.2.3', pinned, pinned, 0],
  ])('a build of version %s on %s and %s ends with status %d', (VERSION, BUILD_IMAGE, RUNTIME_IMAGE, status) => {
    const [, check] = instructions(read('Dockerfile')).find(([word]) => word === 'RUN')!
    const env = { VERSION, BUILD_IMAGE, RUNTIME_IMAGE }
    expect(spawnSync('/bin/sh', ['-c', check], { env, encoding: 'utf8' }).status).toBe(status)
  })

  test('listens where the daemon does by itself, and asks there for its health', () => {
    expect(image.port).toBe(String(DEFAULT_PORT))
    expect(read(`bin/${basename(image.healthcheck.at(-1)!)}`)).toContain(`'http://127.0.0.1:${DEFAULT_PORT}/-/healthy'`)
  })

  test('runs as a user that has a number, and is not root', () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })

  test('starts what npm installs as the command, which heeds signals before the program has loaded', () => {
    expect(image.entrypoint.at(-1)).toBe(`node_modules/stakewatch/${packageFile.bin.stakewatch}`)
  })

  test('labels the image as the package describes itself', () => {
    for (const label of [
      `title="${packageFile.name}"`,
      `description="${packageFile.description}"`,
      `licenses="${packageFile.license}"`,
      'version="$VERSION"',
      'revision="$REVISION"',
    ]) {
      expect(image.labels).toContain(` org.opencontainers.image.${label}`)
    }
  })
})
