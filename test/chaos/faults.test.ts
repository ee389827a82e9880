// The table of faults: each has its place, and each changes what is sent.

import { expect, test } from 'vitest'
import { random } from '../../src/simulator/world/random.ts'
import { type Answer, type Asked, type Fault, phases, properly, type Script } from '../../tools/chaos/faults/define.ts'
import { faults } from '../../tools/chaos/faults/index.ts'

/** Holds a field of each kind that is forged. */
const VALIDATOR = {
  nodeID: 'NodeID-a',
  weight: '2000',
  startTime: '1700000000',
  endTime: '1800000000',
  uptime: '99.5',
  connected: true,
  delegatorCount: '2',
  height: '7',
  blockType: 'BanffStandardBlock',
}
const LIST = { validators: [VALIDATOR, { ...VALIDATOR, nodeID: 'NodeID-b' }], nextPageToken: 'next' }
const headers = { 'content-type': 'application/json' }
const proper: Readonly<Record<Asked['service'], Answer>> = {
  node: { status: 200, headers, body: JSON.stringify({ jsonrpc: '2.0', result: LIST, id: 1 }) },
  data: { status: 200, headers, body: JSON.stringify(LIST) },
  metrics: { status: 200, headers, body: JSON.stringify(LIST) },
}
const before = [
  { body: '{"old":1,"id":9}', age: 900_000 },
  { body: '{"recent":1,"id":9}', age: 90_000 },
]

function madeBy({ only = ['node'], make }: Fault): Script | undefined {
  const [service] = only
  const asked: Asked = { service: service!, operation: 'x', id: 1, isReused: true, before, other: '{"other":1}' }
  return make?.(proper[service!], asked, random('a', 'test'))
}

test('there are more than sixty kinds, and no two of one name', () => {
  expect(faults.length).toBeGreaterThan(60)
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
})

test('every phase of an exchange has faults, from connecting to the time after the answer', () => {
  expect(phases.filter((phase) => !faults.some((fault) => fault.phase === phase))).toEqual([])
})

const strikingConnections = faults.filter(({ onConnection }) => onConnection !== undefined)
const strikingAnswers = faults.filter(({ onConnection }) => onConnection === undefined)

test.each(strikingConnections.map((fault) => [fault.name, fault] as const))(
  '%s strikes connections alone',
  (_, fault) => {
    expect(fault.make).toBeUndefined()
  },
)

test.each(strikingAnswers.map((fault) => [fault.name, fault] as const))('%s changes an answer', (_, fault) => {
  const [service = 'node'] = fault.only ?? []
  const script = madeBy(fault)
  expect(script).toBeDefined()
  expect(script).not.toEqual(properly(proper[service]))
})

const bodyOf = (name: string) => {
  const [step] = madeBy(faults.find((fault) => fault.name === name)!)!
  const text = step && 'write' in step ? Buffer.from(step.write).toString() : ''
  return text.slice(text.indexOf('\r\n\r\n') + 4)
}

test('a stale answer is one of the right age, under the id of the call', () => {
  expect(bodyOf('stale-replica')).toBe('{"recent":1,"id":1}')
  expect(bodyOf('old-snapshot')).toBe('{"old":1,"id":1}')
})

test('integers beyond 2^53 pass a forgery as they are', () => {
  const body = '{"jsonrpc":"2.0","result":{"supply":720000000000000123,"height":"5"},"id":1}'
  const asked: Asked = { service: 'node', operation: 'x', id: 1, isReused: false, before: [], other: undefined }
  const { make } = faults.find(({ name }) => name === 'absurd-height')!
  const [step] = make!({ status: 200, headers, body }, asked, random('a', 'test'))!
  const text = step && 'write' in step ? Buffer.from(step.write).toString() : ''
  expect(text).toContain('"supply":720000000000000123,"height":"1000000000000000"')
})
