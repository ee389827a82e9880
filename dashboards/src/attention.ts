// What needs attention first: all green is a quiet night.

import { thresholds } from '../../src/alerts/thresholds.ts'
import { stalled } from './chains/stalled.ts'
import { met, metByWallets, notMet } from './expectations.ts'
import { toPage, toPanel } from './links.ts'
import { NONE, RATHER_NONE, tile } from './panels.ts'
import { CHAIN, NODE_CHAIN, OBSERVED, ofFleet, ROUTE, VALIDATOR } from './select.ts'
import { unhealthy } from './nodes/tiles.ts'
import { instances, oldestData, runsFailing, upstreamsDown } from './self/tiles.ts'
import { leastWeight } from './subnets/weight.ts'
import { COUNT, SECONDS } from './units.ts'
import { leavesIn, observersSaying } from './validators/reward.ts'

const { one } = ofFleet
const inSet = one(VALIDATOR, 'validator_in_set')
const tracked = one(VALIDATOR, 'validator_tracked')
const depletion = `${one(VALIDATOR, 'l1_validator_depletion_timestamp_seconds')} - time()`
const open = one(OBSERVED, 'validator_reward_state', 'state=~"on_track|at_risk"')
const budget = `quantile by (${VALIDATOR}) (0.5, ${one(OBSERVED, 'validator_downtime_budget_seconds')} and on (${OBSERVED}) ${open} == 1)`

/** Nodes differ in what they say of a chain: the majority counts. */
const statusMet = `avg by (${CHAIN}, expectation) (${met(ofFleet, NODE_CHAIN, 'blockchain_status')})`
const expectations = [
  met(ofFleet, VALIDATOR, 'validator'),
  met(ofFleet, CHAIN, 'chain'),
  statusMet,
  ...metByWallets(ofFleet).map(([, expr]) => expr),
]

const toTracked = toPanel('fleet', 'Tracked validators')
const toValidator = toPage('validator', 'Validator', 'network', 'subnet', 'validator')

export const attention = [
  tile(
    {
      title: 'Disconnected',
      description: 'Validators to which most of the observing nodes are not connected. Look at the node itself first.',
      unit: COUNT,
    },
    {
      expr: `sum(avg by (${VALIDATOR}) (${one(OBSERVED, 'validator_connected')}) < bool 0.5)`,
      marks: NONE,
      to: toTracked,
    },
  ),
  tile(
    {
      title: 'Not in the set',
      description: 'Tracked validators that are not in the current set of their subnet: ended, removed, or mistyped.',
      unit: COUNT,
    },
    { expr: `sum(${inSet} == bool 0)`, marks: NONE, to: toTracked },
  ),
  tile(
    {
      title: 'Reward lost',
      description: 'Validators whose reward most of the observers judge lost: the required uptime is out of reach.',
      unit: COUNT,
    },
    { expr: `sum(${observersSaying('lost')} > bool 0.5)`, marks: NONE, to: toTracked },
  ),
  tile(
    {
      title: 'Reward at risk',
      description: 'Validators whose reward most of the observers judge at risk or lost.',
      unit: COUNT,
    },
    { expr: `sum(${observersSaying('at_risk|lost')} > bool 0.5)`, marks: RATHER_NONE, to: toTracked },
  ),
  tile(
    {
      title: 'Least budget',
      description:
        'How long the validator with the least downtime budget may still be down before it loses its reward, by the median of the observers. Opinions that judge the reward safe or lost are left out; no data when there are no others. The budget of a stake of two weeks is never three days: the alerts take that into account, the colour does not.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${budget})`,
      marks: ['red', [thresholds.budgetEnding, 'orange'], [thresholds.budgetSmall, 'green']],
      legend: '{{network}} {{validator}}',
      to: toValidator,
    },
  ),
  tile(
    {
      title: 'Stake ends in',
      description:
        'Time until the first validator leaves. It has to stake anew to go on. An auto-renewed validation does not count, unless its next period is 0 or most observers judge its reward lost.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${leavesIn})`,
      marks: ['red', [thresholds.stakeEndLast, 'orange'], [thresholds.stakeEndNear, 'green']],
      legend: '{{network}} {{validator}}',
      to: toValidator,
    },
  ),
  tile(
    {
      title: 'Without data',
      description: 'Tracked validators of which nothing current is known. The other tiles leave them out.',
      unit: COUNT,
    },
    { expr: `count(${tracked} unless ${inSet}) or sum(${tracked}) * 0`, marks: NONE, to: toTracked },
  ),
  leastWeight,
  tile(
    {
      title: 'L1 inactive',
      description: 'L1 validators whose balance has run out. Their weight still counts for the total of the L1.',
      unit: COUNT,
    },
    {
      expr: `sum(${one(VALIDATOR, 'l1_validator_active')} == bool 0)`,
      marks: NONE,
      to: toPanel('l1s', 'L1 validators'),
    },
  ),
  tile(
    {
      title: 'L1 runway',
      description: 'Time until the first active L1 validator runs out of balance at the current price.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${depletion})`,
      marks: ['red', [thresholds.runwayLast, 'orange'], [thresholds.runwayNear, 'green']],
      legend: '{{subnet}} {{validator}}',
      to: toValidator,
    },
  ),
  tile(
    {
      title: 'Chains stalled',
      description:
        'Chains without a new block for longer than the configuration allows them, by whoever has the newest block. A chain of which nodes have blocks that the data service does not list goes on.',
      unit: COUNT,
    },
    { expr: `sum(${stalled})`, marks: NONE, to: toPanel('chains', 'Heads') },
  ),
  unhealthy(ofFleet),
  tile(
    {
      title: 'Unmet',
      description:
        'Expectations of validators, chains and wallets in the configuration that are not met. Of a chain that nodes differ about, the majority counts. Who misses it is told on the pages Validator, Chains and nodes, and Wallets and rewards, and by What fires now.',
      unit: COUNT,
    },
    { expr: notMet(expectations), marks: NONE, to: toPanel('fleet', 'Expectations of validators') },
  ),
  tile(
    {
      title: 'Message age',
      description: 'Time since the oldest message between chains was sent that is not delivered yet.',
      unit: SECONDS,
    },
    {
      expr: `topk(1, ${ofFleet.age(ROUTE, 'icm_oldest_pending_timestamp_seconds')})`,
      marks: ['green', [thresholds.messagePending, 'red']],
      legend: '{{network}} {{route}}',
      to: toPanel('messages', 'Routes', 'network'),
    },
  ),
  upstreamsDown(ofFleet),
  runsFailing(ofFleet),
  oldestData(ofFleet),
  instances(ofFleet),
]
