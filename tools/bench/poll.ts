// One collector as the daemon runs it, with a transport that has the answer ready. The client, the parser, the collector,
// the cap and the renderer are the daemon's own. Budgets and circuits allow everything; there is no scheduler and no storage.

import { Readable } from 'node:stream'
import { systemClock } from '../../src/process/system-clock.ts'
import { collectors } from '../../src/collectors/index.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Config } from '../../src/config/schema.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { FromPoller } from '../../src/metrics/publication.ts'
import { createMemories } from '../../src/run/memory.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { createRunner } from '../../src/run/run.ts'
import { createBodyReader, type Http } from '../../src/upstream/http.ts'
import { createClient } from '../../src/upstream/client.ts'
import { unlimited } from '../../test/support/unlimited.ts'
import { type BenchValidator, idOf, NOW, upgradesAnswer, writeId } from './validators.ts'

/** Tracks all of them with one collector, without a limit of series. */
export function benchConfig(validators: readonly BenchValidator[], collector: string): Config {
  const settings = collectors.map(
    ({ name }) => `  ${name}: ${name === collector ? '{ enabled: true, max_series: 10000000 }' : '{ enabled: false }'}`,
  )
  const yaml = `networks:
  - name: mainnet
    nodes: [{ name: node-a, url: "http://127.0.0.1:9650" }]
    validators: [{ node_id: ${validators[0]!.nodeId} }]
collectors:
${settings.join('\n')}
`
  const options = { file: 'bench.yaml', env: {}, readFile: () => '', collectors: collectors.map(({ name }) => name) }
  const config = loadConfig(yaml, options)
  const [network] = config.networks as [Config['networks'][number]]
  const [first] = network.validators as [Config['networks'][number]['validators'][number]]
  // The loader would take a minute for 100,000 of them.
  const all = validators.map(({ nodeId, name }) => ({ ...first, node_id: nodeId, name }))
  return { ...config, networks: [{ ...network, validators: all }] }
}

/** Delivers the bytes as the network would; the rest is the daemon's own code. */
function ready(body: Buffer): Http {
  const bodies = createBodyReader()
  return {
    async send({ body: question = '', maxBytes, attempts }) {
      const upgrades = upgradesAnswer(question)
      if (!upgrades) writeId(body, idOf(question))
      const bytes = upgrades ?? body
      const text = await bodies.whole(Readable.from([bytes]), String(bytes.length), maxBytes)
      const answer = { status: 200, headers: {}, text }
      attempts?.ended(answer, true)
      return answer
    },
    close: async () => {},
  }
}

export interface Poll {
  /** Runs the collector until everything is published, and returns the lines. */
  run(): Promise<readonly Uint8Array[]>
}

/** A poll whose answer is ready when the client asks. */
export function createPoll(validators: readonly BenchValidator[], body: Buffer, collector: string): Poll {
  const config = benchConfig(validators, collector)
  const now = () => NOW * 1_000
  const [task, ...others] = plan(
    config,
    collectors.filter(({ name }) => name === collector),
  )
  if (!task || others.length > 0) throw new Error(`${collector} has ${task ? 1 + others.length : 0} tasks`)
  const clock: Clock = { ...systemClock, now: () => ({ wall: now(), steady: now() }) }
  const { circuits, accountOf } = unlimited(clock)
  const client = createClient({ http: ready(body), timeout: 600_000, clock, circuits, accountOf, report: () => {} })
  /** Of the run itself and of its parts. */
  const units = new Map<string, readonly Uint8Array[]>()
  const isOurs = (key: string) => key === task.key || key.startsWith(`${task.key}#`)
  const runner = createRunner({
    client,
    memories: createMemories(),
    publish(message: FromPoller) {
      if (message.kind === 'publish' && isOurs(message.key)) {
        units.set(
          message.key,
          message.families.flatMap((one) => one.lines),
        )
      }
      if (message.kind === 'status' && message.status.result !== 'success') throw new Error(message.status.reason)
    },
    seriesDropped(count) {
      throw new Error(`${count} series were dropped`)
    },
    answerRefused: () => {},
    standing: () => 'up',
    clock,
    log: { info: () => {}, warn: () => {} },
  })
  return {
    async run() {
      await runner.run(task, new AbortController().signal)
      return [...units.values()].flat()
    },
  }
}
