// Every limit of the alert rules, with its reason. Panels use the same limits, so a tile turns red when an alert fires.

import { DAY, HOUR, MINUTE } from '../lib/seconds.ts'

/** Seconds, shares of 1, or plain numbers. */
export const thresholds = {
  /** Downtime left before the reward is lost. Leaves a day and a half to repair it before it pages. */
  budgetSmall: 3 * DAY,
  /** Share of the initial downtime budget: a short stake never has three days. */
  budgetSmallShare: 0.5,
  /** A disconnected validator loses its reward within a day, so this pages. */
  budgetEnding: DAY,

  /** Share of an hour that a validator may be offline in short outages: six minutes, like the missed block limits of other
   * monitors; and half of it. */
  awayOfHour: 0.1,
  awayMostly: 0.5,
  /** The same for a day: hosted monitors warn below 95 percent. */
  awayOfDay: 0.05,

  /** Turns in a row that a connected validator misses. One that misses one in twenty by chance comes that far less than once in 4,000 years, even
   * with a fifth of the stake of a chain with a block each second. */
  turnsMissed: 8,
  /** Blocks that a validator should have made since its last one: it makes none for so long once in a billion times. */
  blocksDue: 21,
  /** Share of the turns of a chain that were missed: more than a usual chain has of validators that are down. */
  turnsMissedOfChain: 0.25,
  /** How many these have to be. */
  turnsMissedLeast: 20,

  /** Share of the stake: a node connected to less has lost the network. With three equal validators, two are more than this. */
  isolated: 0.2,

  /** Share of requests that a reachable validator answers. */
  reachable: 0.5,

  /** A new stake needs tokens, keys and signers: time to plan, the notice period of hosted services, and a last day. */
  stakeEndPlanned: 14 * DAY,
  stakeEndNear: 7 * DAY,
  stakeEndLast: 1.5 * DAY,
  /** A validation may end this much before its planned end without an alert: plans are not exact to the hour. */
  plannedEndSlack: DAY,
  /** What a maintenance window costs is said this long before it opens. */
  maintenanceNotice: DAY,
  /** Share of the delegations that ends within a week. */
  delegationEnding: 0.1,
  /** Relative change of a weight or own stake. Compounding rewards stay below it. */
  weightChange: 0.05,
  /** Time before an upgrade activates. Nodes report as unhealthy three days before, and fail when it activates. */
  upgradeNear: 1.5 * DAY,
  /** Share of the stake that supports an upgrade: a few peers may announce one that is not the network's. */
  upgradeOfMost: 0.5,

  /** Time left of an L1 balance: a top-up needs the same signers as a stake, and an empty balance may be final. */
  runwayPlanned: 30 * DAY,
  runwayNear: 7 * DAY,
  runwayLast: 1.5 * DAY,
  /** Price of L1 validation relative to a day ago: it can at most double within a day, on Fuji within an hour. */
  l1PriceRise: 1.5,
  /** Weight of an L1 that must be online: for healthy nodes (0.80), blocks (0.75) and messages to other chains (0.67). */
  l1Healthy: 0.8,
  l1Blocks: 0.75,
  l1Messages: 0.67,
  /** How soon the next balance must run out to count as the step that stalls an L1. */
  nextBalance: 14 * DAY,
  /** Weight that an L1 can lose (0.25). An L1 whose largest validator has more is always one step from a stall. */
  spareWeight: 0.25,

  /** Blocks by which the data service normally lags behind the nodes. */
  listedBehindBlocks: 2,
  /** Age of a listed head that is late for any chain, fast or slow. */
  listedBehind: 5 * MINUTE,
  /** Lag of a node's index behind its own chain. */
  indexBehind: 10 * MINUTE,
  /** Transactions per second of the last hour relative to the last day. */
  throughputShare: 0.1,
  /** Transactions per second of the last day that a chain must have for this alert. */
  throughputLeast: 0.1,
  /** Gas price on the P-Chain relative to the minimum. */
  gasPriceRise: 10,

  /** Healthy nodes are seconds apart; on the fastest chains, this is 10 to 20 seconds. */
  nodeBehindBlocks: 20,
  /** A node runs its health checks every 30 seconds. */
  healthStill: 2 * MINUTE,
  /** Time for a restarted node to catch up; until then, its checks fail. */
  nodeStarting: 5 * MINUTE,
  /** For observer nodes: a restart takes minutes, even on a slow disk. After an hour, the node syncs from scratch or is stuck. */
  nodeBootstrapping: HOUR,
  /** Share of an hour without an answer: a restart of five minutes is 8 %. */
  unsteadyHour: 0.1,
  /** Share of a day without an answer: over an hour, longer than an upgrade. */
  unsteadyDay: 0.05,
  /** Outages in that time: a restart is one, a failed upgrade is two. */
  unsteadyOutages: 3,
  /** Observed starts of a node within an hour, for the same reason. */
  nodeRestarts: 3,
  /** Share of the stake that would vote for the node's reward. */
  rewardingStake: 0.95,
  /** Share of the stake that the node is connected to: below it, the node reports as unhealthy. */
  peerStake: 0.8,

  /** Age of an undelivered message: a delivery takes a minute, and a restarted relayer catches up in less. */
  messagePending: 30 * MINUTE,
  /** Time after the end of a stake without its reward. */
  rewardOverdue: 6 * HOUR,

  /** Intervals without a success of a collector. */
  collectorIntervals: 3,
  /** The least time without a success: shorter outages resolve themselves. */
  collectorFailing: 10 * MINUTE,
  /** Share left of the daily budget. */
  budgetLeft: 0.05,
  /** How many times longer than configured an interval is: a single HTTP 429 halves the rate for some minutes. */
  budgetStretch: 1.5,
  /** Share of requests that an upstream answers with HTTP 429. */
  rateLimited: 0.1,
  /** Synchronised clocks differ by milliseconds, measured to a second or two. The shortest limit of an age is two minutes. */
  clockWrong: 60,
  /** Age of the last update that a service reports: averages change daily, lists of L1s follow the chain. */
  averageStale: 2 * DAY,
  listStale: HOUR,
  /** Starts within 15 minutes: with more, no alert is pending long enough to fire. */
  restarts: 3,
} as const

export type Thresholds = { readonly [name in keyof typeof thresholds]: number }
