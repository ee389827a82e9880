// What one upstream is asked with, in the answers of another one: no line of the log has it, also after a reload.

import { expect, test } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { createLogger } from '../../src/logger.ts'
import { OVER_HTTP } from '../../src/daemon/reload.ts'
import { clockOf } from '../support/clock.ts'
import { answer, createHostileServer } from '../support/hostile-server.ts'
import { configFrom } from '../support/poll.ts'

const formsOf = (key: string) => [key, encodeURIComponent(key)]

test('an upstream that repeats the keys of another one, before and after these change', async () => {
  const [first, second] = ['first/key=MARK', 'second/key=MARK']
  const said = [first, second].flatMap(formsOf)
  const node = await createHostileServer((...all) => answer(400, `no such key: ${said.join(' ')}`)(...all))
  // A node with another name logs everything again.
  const configWith = (key: string, name: string) =>
    configFrom(`
networks:
  - name: fuji
    nodes: [{ name: ${name}, url: "${node.url}" }]
    validators: [{ node_id: NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ }]
  - name: other
    network: fuji
    data_api: { url: "${node.url}/data", network: fuji, key: "${key}" }
`)
  const written: string[] = []
  const app = createDaemon({
    config: configWith(first, 'node-a'),
    version: '0.0.0',
    log: createLogger({ level: 'info', format: 'json', write: (line) => void written.push(line) }),
    clock: clockOf(() => performance.now()),
    random: () => 0,
    load: () => configWith(second, 'node-b'),
  })
  const ofNode = async () => {
    written.length = 0
    await app.once(({ sources }) => sources.some(({ name }) => name.startsWith('node')))
    const lines = written.join('\n')
    expect(lines).toContain('no such key')
    return said.filter((form) => lines.includes(form))
  }
  expect(await ofNode()).toEqual(formsOf(second))
  await app.reload(OVER_HTTP)
  expect(await ofNode()).toEqual([])
  await app.stop()
})
