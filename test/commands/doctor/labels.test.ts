// Which labels doctor says that Prometheus drops.

import { expect, test } from 'vitest'
import { prometheusScrapes } from '../../../src/commands/doctor/checks/prometheus-scrapes.ts'

const judge = prometheusScrapes.find(({ name }) => name === 'prometheus/labels')!.judge as (facts: object) => object[]
const target = { labels: { job: 'stakewatch', instance: 'a:1' }, scrapePool: 'stakewatch' }

/** What doctor finds where one series is served and another one is stored, both of this metric. */
const found = (name: string, served: object, stored: object) =>
  judge({
    daemons: [{ samples: [{ name, labels: served, value: 1 }] }],
    examples: [{ labels: { __name__: name, ...target.labels, ...stored }, value: 1 }],
    targets: [target],
    instances: [target.labels],
    config: { scrape_configs: [] },
  })

test.each([
  ['stakewatch_validator_connected', { subnet: 'a' }, { subnet: 'b' }, 'ok'],
  ['stakewatch_validator_connected', { subnet: 'a' }, {}, 'failed'],
  // The one is about a validator, and the other one, which has ended, was about a node.
  ['stakewatch_condition', { subnet: 'a' }, { source: 'node-a' }, 'ok'],
])('%s with %j served and %j stored is %s', (name, served, stored, level) => {
  expect(found(name, served, stored)).toMatchObject([{ level }])
})
