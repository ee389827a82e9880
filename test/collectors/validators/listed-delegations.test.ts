import { describe, expect, test } from 'vitest'
import { listedDelegations } from '../../../src/collectors/validators/listed-delegations.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const VAL_1 = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const yaml = `
networks:
  - name: mainnet
    data_api: { url: "http://127.0.0.1:2" }
    validators: [{ node_id: ${VAL_1}, name: val-1 }]
`
/** A week before the end of the delegation in the fixture. */
const NOW = 1_705_000_000_000
const END = 1_705_604_800
const delegation = (txHash: string, tokens: number, endTimestamp: number, rest = {}) => ({
  txHash,
  nodeId: VAL_1,
  amountDelegated: String(tokens * 1e9),
  endTimestamp,
  delegationStatus: 'active',
  ...rest,
})
const list = (...delegators: object[]) => ({ delegators })
const LIVE = { ...(fixture('data/list-delegators.live') as object), nextPageToken: '' }
const SOON = delegation('a', 25, END)
const LATE = delegation('b', 100, END + 1)

async function polled(...answers: unknown[]) {
  const poller = createPoller(yaml, listedDelegations, NOW)
  for (const one of answers) {
    await poller.poll(() => one)
    poller.clock.now += 60_000
  }
  return {
    values: poller.table('stakewatch_validator_listed_') as object,
    success: poller.value('stakewatch_collector_success'),
  }
}
const sums = (delegated: number, soon: number, next?: number) => ({
  delegated_tokens: delegated,
  delegated_ending_tokens: soon,
  ...(next === undefined ? {} : { delegation_next_end_timestamp_seconds: next }),
})

describe('listed-delegations (beyond document 1, list-delegators)', () => {
  test('reads all pages of running delegations and counts each once', async () => {
    const poller = createPoller(yaml, listedDelegations, NOW)
    await poller.poll((_, { query }) =>
      query['pageToken'] === undefined ? { ...list(SOON), nextPageToken: 'next' } : list(SOON, LATE),
    )
    const asked = poller.asked.map(({ path, query }) => [path, query])
    const query = { nodeIds: VAL_1, delegationStatus: 'active', pageSize: '100' }
    expect(asked).toEqual([
      ['/v1/networks/mainnet/delegators', query],
      ['/v1/networks/mainnet/delegators', { ...query, pageToken: 'next' }],
    ])
    expect(poller.lines(/^stakewatch_validator_listed_delegated_tokens/)).toEqual([
      'stakewatch_validator_listed_delegated_tokens{network="mainnet",subnet="primary",validator="val-1"} 125',
    ])
  })

  test.each<[string, unknown[], object, number]>([
    ['of the fixture, the running one', [LIVE], sums(25, 25, END), 1],
    ['a week and a second', [list(SOON, LATE)], sums(125, 25, END), 1],
    ['none', [list()], sums(0, 0), 1],
    ['a list that is null', [{ delegators: null }], sums(0, 0), 1],
    ['one that is over', [list(delegation('c', 7, NOW / 1_000), LATE)], sums(100, 0, END + 1), 1],
    [
      'one that waits',
      [list(delegation('c', 7, END, { delegationStatus: 'pending' }), LATE)],
      sums(100, 0, END + 1),
      1,
    ],
    ['one of another validator', [list(delegation('c', 7, END, { nodeId: 'n' }), LATE)], sums(100, 0, END + 1), 1],
    ['a record that does not fit: the sums stay', [list(SOON), list(LATE, { txHash: 'x' })], sums(25, 25, END), 0],
  ])('%s', async (_, answers, values, success) => {
    expect(await polled(...answers)).toEqual({ values, success })
  })
})
