import { describe, expect, test } from 'vitest'
import { listedChains } from '../../../src/collectors/chains/listed-chains.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller } from '../../support/poll.ts'

const yaml = `
networks:
  - name: mainnet
    data_api: { url: "http://127.0.0.1:2" }
    chains:
      - { id: c-chain, name: c, evm_chain_id: 43114 }
      - { id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: mine, evm_chain_id: 99999 }
      - { id: p-chain }
`
const list = (...chains: object[]) => ({ chains })
const C = { chainId: '43114', status: 'OK' }
const mine = (status: string) => ({ chainId: '99999', status })

async function polled(...answers: unknown[]) {
  const poller = createPoller(yaml, listedChains, 1_700_000_000_000)
  for (const one of answers) {
    await poller.poll(() => one)
    poller.clock.now += 60_000
  }
  const series = poller.series('stakewatch_evm_listed_state')
  const current = series.filter(({ value }) => value === 1)
  return {
    poller,
    series: series.length,
    states: Object.fromEntries(current.map(({ labels }) => [labels['chain'], labels['state']])),
    success: poller.value('stakewatch_collector_success'),
  }
}

describe('listed-chains (beyond document 1, supported-chains)', () => {
  test.each<[string, unknown[], object, number]>([
    ['reached and not', [list(C, mine('UNAVAILABLE'))], { c: 'ok', mine: 'unavailable' }, 1],
    ['back', [list(C, mine('UNAVAILABLE')), list(C, mine('OK'))], { c: 'ok', mine: 'ok' }, 1],
    ['in another spelling', [list(C, mine('unavailable'))], { c: 'ok', mine: 'unavailable' }, 1],
    ['an unknown state', [list(C, mine('MAINTENANCE'))], { c: 'ok', mine: 'other' }, 1],
    ['a chain that the service does not have', [list(C)], { c: 'ok', mine: 'unlisted' }, 1],
    ['an empty list has none of them', [list()], { c: 'unlisted', mine: 'unlisted' }, 1],
    ['a record that does not fit may be the missing one', [list(C, { chainId: '99999' })], { c: 'ok' }, 0],
    ['a failure takes nothing away', [list(C), new BaseError('timeout', 'late')], { c: 'ok', mine: 'unlisted' }, 0],
    ['an answer without the list', [{}], {}, 0],
    ['a service that does not have the list', [new BaseError('unsupported', 'no')], {}, 1],
  ])('%s', async (_, answers, states, success) => {
    const published = await polled(...answers)
    expect(published.states).toEqual(states)
    expect(published.series).toBe(4 * Object.keys(states).length)
    expect(published.success).toBe(success)
  })

  test('sends one request for all chains of the configured network', async () => {
    const poller = createPoller(yaml, listedChains, 0)
    const asked: unknown[] = []
    await poller.poll((operation, { path, query }) => asked.push([operation, path, query]))
    expect(asked).toEqual([['supported-chains', '/v1/chains', { network: 'mainnet' }]])
  })
})
