// Each operation from end to end: the client asks the simulated network, and the command prints the answer.

import { afterAll, expect, test } from 'vitest'
import { secretUrl } from '../../src/lib/secret.ts'
import { fromText, type Operation } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { createClient } from '../../src/upstream/client.ts'
import { createHttp } from '../../src/upstream/http.ts'
import { coverageRows } from '../../tools/coverage.ts'
import { networkOfFile } from '../simulator/network.ts'
import { runCommand } from '../support/command.ts'
import type { Texts } from './cases.ts'
import { clockOf } from '../support/clock.ts'
import { unlimited } from '../support/unlimited.ts'

const http = createHttp({ userAgent: 'test', random: () => 0, now: Date.now })
const network = await networkOfFile({ speed: 0 })
afterAll(() => http.close())

const urlOf = ({ service }: Operation) =>
  service === 'node' ? network.nodes[0]!.url : service === 'data' ? network.dataUrl : network.metricsUrl

async function ask(operation: Operation, params: Texts) {
  const clock = clockOf(() => 0)
  const client = createClient({ http, timeout: 5_000, clock, ...unlimited(clock), report: () => {} })
  const source = { service: operation.service, network: 'n', name: 's', url: secretUrl(urlOf(operation)) }
  return client.call(source, operation, fromText(operation, params), { signal: new AbortController().signal })
}

function command(operation: Operation, params: Texts) {
  const { name, effect } = operation
  const flags = Object.entries(params).map(([key, value]) => `--${key}=${value}`)
  const yes = effect === 'read' ? [] : ['--yes']
  return runCommand([effect === 'change' ? 'admin' : 'query', name, `--url=${urlOf(operation)}`, ...flags, ...yes])
}

test.each(await coverageRows(operations))('$title', async ({ operation, cases, path }) => {
  network.clock.now += 60
  const { simulated = () => ({}), undoneBy } = cases
  const params = () => ({ ...path, ...simulated(network.world, path) })
  const { value, dropped } = await ask(operation, params())
  expect(dropped).toBe(0)
  const items = operation.items === undefined ? undefined : (value as Record<string, unknown[]>)[operation.items]
  expect(items ?? [value]).not.toEqual([])
  const other = operations.find(({ name }) => name === undoneBy)
  if (other) await ask(other, {})
  expect(await command(operation, params())).toMatchObject({ code: 0, stderr: '' })
})
