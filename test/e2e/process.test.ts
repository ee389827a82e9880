// The process at its edges: signals, logs that cannot be written, outputs that are full, files that are none.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { mayUnshare } from './support/namespaces.ts'
import { program } from './support/release.ts'
import { eventually, scrape } from './support/scrape.ts'
import { valueOf } from '../support/exposition.ts'
import { closedPort } from '../support/hostile-server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'src/main.ts')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stakewatch-process-')))
/** Upstreams that accept everything and answer nothing: a node, and a data service. */
const [silent, silentService] = [silence(), silence()]

function silence(): Server {
  return createServer((socket) => socket.on('error', () => {}))
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  for (const server of [silent, silentService]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const server of [silent, silentService]) server.close()
  rmSync(folder, { recursive: true })
})

const children: ChildProcess[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function configFile(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return `--config.file=${file}`
}

const nodeAt = (url: string) => `networks: [{ name: fuji, nodes: [{ name: node-a, url: "${url}" }] }]\n`
const hanging = () => configFile('hanging.yml', nodeAt(urlOf(silent)))
/** Nothing listens on port 1: every run is logged. */
const dead = () => configFile('dead.yml', nodeAt('http://127.0.0.1:1'))

/** A path of 1,600 characters, in the folder. */
function deep(): string {
  const path = Array<string>(8).fill('a'.repeat(200)).join('/')
  mkdirSync(join(folder, path), { recursive: true })
  return path
}

/** A daemon through a shell that puts its log elsewhere, once it answers. */
async function daemon(redirect: string, config = dead(), main: readonly string[] = [program], within = '') {
  const url = await closedPort()
  const args = [...main, config, `--web.listen-address=${new URL(url).host}`]
  const child = spawn('/bin/sh', ['-c', `exec ${within} "$0" "$@" ${redirect}`, process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const said = { stderr: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  await eventually(`${url} answers`, async () => (await fetch(url).catch(() => undefined))?.ok)
  return { child, url, said, pause: () => child.stderr.pause() }
}

const ended = async (child: ChildProcess) => (await once(child, 'exit')) as [number | null, string | null]

describe('signals', () => {
  test('SIGHUP, SIGUSR1, SIGUSR2 and SIGPIPE neither end nor open it', async () => {
    const { child, url, said } = await daemon('', hanging())
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGPIPE'] as const) {
      child.kill(signal)
      expect((await fetch(`${url}/-/healthy`)).status).toBe(200)
    }
    await eventually('SIGHUP is logged', async () =>
      said.stderr
        .split('\n')
        .some((line) => /\btrigger=SIGHUP\b/.test(line) && line.includes('configuration reloaded')),
    )
    expect(said.stderr).not.toMatch(/debugger|inspector/i)
    child.kill('SIGTERM')
    expect(await ended(child)).toEqual([0, null])
  })

  test('the launcher ignores SIGUSR1 and SIGHUP before the program has loaded, and hands on its exit code', () => {
    const lib = join(folder, 'early')
    for (const name of ['', 'bin', 'dist']) mkdirSync(join(lib, name))
    for (const file of ['package.json', packageFile.bin.stakewatch]) copyFileSync(join(root, file), join(lib, file))
    writeFileSync(
      join(lib, 'dist/main.js'),
      "for (const one of ['SIGUSR1', 'SIGUSR2', 'SIGHUP']) process.kill(process.pid, one); setTimeout(() => process.exit(7), 100)",
    )
    const { status, stderr } = spawnSync(process.execPath, [join(lib, packageFile.bin.stakewatch)], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 7, stderr: '' })
  })

  describe('while the thread of the storage waits for a disk', () => {
    /** What the thread calls first when it opens the file, and when it writes to it. */
    const calls = { opens: 'DatabaseSync.prototype.exec', writes: 'StatementSync.prototype.run' }

    /** The call reads a pipe that no one writes to, which nothing interrupts. */
    async function stuck(name: string, when: keyof typeof calls, within?: string) {
      const pipe = join(folder, `${name}.fifo`)
      execFileSync('mkfifo', [pipe])
      const preload = join(folder, `${name}.mjs`)
      writeFileSync(
        preload,
        `import { readFileSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'
if (!isMainThread) ${calls[when]} = () => readFileSync(${JSON.stringify(pipe)})
`,
      )
      const main = ['--import', preload, source, `--storage.path=${join(folder, `${name}-storage`)}`]
      const running = await daemon('', dead(), main, within)
      let writer: number | undefined
      await eventually('it waits', async () => {
        try {
          // Fails where no one reads. While it is open, the pipe has no end.
          writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
        } catch {
          return false
        }
        return true
      })
      onTestFinished(() => closeSync(writer!))
      return running
    }

    const GIVEN_UP = 'what it counted last may not be saved'

    test('scrapes, polls and verdicts go on', async () => {
      const { url } = await stuck('goes-on', 'writes')
      await eventually('the node is judged', async () => {
        const text = await scrape(`${url}/metrics`)
        return valueOf(text, 'stakewatch_condition', { condition: 'nodes_down' }) === 1
      })
      expect((await fetch(`${url}/-/healthy`)).status).toBe(200)
    })

    test.each(['opens', 'writes'] as const)(
      'one signal ends the process in time, and it says that something may be lost: it %s the file',
      async (when) => {
        const { child, said } = await stuck(`once-${when}`, when)
        const began = performance.now()
        child.kill('SIGTERM')
        expect(await ended(child)).toEqual([1, null])
        // It gives up after 4.5 s; on a busy machine the program that takes its place needs a second to start.
        expect(performance.now() - began).toBeLessThan(6_000)
        expect(said.stderr).toContain(GIVEN_UP)
      },
    )

    test('SIGINT as a second one does not wait for it', async () => {
      const { child, said, url } = await stuck('twice', 'writes')
      child.kill('SIGTERM')
      await eventually('it stops', async () => (await fetch(`${url}/-/ready`)).status === 503)
      child.kill('SIGINT')
      expect(await ended(child)).toEqual([1, null])
      expect(said.stderr).not.toContain(GIVEN_UP)
    })

    // The kernel drops what this process sends to itself, be it SIGKILL.
    test.skipIf(!mayUnshare)('nor does it as the first process of a container', async () => {
      const { child, url } = await stuck('first', 'writes', 'unshare --user --map-root-user --pid --fork')
      const inside = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
      process.kill(inside, 'SIGTERM')
      await eventually('it stops', async () => (await fetch(`${url}/-/ready`)).status === 503)
      process.kill(inside, 'SIGTERM')
      expect(await ended(child)).toEqual([1, null])
    })
  })

  describe('while upstreams hang and clients hold on to their requests', () => {
    /** Answers that one client waits for; the server takes no more of them at once. */
    const PIPELINED = 8

    /** Each scrape is more than 1 MB, so that what the kernel takes of several answers is not all of them. */
    function crowded(name: string) {
      const nodes = Array.from({ length: 150 }, (_, number) => `{ name: node-${number}, url: "${urlOf(silent)}" }`)
      const wallet = 'P-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9'
      return configFile(
        name,
        `networks: [{ name: mainnet, nodes: [${nodes.join(', ')}], data_api: { network: mainnet, url: "${urlOf(silentService)}" }, addresses: [{ name: w, addresses: [${wallet}] }] }]\n`,
      )
    }

    /** Sends the text and reads nothing. */
    async function holding(url: string, text: string): Promise<Socket> {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname).pause()
      socket.on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      await new Promise<void>((resolve) => socket.write(text, () => resolve()))
      return socket
    }

    const asked = (headers = '') => `GET /metrics HTTP/1.1\r\nhost: x\r\n${headers}\r\n`

    /** Reads until all answers have come or the connection ends, and gives the number of complete answers. */
    async function complete(socket: Socket): Promise<number> {
      let rest = ''
      let answers = 0
      try {
        for await (const chunk of socket.setEncoding('latin1')) {
          rest += chunk as string
          for (;;) {
            const [head = '', length] =
              /^HTTP\/1\.1 200 [^]*?\r\ncontent-length: (\d+)\r\n[^]*?\r\n\r\n/i.exec(rest) ?? []
            if (length === undefined || rest.length < head.length + Number(length)) break
            rest = rest.slice(head.length + Number(length))
            answers += 1
          }
          if (answers === PIPELINED) break
        }
      } catch (error) {
        if (!isCutOff(error)) throw error
      }
      return answers
    }

    /** The second one where the connection had already ended when reading began. */
    const isCutOff = (error: unknown) =>
      ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '')

    /** The kinds of records in a storage. There is nothing but its one file where it was closed in good order. */
    function kinds(storage: string): string[] {
      expect(readdirSync(storage)).toEqual(['stakewatch.db'])
      const database = new DatabaseSync(join(storage, 'stakewatch.db'), { readOnly: true })
      const rows = database.prepare('SELECT key FROM records').all() as { key: string }[]
      database.close()
      return [...new Set(rows.map(({ key }) => key.split(' ')[0]!))]
    }

    /** A daemon with clients that hold on to it: one reads in the end, the others never do. */
    async function held(name: string) {
      const storage = join(folder, `${name}-storage`)
      const config = crowded(`${name}.yml`)
      const started = await daemon('', config, [program, `--storage.path=${storage}`])
      await eventually('the data service has been asked', async () => {
        const text = await scrape(`${started.url}/metrics`)
        const left = valueOf(text, 'stakewatch_upstream_budget_remaining_units', { source: 'data-api', window: 'day' })
        const allowed = valueOf(text, 'stakewatch_upstream_budget_units', { source: 'data-api', window: 'day' })
        return left !== undefined && left < allowed!
      })
      const slow = await holding(started.url, asked().repeat(PIPELINED))
      const unread = await holding(started.url, asked().repeat(PIPELINED))
      // Bodies that no route reads, and that never arrive.
      await holding(started.url, `${asked('content-length: 1000000\r\n')}{`)
      await holding(started.url, `POST /metrics HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{`)
      await holding(started.url, 'GET /metrics HTTP/1.1\r\nhost:')
      return { ...started, storage, slow, unread }
    }

    test('scrapes finish, runs are given up, state is written: all over within 5 s, with exit code 0', async () => {
      const { child, url, storage, slow, unread } = await held('held')
      const began = performance.now()
      child.kill('SIGTERM')
      const end = ended(child)
      await eventually('it says that it stops', async () => {
        const reply = await fetch(`${url}/-/ready`)
        return reply.status === 503 && (await reply.text()).includes('stopping')
      })
      const { length } = await scrape(`${url}/metrics`)
      expect(length).toBeGreaterThan(1_000_000)
      // Only now it reads what it asked for before.
      const read = await complete(slow)
      expect(read).toBe(PIPELINED)
      expect(await end).toEqual([0, null])
      expect(performance.now() - began).toBeLessThan(5_000)
      // The other one was cut off: there is less for it than it asked for.
      expect(await complete(unread)).toBeLessThan(PIPELINED)
      expect(kinds(storage)).toEqual(['budget', 'judge'])
    })

    test('a second one ends it at once, with exit code 1', async () => {
      const { child, url } = await held('held-twice')
      child.kill('SIGTERM')
      await eventually('it stops', async () => (await fetch(`${url}/-/ready`)).status === 503)
      const began = performance.now()
      child.kill('SIGTERM')
      expect(await ended(child)).toEqual([1, null])
      expect(performance.now() - began).toBeLessThan(1_000)
    })
  })
})

describe('a log that cannot be written', () => {
  test.each([
    ['is on a full disk', '2>/dev/full', 1],
    ['is closed', '2>&-', 0],
  ])('ends nothing and is counted where it %s', async (_, redirect, atLeast) => {
    const { child, url } = await daemon(redirect)
    await eventually('the loss is counted', async () => {
      const lost = valueOf(await scrape(`${url}/metrics`), 'stakewatch_log_lines_dropped_total')
      return lost !== undefined && lost >= atLeast
    })
    child.kill('SIGTERM')
    expect(await ended(child)).toEqual([0, null])
  })

  test('ends nothing when its reader has gone', async () => {
    const { child, url } = await daemon('')
    child.stderr.destroy()
    child.kill('SIGHUP')
    child.kill('SIGHUP')
    await eventually('the loss is counted', async () => {
      child.kill('SIGHUP')
      return (valueOf(await scrape(`${url}/metrics`), 'stakewatch_log_lines_dropped_total') ?? 0) > 0
    })
    child.kill('SIGTERM')
    expect(await ended(child)).toEqual([0, null])
  })

  test('waits for a reader that does not read, up to 1 MiB, and does not keep the process from ending', async () => {
    const file = `${deep()}/log.yml`
    const { child, url, pause } = await daemon('', configFile(file, nodeAt('http://127.0.0.1:1')))
    pause()
    // Each refusal is a line with a hundred problems, and the path stands in each.
    configFile(file, 'networks:\n' + '  - {}\n'.repeat(200))
    await eventually('more is written than waits', async () => {
      child.kill('SIGHUP')
      return (valueOf(await scrape(`${url}/metrics`), 'stakewatch_log_lines_dropped_total') ?? 0) > 0
    })
    child.kill('SIGTERM')
    expect(await ended(child)).toEqual([0, null])
  })
})

describe('defects', () => {
  /** A program that breaks where no code of ours catches it. */
  const breaking = (how: string) => {
    const file = join(folder, 'breaking.mjs')
    writeFileSync(file, `setTimeout(() => { ${how} }, 2_000); await import(${JSON.stringify(program)})`)
    return file
  }
  test.each([
    [
      'logfmt',
      'throw new TypeError("no http://u:KEY@h/KEY\\nlevel=info")',
      /^ts=\S+ level=error msg="stakewatch crashed because of a defect" error="TypeError: no http:\/\/\*\*\*\\nlevel=info" at=.+$/,
    ],
    [
      'json',
      'Promise.reject(new TypeError("no"))',
      /^\{"level":"error","ts":.*"error":"TypeError: no","at":".+","msg":"stakewatch crashed/,
    ],
  ])('are one line of the log and exit code 1: %s, %s', async (format, how, line) => {
    const args = [breaking(how), hanging(), '--web.listen-address=127.0.0.1:0', `--log.format=${format}`]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 })
    expect(status).toBe(1)
    const lines = stderr.split('\n').filter((one) => /level\W+error/.test(one) || /^\s+at /.test(one))
    expect(lines).toEqual([expect.stringMatching(line)])
    expect(stderr).not.toContain('KEY')
  })

  test('are said in a line as well where nothing is logged', () => {
    const { status, stderr } = spawnSync(process.execPath, [breaking('throw new TypeError("no")'), 'simulate'], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^stakewatch: a defect: TypeError: no at .+$/m)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})

describe('output and input', () => {
  const shell = (command: string, ...args: string[]) =>
    spawnSync('/bin/sh', ['-c', command, process.execPath, program, ...args], { encoding: 'utf8', timeout: 30_000 })

  test('check on a full disk says so, without a stack, and fails', () => {
    const { status, stderr } = shell('exec "$0" "$@" >/dev/full', 'check', dead())
    expect(status).toBe(1)
    expect(stderr.match(/^stakewatch: the output cannot be written: no space left$/gm)).toHaveLength(1)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('all of a report that is longer than a pipe holds arrives, however slowly it is read', () => {
    const file = configFile(
      // The path stands in each line.
      `${deep()}/errors.yml`,
      `networks:\n  - name: fuji\n    nodes: [{ name: n, url: "http://127.0.0.1:1" }]\n    validators:\n${'      - { node_id: wrong }\n'.repeat(90)}`,
    )
    const { stdout } = shell('{ "$0" "$@" 2>&1; echo "code $?"; } | { sleep 1; cat; }', 'check', file)
    expect(stdout.length).toBeGreaterThan(2 * 65_536)
    expect(stdout.match(/errors\.yml:\d+:\d+: networks\[0\]\.validators\[\d+\]/g)).toHaveLength(90)
    expect(stdout).toMatch(/^code 1$/m)
  })

  test.each([
    ['/dev/zero', 'it is not a regular file'],
    ['large', 'it is larger than 16 MiB'],
  ])('%s as a configuration is refused before it is read', (name, why) => {
    const file = resolve(folder, name)
    if (name === 'large') execFileSync('truncate', ['-s', '1T', file])
    const { status, stderr } = shell('exec "$0" "$@"', 'check', `--config.file=${file}`)
    expect([status, stderr]).toEqual([1, `${file}: the file cannot be read: ${why}\n`])
  })
})
