// What was spent and learned of upstreams, when the configuration is read again.

import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { createAccounts } from '../../src/budget/accounts.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import type { Claim, RequestBudget } from '../../src/upstream/request-budget.ts'
import type { Source } from '../../src/upstream/source.ts'
import { configFrom } from '../support/poll.ts'
import { createVirtualClock } from '../support/virtual-clock.ts'

/** Key and budget of two networks with one data service. */
interface Keys {
  fuji: string
  testnet?: string
  url?: string
  header?: string
  perMinute?: number
}

function planOf({
  fuji,
  testnet,
  url = 'https://data.example',
  header = 'x-key',
  perMinute = 1_000,
}: Keys): readonly Task[] {
  const network = (name: string, key: string) =>
    `{ name: ${name}, data_api: { url: "${url}", key: ${key}, key_header: ${header}, budget: { per_minute: ${perMinute} } }, chains: [{ id: x-chain }] }`
  const networks = [network('fuji', fuji), ...(testnet ? [network('testnet', testnet)] : [])]
  const config = configFrom(`networks: [${networks.join(', ')}]`)
  return plan(
    config,
    collectors.filter(({ name }) => name === 'primary-blocks'),
  )
}

const sourceOf = (tasks: readonly Task[], network = 'fuji'): Source =>
  tasks.flatMap(({ sources }) => sources).find((source) => source.network === network)!

async function spent(first: Keys, units: number, status = 200) {
  const clock = createVirtualClock()
  const tasks = planOf(first)
  const log = { info: () => {}, warn: () => {} }
  const accounts = createAccounts({ tasks, clock, circuits: { isOpen: () => false }, log })
  const paid = await accounts.of(sourceOf(tasks)).pay({ units }, new AbortController().signal)
  paid({ status, headers: {}, text: '' })
  const left = (tasks: readonly Task[], network?: string) =>
    accounts.of(sourceOf(tasks, network)).budget('minute')!.remaining
  expect(left(tasks)).toBe((first.perMinute ?? 1_000) - units)
  return {
    accounts,
    clock,
    left,
    replan(next: Keys) {
      const planned = planOf(next)
      accounts.replan(planned)
      return planned
    },
  }
}

describe('after a reload', () => {
  test.each<[string, Keys, Keys, number]>([
    ['nothing changed', { fuji: 'k1' }, { fuji: 'k1' }, 900],
    ['the key is another one', { fuji: 'k1' }, { fuji: 'k2' }, 900],
    ['the budget is another one', { fuji: 'k1' }, { fuji: 'k1', perMinute: 500 }, 400],
    ['another network uses the key as well', { fuji: 'k1' }, { fuji: 'k1', testnet: 'k1' }, 900],
    [
      'another network goes on with the key before',
      { fuji: 'k1', testnet: 'k1' },
      { fuji: 'k2', testnet: 'k1' },
      1_000,
    ],
    ['the service is another one', { fuji: 'k1' }, { fuji: 'k1', url: 'https://other.example' }, 1_000],
  ])('%s: so much of the budget is left', async (_, first, next, remaining) => {
    const { left, replan } = await spent(first, 100)
    expect(left(replan(next))).toBe(remaining)
  })

  test('who went on with the key before has what is left of it', async () => {
    const { left, replan } = await spent({ fuji: 'k1', testnet: 'k1' }, 100)
    expect(left(replan({ fuji: 'k2', testnet: 'k1' }), 'testnet')).toBe(900)
  })

  test('a service that comes back has not forgotten what was spent', async () => {
    const { accounts, left, replan } = await spent({ fuji: 'k1' }, 100)
    accounts.replan([])
    expect(left(replan({ fuji: 'k1' }))).toBe(900)
  })

  test('a service without requests is kept for as long as what was spent counts: for a day', async () => {
    const clock = createVirtualClock()
    const tasks = planOf({ fuji: 'k1' })
    const log = { info: () => {}, warn: () => {} }
    const accounts = createAccounts({ tasks, clock, circuits: { isOpen: () => false }, log })
    const account = accounts.of(sourceOf(tasks))
    const paid = await account.pay({ units: 100 }, new AbortController().signal)
    paid({ status: 200, headers: {}, text: '' })
    await clock.pass(86_400_000)
    accounts.replan([])
    expect(accounts.of(sourceOf(tasks))).toBe(account)
    // Days of two machines are not equally long.
    await clock.pass(100)
    accounts.replan([])
    expect(accounts.of(sourceOf(tasks))).not.toBe(account)
  })

  test.each<[string, Keys, string | undefined]>([
    ['the same key is refused still', { fuji: 'k1', perMinute: 900 }, 'HTTP 401'],
    ['another key is tried', { fuji: 'k2' }, undefined],
    ['the key in another header is tried', { fuji: 'k1', header: 'x-api-key' }, undefined],
    ['another user is tried', { fuji: 'k1', url: 'https://me:secret@data.example' }, undefined],
  ])('%s', async (_, next, refusal) => {
    const { accounts, left, replan } = await spent({ fuji: 'k1' }, 100, 401)
    const planned = replan(next)
    expect(accounts.of(sourceOf(planned)).refusal()).toBe(refusal)
    expect(left(planned)).toBe((next.perMinute ?? 1_000) - 100)
  })

  test('a refusal of the credentials before, which comes late, says nothing', async () => {
    const { accounts, clock, replan } = await spent({ fuji: 'k1' }, 100)
    const before = accounts.of(sourceOf(planOf({ fuji: 'k1' })))
    const late = await before.pay({ units: 1 }, new AbortController().signal)
    await clock.pass(1)
    const account = accounts.of(sourceOf(replan({ fuji: 'k1', header: 'x-api-key' })))
    late({ status: 401, headers: {}, text: '' })
    expect(account.refusal()).toBeUndefined()
  })

  test('the metrics of an upstream go with it', async () => {
    const { accounts } = await spent({ fuji: 'k1' }, 100)
    accounts.changes()
    accounts.replan([])
    expect(accounts.changes()).toEqual([{ kind: 'drop', keys: ['permission:fuji/data-api'] }])
    expect(accounts.changes()).toEqual([])
  })

  test('what a run was promised comes back, though its task is gone', async () => {
    const { accounts, left, replan } = await spent({ fuji: 'k1' }, 0)
    const [task] = planOf({ fuji: 'k1' })
    const allotment = await accounts.begin(task!, new AbortController().signal)
    const [[account, { promised }]] = [...allotment.claims] as [[RequestBudget, Claim]]
    expect(promised).toBeGreaterThan(0)
    accounts.replan([])
    accounts.end(task!, allotment, false)
    expect(allotment.claims.has(account)).toBe(false)
    expect(left(replan({ fuji: 'k1' }))).toBe(1_000)
  })
})
