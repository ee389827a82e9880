// What windows cover, and what is published of them while clocks and configurations change.

import { describe, expect, test } from 'vitest'
import { maintenanceAt } from '../../src/maintenance/metrics.ts'
import { configFrom } from '../support/poll.ts'

const [A, B, C] = [
  'NodeID-2H9Fz4nX31nEMdvBD5eFwn6HA4HP8nLyS',
  'NodeID-KtToqAuEfFn18DsMJvcHtwtbMo8tPsQaA',
  'NodeID-7jd5AMJpBRDyoLTmW7UPKzgRQ11XYKxpX',
]
const L1 = '2dzaLhtGXfV9LRWVs9vJZb22XA82qSSyWyJUDbMkAkHuN5jxYZ'

const config = (windows: string) =>
  configFrom(`networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "http://a.example", node_id: ${A} }
      - { name: node-b, url: "http://b.example" }
    validators:
      - { node_id: ${A}, name: val-a }
      - { node_id: ${A}, name: member, subnet: l1 }
      - { node_id: ${B}, name: val-b }
      - { node_id: ${C}, name: val-c, subnet: l1 }
    subnets: [{ id: ${L1}, name: l1 }]
    chains: [{ id: p-chain }]
    maintenance: [${windows}]
`)

const FROM = 'from: "2026-12-05T08:00Z", to: "2026-12-05T12:00Z"'
const at = (text: string) => Date.parse(`${text}Z`)

function published(windows: string, now: string) {
  const { samples } = maintenanceAt(config(windows), at(now))
  return samples.map(({ metric: { name }, labels, value }) => {
    const { validator, source, chain, subnet, address } = labels
    const object = validator ?? source ?? chain ?? address ?? subnet ?? ''
    return `${name.replace('stakewatch_', '')} ${labels['window']} ${object} ${Number(value)}`.replace('  ', ' ')
  })
}
const covered = (cover: string) =>
  published(`{ name: w, ${FROM}, ${cover} }`, '2026-12-05T09:00')
    .filter((line) => line.includes('_in_maintenance'))
    .map((line) => line.replace(/_in_maintenance w/, ''))

describe('a window covers', () => {
  test.each([
    [
      'a validator with its machine',
      'validators: [val-a]',
      ['validator val-a 1', 'validator member 1', 'node node-a 1'],
    ],
    ['a member with its machine', 'validators: [member]', ['validator val-a 1', 'validator member 1', 'node node-a 1']],
    ['a node with its validators', 'nodes: [node-a]', ['validator val-a 1', 'validator member 1', 'node node-a 1']],
    ['a node without an id alone', 'nodes: [node-b]', ['node node-b 1']],
    ['a validator without a node alone', 'validators: [val-b]', ['validator val-b 1']],
    ['a subnet with its validators', 'subnets: [l1]', ['validator member 1', 'validator val-c 1', 'subnet l1 1']],
    ['a chain', 'chains: [p-chain]', ['chain p-chain 1']],
    ['nothing, if its lists are empty', 'validators: []', []],
    [
      'everything, without lists',
      'grace: 1m',
      [
        ...['val-a', 'member', 'val-b', 'val-c'].map((name) => `validator ${name} 1`),
        'node node-a 1',
        'node node-b 1',
        'chain p-chain 1',
        'subnet primary 1',
        'subnet l1 1',
      ],
    ],
  ])('%s', (_, cover, expected) => {
    expect(covered(cover)).toEqual(expected)
  })
})

test('is published for the time that it holds, and again when a clock leaves that time', () => {
  const window = config(`{ name: w, ${FROM}, nodes: [node-b] }`)
  const states = ['2026-12-05T07:00', '2026-12-05T08:00', '2026-12-05T12:00', '2026-12-05T12:15'].map((now) => {
    const { samples, since, until } = maintenanceAt(window, at(now))
    return [...samples.map(({ value }) => value), since === at(now), until - since]
  })
  const [start, end] = [at('2026-12-05T08:00') / 1_000, at('2026-12-05T12:00') / 1_000]
  expect(states).toEqual([
    [0, start, end, 0, true, 3_600_000],
    [1, start, end, 1, true, 4 * 3_600_000],
    [0, 1, true, 900_000],
    [0, 0, true, Infinity],
  ])
})

test('counts the validators of windows that overlap when one opens', () => {
  const windows = [
    `{ name: early, ${FROM}, validators: [val-b] }`,
    '{ name: late, from: "2026-12-05T11:00Z", to: "2026-12-05T13:00Z", validators: [val-c] }',
    '{ name: later, from: "2026-12-05T13:00Z", to: "2026-12-05T14:00Z", validators: [val-a] }',
  ].join(', ')
  const down = published(windows, '2026-12-05T07:00').filter((line) => line.startsWith('maintenance_validator_down'))
  expect(down.map((line) => line.replace(/^\w+ /, '').replace(/ 1$/, ''))).toEqual([
    'early val-b',
    'late val-c',
    'late val-b',
    'later val-a',
    'later member',
  ])
})

test('counts the validators of a window that opens again before, and is open then as well', () => {
  const windows = [
    '{ name: daily, schedule: "0 11 * * *", for: 2h, validators: [val-c] }',
    '{ name: once, from: "2026-12-05T12:00Z", to: "2026-12-05T14:00Z", validators: [val-b] }',
  ].join(', ')
  const down = (now: string) =>
    published(windows, now).filter((line) => line.startsWith('maintenance_validator_down once'))
  const both = ['val-b', 'val-c'].map((name) => `maintenance_validator_down once ${name} 1`)
  expect(down('2026-12-04T12:30')).toEqual(both)
  expect(down('2026-12-05T13:30')).toEqual(both)
})
