// What collectors ask of a small simulated network, without a connection: every question is answered once and remembered.

import { collectors } from '../../src/collectors/index.ts'
import { loadConfig } from '../../src/config/load.ts'
import { toBaseError, BaseError } from '../../src/errors.ts'
import { type Answer, type Operation, parseAnswer, toWire, type Wire } from '../../src/operations/define.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import { configFor } from '../../src/simulator/demo-config.ts'
import { handlers } from '../../src/simulator/handlers/index.ts'
import { createNodeState } from '../../src/simulator/node/node-state.ts'
import { answerRpc } from '../../src/simulator/node/node-server.ts'
import { methodOf } from '../../src/simulator/handler.ts'
import { createPaging } from '../../src/simulator/services/paging.ts'
import { answerRest } from '../../src/simulator/services/rest-server.ts'
import { createWorld } from '../../src/simulator/world/world.ts'
import type { Client } from '../../src/upstream/client.ts'
import type { Http, HttpRequest } from '../../src/upstream/http.ts'
import { createJsonRpc } from '../../src/upstream/json-rpc.ts'
import { createRest } from '../../src/upstream/rest.ts'
import type { Admission, Source } from '../../src/upstream/source.ts'

const NODES = ['node-a', 'node-b']
/** Unix seconds. */
const EPOCH = 1_780_000_000

export interface SmallWorld {
  tasks: readonly Task[]
  client: Client
  /** Milliseconds since the epoch. */
  now(): number
  /** Lets seconds pass on the network. */
  pass(seconds: number): void
}

const never = new AbortController().signal
const admission: Admission = { open: async () => never, unsent: never, mayRetry: () => false, ended: () => {} }

/** A small network that is asked without a connection. */
export interface SmallNetwork {
  /** The configuration of a daemon that watches it with all collectors. */
  yaml: string
  now: SmallWorld['now']
  pass: SmallWorld['pass']
  /** The body of an answer. Throws BaseError. */
  raw(source: Source, operation: Operation, wire: Wire): Promise<unknown>
}

export function createSmallNetwork(): SmallNetwork {
  const world = createWorld({
    seed: 1,
    epoch: EPOCH,
    validators: 12,
    delegations: 40,
    observers: NODES.length,
    paces: {},
  })
  const ids = [...world.validators.all.keys()]
  const nodes = NODES.map((name, at) => {
    const state = createNodeState(ids[at]!, new Set(at === 0 ? ['index', 'admin'] : ['index']), {}, () => {})
    return { name, nodeId: state.nodeId, url: `http://10.0.0.${at + 1}:9650`, state }
  })
  const urls = { dataUrl: 'http://10.0.1.1', metricsUrl: 'http://10.0.1.2' }
  const names = collectors.map(({ name }) => name)
  const yaml = configFor(nodes, urls, world, names)
  const paging = createPaging(1)
  let passed = 0

  function send({ method, url, headers, body = '' }: HttpRequest) {
    const { origin, pathname, search } = new URL(url)
    const node = nodes.find((one) => one.url === origin)
    const asked = {
      method,
      url: pathname + search,
      host: 'localhost',
      contentType: headers['content-type'],
      key: 'any',
      body,
    }
    const dialect = origin === urls.metricsUrl ? 'document' : 'live'
    const place = { world: node ? world.seenBy(node.nodeId) : world, paging, dialect } as const
    const { reply } = node
      ? answerRpc(handlers.map(methodOf), { ...place, node: node.state }, asked)
      : answerRest(origin === urls.metricsUrl ? 'metrics' : 'data', handlers, place, asked)
    return Promise.resolve(reply)
  }

  const http: Http = { send, close: () => Promise.resolve() }
  const [rpc, rest] = [createJsonRpc(http, { after: () => () => {} }), createRest(http)]
  return {
    yaml,
    now: () => (EPOCH + passed) * 1_000,
    pass(seconds) {
      passed += seconds
      world.advance(EPOCH + passed)
    },
    raw: async (source, operation, wire) =>
      (await (source.service === 'node' ? rpc : rest)(source, operation, wire, admission)).raw,
  }
}

/** Tasks of the collectors that remember something: some of each. */
export function createSmallWorld(): SmallWorld {
  const { yaml, now, pass, raw: rawAnswer } = createSmallNetwork()
  const names = collectors.map(({ name }) => name)
  const config = loadConfig(yaml, { file: 'world.yaml', env: {}, readFile: () => '', collectors: names })
  const remembered = new Map<string, Promise<Answer<never>>>()

  async function ask(source: Source, operation: Operation, wire: Wire): Promise<Answer<never>> {
    try {
      const raw = await rawAnswer(source, operation, wire)
      const { value, dropped } = parseAnswer(operation, raw)
      const answer = {
        value: value as never,
        at: { wall: now(), steady: now() },
        took: 0,
        source: source.name,
        dropped,
      }
      return source.nodeId ? { ...answer, nodeId: source.nodeId } : answer
    } catch (thrown) {
      throw thrown instanceof BaseError ? thrown : new BaseError('bad_response', toBaseError(thrown).message)
    }
  }

  const remembering = plan(config, collectors).filter(({ collector }) => collector.memory !== undefined)
  const ofEach = Map.groupBy(remembering, ({ collector }) => collector)
  // The last one is at times of another kind.
  const tasks = [...ofEach.values()].flatMap((all) => (all.length > 2 ? [all[0]!, all[1]!, all.at(-1)!] : all))
  return {
    tasks,
    now,
    pass(seconds) {
      pass(seconds)
      remembered.clear()
    },
    client: {
      call(source, operation, params) {
        const wire = toWire(operation, params)
        const key = JSON.stringify([source.name, operation.name, wire])
        let answer = remembered.get(key)
        if (!answer) remembered.set(key, (answer = ask(source, operation, wire)))
        // Odd positions are asked for only once.
        if (remembered.size > 5_000) remembered.clear()
        return answer
      },
    },
  }
}
