import { describe, expect, test } from 'vitest'
import { delegations } from '../../../src/collectors/validators/delegations.ts'
import { NODE_ID_PREFIX, toCb58 } from '../../../src/lib/ids.ts'
import { createPoller, type Poller } from '../../support/poll.ts'
import { delegated } from '../../support/delegated.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const nodes = 'nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]'
const yaml = `
networks:
  - name: fuji
    ${nodes}
    validators: [{ node_id: ${ONE}, name: one }]
`
/** When the first of the recorded delegations has just ended. */
const NOW = 1_700_000_000_000
const nextEnd = (time: string) =>
  `stakewatch_validator_delegation_next_end_timestamp_seconds{network="fuji",subnet="primary",validator="one"} ${time}`
const ratio = (share: number, within: string) =>
  `stakewatch_validator_delegated_ending_ratio{network="fuji",subnet="primary",node_id="${ONE}",validator="one",within="${within}"} ${share}`
const lines = (poller: Poller) => poller.lines(/stakewatch_validator_/)
/** Of all that is delegated. */
const shares = (within7d: number, within30d: number, all: number) => [
  ratio(within7d / all, '7d'),
  ratio(within30d / all, '30d'),
]

async function polled(answer: unknown, at = NOW) {
  const poller = createPoller(yaml, delegations, at)
  await poller.poll(() => answer)
  return poller
}
const withDelegators = (delegators: unknown, more: object = {}) => ({
  validators: [{ nodeID: ONE, delegators, ...more }],
})

describe('delegations (document 2, Validator record)', () => {
  test('publishes what leaves within 7 and 30 days, and the next end', async () => {
    const poller = createPoller(yaml, delegations, NOW)
    await poller.poll(() => ({ validators: [delegated] }))
    const asked = poller.asked.map(({ body }) => body)
    // 25 in three days and 100.5 in seven; 1,000 a second later, 2,000 in thirty days; 4,000 a second after that.
    // One of 1 ended now: it has left.
    expect(lines(poller)).toEqual([nextEnd('1700259200'), ...shares(125.5, 3_125.5, 7_125.5)])
    expect(asked).toEqual([{ nodeIDs: [ONE] }])
  })

  test.each<[string, number, readonly string[]]>([
    [
      'a second earlier the first one is still there, and two have not come into their window',
      NOW - 1_000,
      [nextEnd('1700000000'), ...shares(26, 1_126.5, 7_126.5)],
    ],
    ['a second later two more have', NOW + 1_000, [nextEnd('1700259200'), ...shares(1_125.5, 7_125.5, 7_125.5)]],
    ['all have ended: nothing leaves, and nothing is next', 1_702_592_001_000, []],
  ])('%s', async (_, at, expected) => {
    expect(lines(await polled({ validators: [delegated] }, at))).toEqual(expected)
  })

  test.each<[string, unknown, readonly string[]]>([
    ['no delegation', withDelegators([]), []],
    ['none, as null', withDelegators(null, { delegatorCount: '0' }), []],
    ['the list is missing though there are some', withDelegators(undefined, { delegatorCount: '3' }), []],
    ['the list is missing', withDelegators(undefined), []],
    ['the validator is not in the set', { validators: [] }, []],
    ['the answer is about another one', { validators: [{ nodeID: 'NodeID-other', delegators: [] }] }, []],
    [
      'an amount that no double holds, exact to its last digit',
      withDelegators([{ endTime: '1700000001', weight: '2999999000000001' }]),
      [nextEnd('1700000001'), ...shares(1, 1, 1)],
    ],
    [
      'bare numbers, unknown fields and no more than what is needed',
      withDelegators([{ endTime: 1_700_000_001, weight: 1_500_000_000, laterField: {} }]),
      [nextEnd('1700000001'), ...shares(1, 1, 1)],
    ],
  ])('%s', async (_, answer, expected) => {
    const poller = await polled(answer)
    expect(lines(poller)).toEqual(expected)
    expect(poller.lines(/collector_success.* 1$/)).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['a delegation without end', withDelegators([{ weight: '1' }, { endTime: '1700000001', weight: '1' }])],
    ['a delegation without weight', withDelegators([{ endTime: '1700000001' }])],
    ['a delegation with a bad weight', withDelegators([{ endTime: '1700000001', weight: '-1' }])],
  ])('%s is a failure and keeps the values', async (_, answer) => {
    const poller = await polled({ validators: [delegated] })
    const before = lines(poller)
    expect(before).toHaveLength(3)
    await poller.poll(() => answer)
    expect(lines(poller)).toEqual(before)
    expect(poller.lines(/collector_success.* 0$/)).toHaveLength(1)
  })

  test('sends one call for each of the first hundred primary network validators', async () => {
    const ids = Array.from({ length: 101 }, (_, at) => NODE_ID_PREFIX + toCb58(new Uint8Array(20).fill(at)))
    expect(new Set(ids).size).toBe(101)
    const listed = ids.map((id) => `      - { node_id: ${id} }`).join('\n')
    const poller = createPoller(
      `
networks:
  - name: fuji
    ${nodes}
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: my-l1 }]
    validators:
      - { node_id: ${ONE}, subnet: my-l1, name: one }
${listed}
`,
      delegations,
      NOW,
    )
    await poller.poll(() => ({ validators: [] }))
    expect(poller.asked.map(({ body }) => body['nodeIDs'])).toEqual(ids.slice(0, 100).map((id) => [id]))
  })
})
