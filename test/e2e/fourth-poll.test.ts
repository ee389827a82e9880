// Alerts while an upstream fails at every fourth poll: three hours of real collectors, their series scraped every minute
// into promtool, with the rule as it is shipped. A rule that should fire has to fire.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import type { AnyCollector } from '../../src/collectors/define.ts'
import { headCheck } from '../../src/collectors/nodes/head-check.ts'
import { supply } from '../../src/collectors/subnets/supply.ts'
import { l1Validators } from '../../src/collectors/validators/l1-validators.ts'
import { uptime } from '../../src/collectors/validators/uptime.ts'
import { nativeBalances } from '../../src/collectors/wallets/native-balances.ts'
import { BaseError } from '../../src/errors.ts'
import { renderFamilies } from '../../src/metrics/exposition.ts'
import { configuredSamples } from '../../src/self/configured-metrics.ts'
import { onlyAlerts } from '../../tools/alerts.ts'
import { verdictSeries } from '../alerts/play.ts'
import { configFrom, createPoller, type Upstream } from '../support/poll.ts'

const rules = readFileSync(new URL('../../alerts/stakewatch.rules.yaml', import.meta.url), 'utf8')
const MINUTES = 180
const NODE = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const limited = new BaseError('http_status', 'HTTP 429: the rate limit is exceeded')

const services = `nodes: [{ name: node-a, url: "http://127.0.0.1:1" }], data_api: { url: "http://127.0.0.1:2" }`
const network = (rest: string) => `networks: [{ name: fuji, ${services}, ${rest} }]`

/** The minute is that of the poll; time begins at 0, as in promtool. */
type At = (minute: number) => Upstream

/** Blocks of the P-Chain up to a height, one a minute; 512 a second are what an L1 validator pays. */
function listed(minute: number, more: object = {}) {
  const blocks = Array.from({ length: 100 }, (_, at) => {
    const [height, time] = [10_000 + minute - at, (minute - at) * 60]
    const accrued = String(30_000_000_000 + 512 * time)
    return {
      blockNumber: String(height),
      blockHash: `hash-${height}`,
      blockTimestamp: Math.max(0, time),
      txCount: 0,
      l1ValidatorsAccruedFees: accrued,
      activeL1Validators: 1_000,
      ...more,
    }
  })
  return { blocks: blocks.slice(0, Math.max(2, minute + 1)), chainInfo: { chainName: 'p-chain', network: 'fuji' } }
}
const isList = (operation: string) => operation === 'list-latest-primary-network-blocks'
const missing = new BaseError('not_found', 'not there', { details: 'not found' })

/** A node with blocks of its own from a height on, and none after another. */
function nodeWith({ head, forked = Infinity }: { head: number; forked?: number }): Upstream {
  const hash = (height: number) => `${height < forked ? 'hash' : 'own'}-${height}`
  return (_, { body }) => {
    const { height, blockID } = body as { height?: number | string; blockID?: string }
    const number = Number(height ?? blockID!.split('-')[1])
    if (number > head || (blockID !== undefined && blockID !== hash(number))) return missing
    return { encoding: 'json', block: { parentID: hash(number - 1), height: number, id: hash(number), txs: [] } }
  }
}

const cases: readonly {
  alert: string
  collector: AnyCollector
  yaml: string
  answers: At
  /** What fails at every fourth poll. */
  failing: (operation: string) => boolean
}[] = [
  {
    // Two days are left: less than a week, and more than a day and a half.
    alert: 'StakewatchL1BalanceEnding',
    collector: l1Validators,
    yaml: network(
      `subnets: [{ id: ${L1}, name: my-l1 }], validators: [{ node_id: ${NODE}, subnet: my-l1 }], l1_fee: { target: 10000, excess_constant: 51937021, min_price: 512 }`,
    ),
    answers: (minute) => (operation) =>
      isList(operation)
        ? listed(minute)
        : operation === 'platform.getCurrentValidators'
          ? { validators: [{ nodeID: NODE, weight: '20', balance: String(512 * (2 * 86_400 - 60 * minute)) }] }
          : operation === 'platform.getCurrentSupply'
            ? { supply: '1', height: String(10_000 + minute) }
            : {
                encoding: 'json',
                block: { parentID: 'a', height: 10_000 + minute, id: 'b', time: 60 * minute, txs: [] },
              },
    failing: isList,
  },
  {
    alert: 'StakewatchNodeForked',
    collector: headCheck,
    yaml: network('chains: [{ id: p-chain }]'),
    answers: (minute) => (operation, wire, source) =>
      isList(operation) ? listed(minute) : nodeWith({ head: 10_000 + minute, forked: 9_990 })(operation, wire, source),
    failing: isList,
  },
  {
    alert: 'StakewatchNodeBehind',
    collector: headCheck,
    yaml: network('chains: [{ id: p-chain }]'),
    answers: (minute) => (operation, wire, source) =>
      isList(operation) ? listed(minute) : nodeWith({ head: 9_950 + minute })(operation, wire, source),
    failing: isList,
  },
  {
    alert: 'StakewatchSourcesDisagree',
    collector: supply,
    yaml: network('chains: []'),
    answers: (minute) => (operation) =>
      isList(operation)
        ? listed(minute, { currentSupply: '1000000000' })
        : { supply: '2000000000', height: String(10_000 + minute) },
    failing: isList,
  },
  {
    alert: 'StakewatchValidatorDisconnected',
    collector: uptime,
    yaml: network(`validators: [{ node_id: ${NODE} }]`),
    answers: () => () => ({
      validators: [
        { nodeID: NODE, weight: '2000', startTime: '0', endTime: '9999999', uptime: '99', connected: false },
      ],
    }),
    failing: () => true,
  },
  {
    alert: 'StakewatchWalletLow',
    collector: nativeBalances,
    yaml: network(
      'chains: [{ id: c-chain, evm_chain_id: 43113 }], addresses: [{ name: gas, addresses: ["0x0000000000000000000000000000000000000002"], chains: [c-chain], min_balance: 5 }]',
    ),
    answers: () => () => ({ nativeTokenBalance: { balance: '1000000000000000000', decimals: 18, symbol: 'AVAX' } }),
    failing: () => true,
  },
]

/** What a scrape a minute sees, as promtool takes it: Prometheus marks a series that is gone as stale. */
async function scraped({ collector, yaml, answers, failing }: (typeof cases)[number]) {
  const poller = createPoller(yaml, collector, 0)
  const every = poller.tasks[0]!.settings.every / 60_000
  const configured = renderFamilies(configuredSamples(configFrom(yaml))).flatMap(({ lines }) =>
    Buffer.concat(lines).toString().trimEnd().split('\n'),
  )
  const series = new Map<string, string[]>()
  let failures = 0
  for (let minute = 0; minute < MINUTES; minute += 1) {
    poller.clock.now = minute * 60_000
    if (minute % every === 0) {
      const isFourth = (minute / every) % 4 === 3
      const good = answers(minute)
      await poller.poll((...all) => (isFourth && failing(all[0]) ? limited : good(...all)))
      if (isFourth) failures += 1
    }
    poller.clock.now += 1_000
    for (const line of [...configured, ...poller.lines()]) {
      const [, name = '', value = ''] = /^(.*) (\S+)$/.exec(line)!
      const values = series.get(name) ?? Array<string>(minute).fill('stale')
      series.set(name, values)
      while (values.length < minute) values.push('stale')
      values.push(value)
    }
  }
  const inJob = (name: string) => name.replace('{', '{job="stakewatch",instance="a",')
  return { failures, input: [...series].map(([name, values]) => ({ series: inJob(name), values: values.join(' ') })) }
}

test.each(cases)('$alert fires although every fourth poll fails', async (one) => {
  const { failures, input } = await scraped(one)
  expect(failures).toBeGreaterThan(3)
  const folder = mkdtempSync(join(tmpdir(), 'fourth-poll-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'test.yaml')
  writeFileSync(join(folder, 'rules.yaml'), onlyAlerts(rules, new Set([one.alert])))
  const firing = `count by (alertname) (ALERTS{alertname="${one.alert}", alertstate="firing"})`
  const expected = { labels: `{alertname="${one.alert}"}`, value: 1 }
  // Once it fires it goes on: a page that comes and goes is none.
  const asked = [120, 130, 140, 150, 160, 170].map((minute) => ({
    expr: firing,
    eval_time: `${minute}m`,
    exp_samples: [expected],
  }))
  const asking = asked.map((one) => ({ ...one, exp_samples: [] }))
  const verdicts = verdictSeries({ name: one.alert, input_series: input, promql_expr_test: asking }, rules)
  writeFileSync(
    file,
    stringify({
      rule_files: ['rules.yaml'],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: [...input, ...verdicts],
          promql_expr_test: asked,
        },
      ],
    }),
  )
  expect(execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS')
})
