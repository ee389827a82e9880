import { describe, expect, test } from 'vitest'
import { listedValidators } from '../../../src/collectors/validators/listed-validators.ts'
import { nodeIdOf } from '../../../src/simulator/world/ids.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const VAL_1 = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const VAL_2 = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const PRIMARY = '11111111111111111111111111111111LpoYY'
const yaml = `
networks:
  - name: mainnet
    data_api: { url: "http://127.0.0.1:2" }
    validators: [{ node_id: ${VAL_1}, name: val-1 }, { node_id: ${VAL_2}, name: val-2 }]
`
const NOW = 1_705_000_000_000
/** Of val-1, with all that an active one has. */
const LIVE = fixture('data/list-validators.live') as { validators: [object, object, object] }
const [ACTIVE] = LIVE.validators
const answer = (...validators: object[]) => ({ validators })

async function polled(...answers: unknown[]) {
  const poller = createPoller(yaml, listedValidators, NOW)
  for (const one of answers) {
    await poller.poll(() => one)
    poller.clock.now += 60_000
  }
  return poller
}
type Poller = Awaited<ReturnType<typeof polled>>

/** Values by the name of the metric, of one validator. */
function valuesOf(validator: string, poller: Poller): Record<string, number> {
  return poller.table('stakewatch_validator_', ['blockchain'], { validator })
}
const success = (poller: Poller) => poller.value('stakewatch_collector_success')

const ALL = {
  listed_active: 1,
  listed_uptime_ratio: 0.99,
  listed_reachable_ratio: 1,
  'listed_benched_ratio P': 0,
  'listed_benched_ratio X': 0.125,
  'listed_benched_ratio C': 0.03,
  listed_info: 1,
  // 5 x 2,000 tokens less 2,000 of its own and 75 that are delegated.
  listed_delegation_capacity_tokens: 7_925,
  listed_end_timestamp_seconds: 1_710_000_000,
  listed_next_period_seconds: 604_800,
  listed_compounded_weight_tokens: 2_000.028_049_283,
}

describe('listed-validators (beyond document 1, list-validators)', () => {
  test('publishes what the data service sees, and that an unlisted validator is not active', async () => {
    const poller = await polled(answer(ACTIVE))
    expect(valuesOf('val-1', poller)).toEqual(ALL)
    expect(valuesOf('val-2', poller)).toEqual({ listed_active: 0 })
    expect(success(poller)).toBe(1)
    const labels = 'network="mainnet",subnet="primary",validator="val-1",source="data-api"'
    expect(poller.lines(/listed_info|benched_ratio.*"X"/)).toEqual([
      `stakewatch_validator_listed_benched_ratio{${labels},blockchain="X"} 0.125`,
      `stakewatch_validator_listed_info{${labels},version="avalanchego/1.14.2"} 1`,
    ])
  })

  test.each<[string, object, object]>([
    ['of a fixed term, by a service of today', { stakingType: 'fixed' }, {}],
    ['that leaves after this period', { nextPeriodSeconds: 0 }, { listed_next_period_seconds: 0 }],
    ['of which only the weight is known', { compoundedWeight: '1' }, { listed_compounded_weight_tokens: 1e-9 }],
    ['that has staked nothing again, in an old form', { compoundedWeight: null }, {}],
  ])('a validation %s', async (_, given, expected) => {
    const { autoRenew: __, ...fixed } = ACTIVE as { autoRenew?: object }
    const poller = await polled(
      answer('stakingType' in given ? { ...fixed, ...given } : { ...fixed, autoRenew: given }),
    )
    const { listed_next_period_seconds: ___, listed_compounded_weight_tokens: ____, ...others } = ALL
    expect(valuesOf('val-1', poller)).toEqual({ ...others, ...expected })
  })

  test('asks once for all active primary network validators, and reads all pages', async () => {
    const asked: unknown[] = []
    const poller = createPoller(yaml, listedValidators, NOW)
    await poller.poll((_, { path, query }) => {
      asked.push([path, query])
      const second = { ...ACTIVE, nodeId: VAL_2 }
      return query['pageToken'] === undefined ? { ...answer(ACTIVE), nextPageToken: 'next' } : answer(second)
    })
    const query = {
      nodeIds: `${VAL_1},${VAL_2}`,
      subnetId: PRIMARY,
      validationStatus: 'active',
      pageSize: '100',
    }
    expect(asked).toEqual([
      ['/v1/networks/mainnet/validators', query],
      ['/v1/networks/mainnet/validators', { ...query, pageToken: 'next' }],
    ])
    expect(valuesOf('val-2', poller)).toEqual(ALL)
  })

  test('asks for each of many validators once, 50 per request', async () => {
    const ids = Array.from({ length: 51 }, (_, at) => nodeIdOf(`node ${at}`))
    const rows = ids.map((id) => `{ node_id: ${id} }`).join(', ')
    const poller = createPoller(yaml.replace(/\[.*\]/, `[${rows}]`), listedValidators, NOW)
    await poller.poll(() => answer())
    const asked = poller.asked.map(({ query }) => String(query['nodeIds']).split(','))
    expect(asked.map(({ length }) => length)).toEqual([50, 1])
    expect(asked.flat()).toEqual(ids)
  })

  test.each<[string, object]>([
    ['of another subnet', { ...ACTIVE, subnetId: 'other' }],
    ['that is over', { ...ACTIVE, validationStatus: 'completed' }],
    ['that was removed', { ...ACTIVE, validationStatus: 'removed' }],
  ])('ignores a validation %s even if the service ignores the filters', async (_, other) => {
    expect(valuesOf('val-1', await polled(answer(other)))).toEqual({ listed_active: 0 })
  })

  test('publishes nothing, not 0, for missing fields', async () => {
    expect(valuesOf('val-1', await polled(answer({ nodeId: VAL_1 })))).toEqual({ listed_active: 1 })
  })

  test('reports an unreadable record and publishes nothing about the missing validator', async () => {
    const poller = await polled(answer(ACTIVE, { nodeId: VAL_2, subnetId: 7 }))
    expect(valuesOf('val-1', poller)).toEqual(ALL)
    expect(valuesOf('val-2', poller)).toEqual({})
    expect(success(poller)).toBe(0)
  })
})
