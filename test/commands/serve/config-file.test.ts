// The files of a configuration, as a daemon looks at them again.

import { Command } from 'commander'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createConfigFile } from '../../../src/commands/serve/watched-files.ts'
import { reloadWhenAsked, serveUntilStopped, servingFlags } from '../../../src/commands/serve/serve.ts'
import { authority, certificate } from '../../support/certificates.ts'
import { createManualClock } from '../../support/clock.ts'
import { quietIo, runCommand } from '../../support/command.ts'
import { configFrom } from '../../support/poll.ts'

const YAML = 'networks: [{ name: fuji, data_api: { url: "https://data.example", key_file: key } }]\n'

function open(first: Readonly<Record<string, string>> = { '/etc/s.yml': YAML, '/etc/key': 'first' }) {
  const files = new Map(Object.entries(first))
  const readFile = (path: string) => {
    const text = files.get(path)
    if (text === undefined) throw Object.assign(new Error(), { code: 'ENOENT' })
    return text
  }
  return { files, file: createConfigFile('/etc/s.yml', { env: {}, readFile, lookAt: async (path) => readFile(path) }) }
}

describe('a configuration file', () => {
  test.each<[string, (files: Map<string, string>) => void, boolean]>([
    ['nothing was touched', () => {}, false],
    ['it was written again as it was', (files) => files.set('/etc/s.yml', YAML), false],
    ['it was written', (files) => files.set('/etc/s.yml', `# ${YAML}`), true],
    ['it is gone', (files) => files.delete('/etc/s.yml'), true],
    ['the key that it names was written', (files) => files.set('/etc/key', 'second'), true],
    ['the key that it names is gone', (files) => files.delete('/etc/key'), true],
    ['another file was written', (files) => files.set('/etc/other', 'second'), false],
  ])('where %s', async (_, touch, isChanged) => {
    const { files, file } = open()
    expect(file.read().networks[0]!.data_api!.key!.reveal()).toBe('first')
    touch(files)
    expect(await file.isChanged()).toBe(isChanged)
  })

  test('is looked at without reading it on the way: a disk that hangs stops nothing else', async () => {
    const readFile = vi.fn<(path: string) => string>(() => YAML.replace('key_file: key', 'key: k'))
    const file = createConfigFile('/etc/s.yml', { env: {}, readFile, lookAt: () => new Promise(() => {}) })
    file.read()
    const turn = new Promise((resolve) => setImmediate(resolve, 'it goes on'))
    expect(await Promise.race([file.isChanged(), turn])).toBe('it goes on')
    expect(readFile).toHaveBeenCalledTimes(1)
  })

  test('that was refused is changed when it is mended, and when a file is there that was not', async () => {
    const { files, file } = open({ '/etc/s.yml': YAML })
    expect(() => file.read()).toThrow('there is no such file')
    expect(await file.isChanged()).toBe(false)
    files.set('/etc/key', 'first')
    expect(await file.isChanged()).toBe(true)
    expect(file.read().networks[0]!.data_api!.key!.reveal()).toBe('first')
    expect(await file.isChanged()).toBe(false)
  })

  const LIST =
    'networks:\n  - name: fuji\n    addresses:\n      - { name: a, addresses: ["0x4423a7f49f910375eb6862aa1fe5eaac91ace3c8"] }\n'
  test.each([
    ['within a line', LIST.slice(0, 24), undefined, 'the last line does not end'],
    ['within a line, by itself', LIST.slice(0, 24), 'change of a file', 'the last line does not end'],
    ['after a line, by itself', LIST.slice(0, 25), 'change of a file', 'the file ends where the one in use goes on'],
    ['after a line, on request', LIST.slice(0, 25), 'SIGHUP', 'taken'],
    ['nowhere', LIST.replace('name: a', 'name: b'), 'change of a file', 'taken'],
    ['but changed before', LIST.slice(0, 25).replace('fuji', 'mainnet'), 'change of a file', 'taken'],
  ])('that is cut off %s', (_, text, trigger, expected) => {
    const { files, file } = open({ '/etc/s.yml': LIST })
    file.read()
    files.set('/etc/s.yml', text)
    let said = 'taken'
    try {
      file.read(trigger)
    } catch (error) {
      said = (error as Error).message
    }
    expect(said).toContain(expected)
    // What was refused is not what is in use.
    files.set('/etc/s.yml', LIST)
    expect(file.read('change of a file').networks[0]!.addresses).toHaveLength(1)
  })

  test('that is cut off at any byte by itself changes nothing', () => {
    const { files, file } = open({ '/etc/s.yml': LIST })
    file.read()
    const taken = Array.from({ length: LIST.length }, (_, length) => length).filter((length) => {
      files.set('/etc/s.yml', LIST.slice(0, length))
      try {
        file.read('change of a file')
        return true
      } catch {
        return false
      }
    })
    expect(taken).toEqual([])
  })

  test('that names certificates changes nothing while one of them is cut off', async () => {
    const [tls, client] = [authority('nodes').cert, certificate('client')]
    const link = 'tls_config: { ca_file: ca, cert_file: cert, key_file: key }'
    const yaml = `networks: [{ name: fuji, nodes: [{ name: a, url: "https://10.0.0.5", ${link} }] }]\n`
    const whole = { '/etc/ca': tls, '/etc/cert': client.cert, '/etc/key': client.key }
    const { files, file } = open({ '/etc/s.yml': yaml, ...whole })
    file.read()
    for (const [path, text] of Object.entries(whole)) {
      files.set(path, text.slice(0, -30))
      expect(await file.isChanged()).toBe(true)
      expect(() => file.read()).toThrow(
        /: is cut off: the block on line 1 has no end; write the whole file again; check/,
      )
      files.set(path, text)
      expect(file.read().networks[0]!.nodes).toHaveLength(1)
    }
  })

  test('makes no schema when it is loaded again: each would be compiled, and zod would keep what describes it', () => {
    const { files, file } = open()
    file.read()
    files.set('/etc/key', 'second')
    const made = vi.spyOn(z.globalRegistry, 'add')
    expect(file.read().networks[0]!.data_api!.key!.reveal()).toBe('second')
    files.set('/etc/s.yml', `${YAML}no_such_key: 1\n`)
    expect(() => file.read()).toThrow('no_such_key')
    expect(made).not.toHaveBeenCalled()
    made.mockRestore()
  })
})

describe('a daemon reads its configuration again', () => {
  function asked(flags: { 'config.enableAutoReload'?: true } = {}) {
    const { files, file } = open()
    const { clock, advance } = createManualClock(0)
    const triggers: string[] = []
    let hangUp = () => {}
    file.read()
    const reload = async (trigger: string) => {
      triggers.push(trigger)
      file.read()
      return trigger
    }
    const io = { onReload: (work: () => void) => (hangUp = work) }
    const end = reloadWhenAsked(file, reload, { ...flags, 'config.autoReloadInterval': 30_000 }, { io, clock })
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const pass = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 1) {
        advance(1_000)
        await turn()
      }
    }
    return { files, triggers, hangUp: () => hangUp(), pass, end }
  }

  test('on a signal alone, unless a flag says otherwise', async () => {
    const { files, triggers, hangUp, pass } = asked()
    files.set('/etc/key', 'second')
    await pass(300)
    expect(triggers).toEqual([])
    hangUp()
    expect(triggers).toEqual(['SIGHUP'])
  })

  test('within the interval after a file has changed, once for each change, also where it is refused', async () => {
    const { files, triggers, pass, end } = asked({ 'config.enableAutoReload': true })
    await pass(300)
    expect(triggers).toEqual([])
    files.set('/etc/key', 'second')
    await pass(30)
    expect(triggers).toEqual(['change of a file'])
    files.set('/etc/s.yml', 'nonsense')
    await pass(120)
    expect(triggers).toHaveLength(2)
    files.set('/etc/s.yml', YAML)
    await pass(30)
    expect(triggers).toHaveLength(3)
    end()
    files.set('/etc/key', 'third')
    await pass(300)
    expect(triggers).toHaveLength(3)
  })
})

test('a signal that comes before the port is bound is not lost', async () => {
  const stopped = Promise.withResolvers<void>()
  const happened: string[] = []
  const ended = await runCommand(['--config.file=s.yml', '--web.listen-address=127.0.0.1:0'], {
    readFile: () => 'networks: [{ name: fuji, nodes: [{ name: a, url: "http://127.0.0.1:1" }] }]',
    onReload: () => void happened.push('reloads'),
    log(line) {
      if (!line.includes('msg=listening')) return
      happened.push('listens')
      stopped.resolve()
    },
    stopped: stopped.promise,
  })
  expect([ended.code, happened]).toEqual([0, ['reloads', 'listens']])
})

test('a signal to stop that comes before the port is bound ends it as one that comes later', async () => {
  const happened: string[] = []
  const io = {
    ...quietIo,
    log(line: string) {
      if (line.includes('msg=listening')) happened.push('listens')
    },
    get stopped() {
      happened.push('can be asked to stop')
      return Promise.resolve()
    },
  }
  const command = servingFlags(new Command()).parse(['--web.listen-address=127.0.0.1:0'], { from: 'user' })
  await serveUntilStopped(configFrom('networks: [{ name: fuji }]'), command.opts(), io)
  expect(happened.slice(0, 2)).toEqual(['can be asked to stop', 'listens'])
})
