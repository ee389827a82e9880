// Every limit of the alert rules, with what it follows from. Panels draw them as well, so that a tile turns red when
// somebody is told.

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Seconds, shares of 1, or plain numbers. */
export const thresholds = {
  /** Downtime that may still come before the reward is lost. One who is told at noon of the first day has mended it by the third. */
  budgetSmall: 3 * DAY,
  /** Of the downtime with which the stake began: a short stake never has three days. */
  budgetSmallShare: 0.5,
  /** A disconnected validator loses it within a day: somebody has to get up. */
  budgetEnding: DAY,

  /**
   * Share of an hour in which a validator, a node or a service may be away in short outages: six minutes, as other monitors
   * count missed blocks; and half of it, when it is away as much as it is there.
   */
  awayOfHour: 0.1,
  awayMostly: 0.5,
  /** Share of a day: what is left of 95 percent, below which hosted monitors warn. */
  awayOfDay: 0.05,

  /** Of the stake: a node that reaches less has lost the network. Even of three equal validators two are more. */
  isolated: 0.2,

  /** Requests that a validator answers when the way to it is sound. */
  reachable: 0.5,

  /** A new stake needs tokens, keys and people who sign: time to plan, the notice that hosted services give, a last day. */
  stakeEndPlanned: 14 * DAY,
  stakeEndNear: 7 * DAY,
  stakeEndLast: 1.5 * DAY,
  /** Before its planned end a validation may end without news: nobody plans to the hour. */
  plannedEndSlack: DAY,
  /** Of what is delegated to a validator, leaving within a week. */
  delegationEnding: 0.1,
  /** Change of a weight, or of an own stake, as a share of it: delegators and rewards that compound stay below. */
  weightChange: 0.05,
  /** An upgrade comes into force: nodes count as unhealthy three days before, and fail at it. */
  upgradeNear: 1.5 * DAY,
  /** Of the stake that knows an upgrade: a few peers with one of their own are not the network. */
  upgradeOfMost: 0.5,

  /** Balance of an L1 validator: a top-up takes the same people as a stake, and one that has run dry may not come back. */
  runwayPlanned: 30 * DAY,
  runwayNear: 7 * DAY,
  runwayLast: 1.5 * DAY,
  /** Price of L1 validation, as a multiple of that of a day before: it doubles within a day at most. */
  l1PriceRise: 1.5,
  /** Weight of an L1 that takes part: healthy nodes (0.80), blocks (0.75), messages to other chains (0.67). */
  l1Healthy: 0.8,
  l1Blocks: 0.75,
  l1Messages: 0.67,
  /** Before somebody is told that an L1 is one balance away from standing still. */
  nextBalance: 14 * DAY,
  /** Of the weight that an L1 can spare (0.25) when its greatest validator stops: a few equal validators never have it. */
  spareWeight: 0.25,

  /** Nodes have the newest blocks before the data service lists them. */
  listedBehindBlocks: 2,
  /** A listed head that is older is late, however fast or slow its chain is. */
  listedBehind: 5 * MINUTE,
  /** Newest block in the index of a node, while the chain of the same node goes on. */
  indexBehind: 10 * MINUTE,
  /** Transactions per second of the last hour, as a share of those of the last day, */
  throughputShare: 0.1,
  /** of a chain that has at least so many. */
  throughputLeast: 0.1,
  /** Price of gas on the P-Chain, as a multiple of the least one: top-ups and stakes cost so much more. */
  gasPriceRise: 10,

  /** A healthy node has a block seconds after the others: half a minute of the fastest chains. */
  nodeBehindBlocks: 20,
  /** A node makes its health checks every half a minute. */
  healthStill: 2 * MINUTE,
  /** A node that was restarted has caught up by then; until it has, its checks fail. */
  nodeStarting: 5 * MINUTE,
  /** A node that only watches: a restart takes minutes, even on a slow disk. After an hour it syncs anew or is stuck. */
  nodeBootstrapping: HOUR,
  /** Share of an hour without an answer: validators page on 10 % of a window, and a restart of five minutes is 8 %. */
  unsteadyHour: 0.1,
  /** Of a day: over an hour, more than an upgrade takes. */
  unsteadyDay: 0.05,
  /** Outages in that time: a restart is one, and an upgrade that went wrong at first two. */
  unsteadyOutages: 3,
  /** Starts of a node within an hour that stakewatch saw: the same reason. */
  nodeRestarts: 3,
  /** Stake that has seen enough uptime of the node to vote for its reward: operators hold on below this. */
  rewardingStake: 0.95,
  /** Stake of the validators that the node is connected to: a node counts as unhealthy below it. */
  peerStake: 0.8,

  /** A message that is not delivered: deliveries take a minute, and a relayer that was restarted has caught up by then. */
  messagePending: 30 * MINUTE,
  /** A reward that has not come after the end of its stake. */
  rewardOverdue: 6 * HOUR,

  /** Intervals without a success of a collector, */
  collectorIntervals: 3,
  /** and never less than this: shorter outages mend themselves. */
  collectorFailing: 10 * MINUTE,
  /** Of the budget of a day. */
  budgetLeft: 0.05,
  /** Requests to an upstream that it answers with 429, as a share of all. */
  rateLimited: 0.1,
  /** Clocks that are kept differ by milliseconds, and answers tell it to a second or two; two minutes is the least limit of an age. */
  clockWrong: 60,
  /** Age of what a service says it has updated: the metrics service does so daily, lists of L1s follow the chain. */
  averageStale: 2 * DAY,
  listStale: HOUR,
  /** Starts within a quarter of an hour: with more no alert stands for the time that it needs to fire. */
  restarts: 3,
} as const

export type Thresholds = { readonly [name in keyof typeof thresholds]: number }
