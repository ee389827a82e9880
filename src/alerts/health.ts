// The health of nodes: failing checks, and checks that nodes no longer run.

import { CHAIN_FAILED, DEAD, FOREIGN, STARTING } from './causes.ts'
import { startingFor } from './node-life.ts'
import { L1_SHARE, lastSuccessOf, latest } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const PASSING = 'stakewatch_node_health_check_passing'
const asked = lastSuccessOf('node-health')
const madeAt = latest('stakewatch_node_health_check_timestamp_seconds')

/**
 * Failing checks, except: bootstrapping; upgrades that are still to come, which have alerts of their own; every other check while
 * the network check fails, because it is the cause; and the chain of an L1 with too little weight online, which has alerts too.
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

/** A bootstrapping node fails most of its checks: report one of them, after a while. */
const notStarted = ({ nodeStarting }: Thresholds) =>
  `label_replace(0 * ${startingFor(nodeStarting)}, "check", "bootstrapped", "", "")`

/** A running node that still waits for a subnet's chain, other than one that it could not create. */
const waiting = ({ nodeStarting }: Thresholds) =>
  `(
      ${latest(`${PASSING}{check="bootstrapped"}`)} == 0
      unless on (job, network, source) (${STARTING} or ${CHAIN_FAILED})
      and on (job, network, source) ${asked} - on (job, network, source) group_right () ${latest('stakewatch_node_health_check_failing_since_timestamp_seconds{check="bootstrapped"}')} > ${nodeStarting}
    )`

/** Age of the oldest health check of the node: one check that hangs blocks all others. */
const stuck = ({ healthStill }: Thresholds) =>
  `max by (job, network, source) (
      ${asked} - on (job, network, source) group_right () ${madeAt}
    ) > ${healthStill}
    unless on (job, network, source) ${PASSING} == 0`

/** The name of its recording rule: several rules exclude unhealthy nodes. */
export const UNHEALTHY = 'observer:stakewatch_node_health_check_passing:unhealthy'

/** 0 for a failing check, else the seconds for which the node has been stuck. */
export const unhealthy = (limits: Thresholds) => `(
    ${failing(limits)}
    or ${notStarted(limits)}
    or ${waiting(limits)}
    or ${stuck(limits)}
  )
  unless on (job, network, source) (${FOREIGN} or ${DEAD})`
