// Whether stakewatch's own data can be trusted. Its own series do not expire, so these tiles exclude instances that
// have stopped polling.

import { toPanel } from '../links.ts'
import { NONE, tile } from '../panels.ts'
import { type Narrowed, RUN } from '../select.ts'
import { COUNT, SHARE } from '../units.ts'

/** The series of the polling instances. */
export const polled = ({ select }: Narrowed, name: string, ...matchers: readonly string[]) =>
  `${select(name, ...matchers)} unless on (job, instance) (${select('scheduler_stalled')} == 1)`
const dataAge = ({ select }: Narrowed) =>
  `(time() - ${select('collector_last_success_timestamp_seconds')}) / ${select('collector_ttl_seconds')}`

export const upstreamsDown = (narrowed: Narrowed) =>
  tile(
    {
      title: 'Not answering',
      description: 'Nodes and services that did not answer the last request of any polling instance.',
      unit: COUNT,
    },
    {
      expr: `sum(min by (network, source) (${polled(narrowed, 'upstream_up')}) == bool 0)`,
      marks: NONE,
      to: toPanel('self', 'Upstreams'),
    },
  )

export const runsFailing = (narrowed: Narrowed) =>
  tile(
    {
      title: 'Runs failing',
      description:
        'Collectors and targets whose last run failed, or whose series have expired. The table Collectors names them.',
      unit: COUNT,
    },
    {
      expr: `sum(max by (${RUN}) (label_replace(${narrowed.select('collector_success')} == bool 0, "of", "success", "", "") or label_replace(${dataAge(narrowed)} > bool 1, "of", "age", "", "")))`,
      marks: NONE,
      to: toPanel('self', 'Collectors'),
    },
  )

export const oldestData = (narrowed: Narrowed) =>
  tile(
    {
      title: 'Oldest data',
      description:
        "Age of the oldest collector's data as a share of its time to live. About a third is normal; at 100 % its series vanish.",
      unit: SHARE,
    },
    {
      expr: `topk(1, max by (${RUN}) (${dataAge(narrowed)}))`,
      marks: ['green', [0.7, 'orange'], [1, 'red']],
      legend: '{{collector}} {{target}}',
      to: toPanel('self', 'Collectors', 'network'),
    },
  )

export const instances = (narrowed: Narrowed) =>
  tile(
    {
      title: 'Instances',
      description: 'Number of stakewatch instances that are scraped and poll. Red at 0, when nothing is monitored.',
      unit: COUNT,
    },
    {
      expr: `count(${polled(narrowed, 'build_info')})`,
      marks: ['red', [1, 'green']],
      isBadWhenNone: true,
      to: toPanel('self', 'Instances of stakewatch'),
    },
  )
