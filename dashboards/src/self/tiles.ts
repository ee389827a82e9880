// Whether stakewatch's own data can be trusted. Its own series do not expire, so these tiles exclude instances that
// have stopped polling.

import { toPanel } from '../links.ts'
import { countBad, NONE, tile } from '../panels.ts'
import { type Narrowed, RUN } from '../select.ts'
import { COUNT, SECONDS } from '../units.ts'

/** The series of the polling instances. */
export const polled = ({ select }: Narrowed, name: string, ...matchers: readonly string[]) =>
  `${select(name, ...matchers)} unless on (job, instance) (${select('scheduler_stalled')} == 1)`
/** Joins the last run on a target with what is published of the collector on all of them. */
export const ON_COLLECTOR = 'on (job, instance, network, collector, source) group_left ()'
/** Age of the data of each run, as a share of its time to live. */
export const dataAge = ({ select }: Narrowed) =>
  `(time() - ${select('collector_last_success_timestamp_seconds')}) / ${ON_COLLECTOR} ${select('collector_ttl_seconds')}`
/** Seconds since the next run was due, once less than 30 % of the time to live is left; 0 before. */
const overdue = (narrowed: Narrowed) =>
  `(time() - ${narrowed.select('collector_last_success_timestamp_seconds')} - ${narrowed.select('collector_interval_seconds')}) * (${dataAge(narrowed)} > bool 0.7)`

export const upstreamsDown = (narrowed: Narrowed) =>
  tile(
    {
      title: 'No answer',
      description: 'Nodes and services that did not answer the last request of any polling instance.',
      unit: COUNT,
    },
    {
      expr: countBad(`min by (network, source) (${polled(narrowed, 'upstream_up')}) == bool 0`),
      names: ['source'],
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
      expr: countBad(
        `max by (${RUN}) (label_replace(${narrowed.select('collector_success')} == bool 0, "of", "success", "", "") or label_replace(${dataAge(narrowed)} > bool 1, "of", "age", "", ""))`,
      ),
      names: ['collector', 'target'],
      marks: NONE,
      to: toPanel('self', 'Collectors'),
    },
  )

export const dataLate = (narrowed: Narrowed) =>
  tile(
    {
      title: 'Data late by',
      description:
        'How long a run that brings data has been overdue: the one whose series are nearest to vanishing. In time: all series have more than 30 % of their time to live.',
      unit: SECONDS,
    },
    {
      // In time, none is the worst.
      expr: `topk(1, max by (${RUN}) (${overdue(narrowed)}) > 0) or on () max(${overdue(narrowed)})`,
      marks: ['green', [1, 'orange']],
      states: { 0: ['in time', 'green'] },
      names: ['collector', 'target'],
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
