// Maintenance windows: which one is open, which comes next, what it covers, and what it costs.

import { VizTextDisplayOptionsBuilder } from '@grafana/grafana-foundation-sdk/common'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { firing } from './dashboard.ts'
import { toPanel } from './links.ts'
import { tile, timeline } from './panels.ts'
import { OBSERVED, ofFleet, SUBNET, VALIDATOR } from './select.ts'
import { polled } from './self/tiles.ts'
import { NETWORK_KEY, table } from './table.ts'
import { COUNT, SECONDS, SHARE } from './units.ts'
import { voted } from './verdicts.ts'

const { one } = ofFleet

const WINDOW = 'network, window'
const MEMBER = `${VALIDATOR}, window`

const isOpen = one(WINDOW, 'maintenance_active')
const start = one(WINDOW, 'maintenance_start_timestamp_seconds')
const end = one(WINDOW, 'maintenance_end_timestamp_seconds')
/** Seconds that are still to come of the open window, else all of the next one. */
const takes = `${end} - clamp_min(${start}, time())`
const opensIn = `${start} - time() > 0`
const closesIn = `${end} - time()`

const member = one(MEMBER, 'validator_in_maintenance')
const ofWindow = (value: string) => `(0 * ${member} + on (${WINDOW}) group_left () (${value}))`
const ofValidator = (value: string) => `(0 * ${member} + on (${VALIDATOR}) group_left () (${value}))`
const stakeEnd = ofValidator(one(VALIDATOR, 'validator_end_timestamp_seconds'))
const mayStop = ofValidator(`quantile by (${VALIDATOR}) (0.5, ${voted(one(OBSERVED, 'validator_may_stop_seconds'))})`)
/** By the vote in the middle, as the judge has it. What is left of a period says nothing about the next one. */
const allowed = `(${mayStop} unless ${stakeEnd} <= ${ofWindow(start)})`

const subnetWeight = `sum by (${SUBNET}) (${one(`${SUBNET}, state`, 'subnet_weight')})`
const ofL1 = `(${one(VALIDATOR, 'validator_weight')} and on (${VALIDATOR}) ${one(VALIDATOR, 'validator_info', 'kind="l1"')})`
const down = `${one(MEMBER, 'maintenance_validator_down')} * on (${VALIDATOR}) group_left () ${ofL1}`
const missing = `sum by (${SUBNET}, window) (${down}) / on (${SUBNET}) group_left () ${subnetWeight}`

const overrun = firing('alertname="StakewatchMaintenanceOverrun"')

const WINDOWS = 'Maintenance windows'

/** Blue while a window is open, and one value for each. */
export const openWindows = tile(
  {
    title: 'In maintenance',
    description:
      'Open maintenance windows by name, and the time until each one ends. While a window is open, stakewatch does not alert about outages of what it covers. None: no window is open.',
    unit: SECONDS,
  },
  {
    expr: `${closesIn} and ${isOpen} == 1 or count(${polled(ofFleet, 'build_info')}) * 0 - 1 unless on () ${isOpen} == 1`,
    marks: ['blue'],
    states: { [-1]: ['none', 'grey'] },
    names: ['window'],
    to: toPanel('fleet', WINDOWS),
  },
)
  .span(24)
  .height(2)
  // Its bar is flat.
  .text(new VizTextDisplayOptionsBuilder().titleSize(14).valueSize(18))

export const windows = [
  table({
    text: {
      title: WINDOWS,
      description:
        'Each maintenance window of the configuration, and what it costs; the one that closes first comes first. Takes: what is left of the open window, else all of the next one. Too long for: covered validators that may not be down for that long. Stakes end: covered stakes that end or renew inside the window. L1 left: least share of the weight of an L1 that is left when the window opens; blocks need 75 %. Still down: what has not come back after the window and its time to recover.',
    },
    height: 8,
    keys: [{ label: 'window', title: 'Window' }, NETWORK_KEY],
    rows: isOpen,
    columns: [
      { title: 'State', expr: isOpen, states: { 1: ['open', 'blue'], 0: ['closed', 'text'] } },
      { title: 'Opens in', expr: opensIn, unit: SECONDS },
      { title: 'Closes in', expr: closesIn, unit: SECONDS },
      { title: 'Takes', expr: takes, unit: SECONDS },
      { title: 'Validators', expr: `count by (${WINDOW}) (${member})`, unit: COUNT },
      {
        title: 'Too long for',
        // A lost reward cannot be lost again.
        expr: `sum by (${WINDOW}) ((${ofWindow(takes)} > bool ${allowed}) * (${mayStop} > bool 0))`,
        unit: COUNT,
        marks: ['text', [1, 'orange']],
      },
      {
        title: 'Stakes end',
        expr: `sum by (${WINDOW}) ((${stakeEnd} > bool ${ofWindow(start)}) * (${stakeEnd} < bool ${ofWindow(end)}))`,
        unit: COUNT,
        marks: ['text', [1, 'orange']],
      },
      {
        title: 'L1 left',
        expr: `1 - max by (${WINDOW}) (${missing})`,
        unit: SHARE,
        marks: ['orange', [thresholds.l1Blocks, 'text']],
      },
      {
        title: 'Still down',
        expr: `count by (${WINDOW}) (${overrun}) or 0 * ${isOpen}`,
        unit: COUNT,
        marks: ['text', [1, 'red']],
      },
    ],
    sortBy: ['Closes in'],
    first: ['Window', 'State', 'Closes in'],
  }),
  timeline(
    { title: 'When windows were open', description: 'When each maintenance window was open. A gap: unknown.' },
    { 1: ['open', 'blue'], 0: ['closed', 'grey'] },
    [['{{window}} {{network}}', isOpen]],
    { height: 8 },
  ),
]

export const windowsOfValidator = table({
  text: {
    title: 'Maintenance windows over it',
    description:
      'Each maintenance window that covers it, the first one to close on top, and what it costs. In maintenance: stakewatch does not alert about its outages, from the start of the window until its time to recover is over. Uses: how long the window may keep it down; Of: how long it may be down before its reward is lost, by the vote in the middle. Orange: the window is too long. An L1 validator has no reward to lose.',
  },
  height: 5,
  keys: [
    { label: 'window', title: 'Window' },
    { label: 'validator', title: 'Validator' },
    { label: 'subnet', title: 'Subnet', letters: 12 },
  ],
  hidden: ['network'],
  rows: member,
  columns: [
    { title: 'Now', expr: member, states: { 1: ['in maintenance', 'blue'], 0: ['no', 'text'] } },
    { title: 'Opens in', expr: ofWindow(opensIn), unit: SECONDS },
    { title: 'Closes in', expr: ofWindow(closesIn), unit: SECONDS },
    { title: 'Uses', expr: ofWindow(takes), unit: SECONDS },
    { title: 'Of', expr: allowed, unit: SECONDS, marks: ['orange', [1, 'text']] },
    // Without an allowed second there is no share: the column before is orange.
    { title: 'Share', expr: `${ofWindow(takes)} / (${allowed} > 0)`, unit: SHARE, marks: ['text', [1, 'orange']] },
  ],
  sortBy: ['Closes in'],
})
