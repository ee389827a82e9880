// The configuration, read again in a thread of its own.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { readAside } from '../../../src/commands/serve/read-aside.ts'
import { nothingRemembered } from '../../../src/commands/serve/watched-files.ts'
import { createManualClock } from '../../support/clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'stakewatch-aside-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = join(folder, 's.yml')
const key = join(folder, 'key')
const YAML = `networks: [{ name: "\${NAME}", data_api: { network: fuji, url: "https://data.example", key_file: "${key}" } }]\n`
const ours = new URL('../../../src/commands/serve/read-aside-entry.ts', import.meta.url)
const thread = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const STUCK = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
const HUNGRY = 'const all = []; for (;;) all.push(Array(1_000_000).fill(1.5))'

function reading(reader = ours, trigger = 'SIGHUP') {
  const { clock, advance } = createManualClock(0)
  const remembered = nothingRemembered()
  const read = async () => readAside({ path, env: { NAME: 'mine' }, trigger, remembered }, { reader, clock })
  return { read, advance, remembered }
}

describe('a configuration that is read aside', () => {
  test('has its secrets and variables, and its files are remembered', async () => {
    writeFileSync(path, YAML)
    writeFileSync(key, 'first')
    const { read, remembered } = reading()
    const [network] = (await read()).networks
    expect([network!.name, network!.data_api!.key!.reveal(), String(network!.data_api!.key)]).toEqual([
      'mine',
      'first',
      '***',
    ])
    expect(remembered.before).toBe(YAML)
    expect([...remembered.digests.keys()]).toEqual([path, key])
  })

  test('is refused in its own words, and is what is looked at again', async () => {
    writeFileSync(path, `${YAML}no_such_key: 1\n`)
    const { read, remembered } = reading()
    await expect(read()).rejects.toMatchObject({ code: 'config', message: expect.stringContaining('no_such_key') })
    expect(remembered.before).toBe('')
    expect([...remembered.digests.keys()]).toEqual([path, key])
  })

  test('is refused where it is cut off, which what was read before says', async () => {
    writeFileSync(path, YAML)
    const { read, remembered } = reading(ours, 'change of a file')
    remembered.before = `${YAML}defaults: { timeout: 5s }\n`
    await expect(read()).rejects.toThrow('was it cut off?')
    expect(remembered.before).toBe(`${YAML}defaults: { timeout: 5s }\n`)
  })

  test('is refused where the folder of the process was deleted, as no thread starts there', async () => {
    writeFileSync(path, YAML)
    using _ = vi.spyOn(process, 'cwd').mockImplementation(() => {
      throw new Error('ENOENT: uv_cwd')
    })
    await expect(reading().read()).rejects.toMatchObject({
      code: 'config',
      message: 'the folder in which stakewatch was started no longer exists: change to another one',
    })
  })

  test('is given up after a minute', async () => {
    const { read, advance } = reading(thread(STUCK))
    const over = read()
    advance(59_999)
    advance(1)
    await expect(over).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/takes more than 60 s.*split it/),
    })
  })

  test('is given up when it takes too much memory', async () => {
    await expect(reading(thread(HUNGRY)).read()).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/takes more than 1024 MiB of memory.*split it/),
    })
  })

  test('may show a defect', async () => {
    await expect(reading(thread("throw new TypeError('a defect')")).read()).rejects.toThrow('a defect')
  })
})
