import { describe, expect, test } from 'vitest'
import type { FromPoller } from '../../src/metrics/publication.ts'
import { declarationsIn } from '../../src/scheduler/expected.ts'
import { createKnown, type Judgement } from '../../src/self/known.ts'
import { configFrom } from '../support/poll.ts'
import { momentAt } from '../support/clock.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const config = configFrom(`
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    data_api: { url: "http://127.0.0.1:2" }
    validators: [{ node_id: ${ONE}, name: one, expect: { delegation_fee: 0.02 } }]
    chains: [{ id: c-chain, name: c, evm_chain_id: 43113, expect: { status: validating } }]
    addresses: [{ name: gas, addresses: ["0x0000000000000000000000000000000000000002"], chains: [c], min_balance: 1 }]
`)

const row = (labels: Record<string, string>, expectation: string, expiresAt = 100): Judgement => ({
  rows: [{ labels: { network: 'fuji', ...labels }, expectation, expected: '', found: '', isMet: true }],
  expiresAt: momentAt(expiresAt),
})
const fee = row({ subnet: 'primary', node_id: ONE, validator: 'one' }, 'delegation_fee')
const status = row({ chain: 'c', source: 'node-a' }, 'status')
const balance = row({ address: 'gas', chain: 'c' }, 'min_balance')

/** The values of the validator's, the chain's and the wallet's; undefined when nothing has to be published. */
function valuesIn(messages: readonly FromPoller[]): string[] | undefined {
  const text = messages.flatMap((message) =>
    message.kind === 'publish' ? message.families.map(({ lines }) => Buffer.concat(lines).toString()) : [],
  )
  return messages.length === 0 ? undefined : text.flatMap((lines) => lines.trimEnd().split('\n'))
}

describe('what is known of what is declared', () => {
  test('is a series each, 0 until a run finds it out', () => {
    expect(valuesIn(createKnown(declarationsIn(config)).changes([], momentAt(0)))).toEqual([
      `stakewatch_validator_expectation_known{network="fuji",subnet="primary",node_id="${ONE}",validator="one",expectation="delegation_fee"} 0`,
      'stakewatch_chain_expectation_known{network="fuji",chain="c",expectation="status"} 0',
      'stakewatch_address_expectation_known{network="fuji",address="gas",expectation="min_balance"} 0',
    ])
  })

  test.each<[string, Judgement[], number, number[]]>([
    ['all of it', [fee, status, balance], 0, [1, 1, 1]],
    [
      'until its source has expired',
      [
        { ...fee, expiresAt: momentAt(100) },
        { ...status, expiresAt: momentAt(101) },
      ],
      100,
      [0, 1, 0],
    ],
    ['not by what is about another network', [row({ network: 'mainnet', chain: 'c' }, 'status')], 0, [0, 0, 0]],
    ['not by another expectation', [row({ address: 'gas', chain: 'c' }, 'outgoing')], 0, [0, 0, 0]],
    ['not by a thing of another kind with the same name', [row({ address: 'c' }, 'status')], 0, [0, 0, 0]],
  ])('%s', (_, judgements, now, expected) => {
    const values = valuesIn(createKnown(declarationsIn(config)).changes(judgements, momentAt(now)))
    expect(values?.map((line) => Number(line.at(-1)))).toEqual(expected)
  })

  test('is published when it changes', () => {
    const known = createKnown(declarationsIn(config))
    const published = [[], [], [fee], [fee], []].map(
      (judgements) => valuesIn(known.changes(judgements, momentAt(0))) !== undefined,
    )
    expect(published).toEqual([true, false, true, false, true])
  })

  test('is nothing where nothing is declared', () => {
    expect(createKnown([]).changes([], momentAt(0))).toEqual([])
  })
})
