// Whether nodes are well: checks that fail, and checks that nodes no longer make.

import { CHAIN_FAILED, DEAD, FOREIGN, STARTING } from './causes.ts'
import { startingFor } from './node-life.ts'
import { L1_SHARE, latest } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const PASSING = 'stakewatch_node_health_check_passing'
const asked = latest(
  'stakewatch_collector_last_success_timestamp_seconds{collector="node-health"}',
  'collector',
  'target',
)
const madeAt = latest('stakewatch_node_health_check_timestamp_seconds')

/**
 * Checks other than the one for starting. That of upgrades has alerts of its own while it is about one that is to come. A node
 * without peers fails nearly every check, and the check of its network says why. Where too little weight of an L1 takes part, every node of it fails the check of that chain, and the alerts about the L1 say so.
 */
const failing = ({ l1Healthy }: Thresholds) => `${latest(`${PASSING}{check!="bootstrapped"}`)} == 0
    unless on (job, network, source) ${STARTING}
    unless on (job, network, source, check) ${CHAIN_FAILED}
    unless (${latest(`${PASSING}{check="futureupgrade"}`)} and on (job, network, source) ${latest('stakewatch_node_upgrade_ready')} == 0)
    unless (
      ${latest(`${PASSING}{check!="network"}`)}
      and on (job, network, source) ${latest(`${PASSING}{check="network"}`)} == 0
    )
    unless on (job, network, source, check) label_replace(
      ${latest('stakewatch_l1_chain_info')} and on (job, network, subnet) ${L1_SHARE} < ${l1Healthy},
      "check", "$1", "id", "(.+)"
    )`

/** Until a node has caught up with its chains, most of its checks fail: one of them stands for all, and not at once. */
const notStarted = ({ nodeStarting }: Thresholds) =>
  `label_replace(0 * ${startingFor(nodeStarting)}, "check", "bootstrapped", "", "")`

/** A node that runs may wait for the chain of a subnet, which is not among those that it could not create. */
const waiting = ({ nodeStarting }: Thresholds) =>
  `(
      ${latest(`${PASSING}{check="bootstrapped"}`)} == 0
      unless on (job, network, source) (${STARTING} or ${CHAIN_FAILED})
      and on (job, network, source) ${asked} - on (job, network, source) group_right () ${latest('stakewatch_node_health_check_failing_since_timestamp_seconds{check="bootstrapped"}')} > ${nodeStarting}
    )`

/** How long ago the node made the check that it has not made for longest: one that hangs holds up all others. */
const stuck = ({ healthStill }: Thresholds) =>
  `max by (job, network, source) (
      ${asked} - on (job, network, source) group_right () ${madeAt}
    ) > ${healthStill}
    unless on (job, network, source) ${PASSING} == 0`

/** As it is recorded: several rules leave out what follows from it, and each would work it out again. */
export const UNHEALTHY = 'observer:stakewatch_node_health_check_passing:unhealthy'

/** 0 for a check that fails, else for how long the node has been stuck. */
export const unhealthy = (limits: Thresholds) => `(
    ${failing(limits)}
    or ${notStarted(limits)}
    or ${waiting(limits)}
    or ${stuck(limits)}
  )
  unless on (job, network, source) (${FOREIGN} or ${DEAD})`
