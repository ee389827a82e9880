// Each rule decides what a maintenance window does to it: it names what must be covered (`quietFor`), or stands here with a reason.

import { describe, expect, test } from 'vitest'
import { groupsOf } from '../../src/alerts/rules.ts'
import { incidents, long } from '../../tools/incidents/scripts/index.ts'

const stakewatch = (names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `Stakewatch${name}`)

/** What costs money or keys, stops an L1, or is about stakewatch itself. */
const neverSuppressed = {
  'it costs money': stakewatch(`
    DowntimeBudgetSmall DowntimeBudgetEnding RewardLost RewardOverdue RewardingStakeLow
    StakeEndPlanned StakeEnding StakeEndsSoon DelegationEnding ValidatorGone ValidatorNotInSet ValidatorRemoved WeightChanged
    L1BalanceLow L1BalanceEnding L1BalanceRunningOut L1ValidatorInactive L1PriceRising L1WeightEnding WalletLow GasPriceHigh`),
  'it costs keys or control': stakewatch(`
    UnexpectedOutflow ValidatorTampered SubnetChanged AdminApiExposed ExpectationNotMet NodeExchanged`),
  'blocks or messages of a chain have stopped': stakewatch(`
    L1Stalled L1MessagesUnsigned ChainStalled ThroughputCollapsed IcmStuck SignaturesMissing`),
  'it is about stakewatch itself': stakewatch(`
    Down SchedulerStalled ConfigReloadFailed ClockWrong StorageFailing SeriesDropped SeriesMissing ShardMissing ShardDuplicated
    Watchdog Drill`),
}

/** A window could cover their objects, and yet does not suppress them. */
const untouched = {
  'it says what a window costs, or that it is over': stakewatch(`
    MaintenanceOverrun MaintenanceTooLong MaintenanceStallsL1 MaintenanceEndsStake`),
  'a window covers no service, and none of its work makes one fail': stakewatch(`
    DataServiceBehind SourcesDisagree DataStale MessagesUnknown CredentialsRejected RateLimited AnswersRefused
    UpstreamClockWrong BudgetExhausted DrawContradicted`),
  'no restart causes it, and it is there until someone repairs it: better while they are at it': stakewatch(`
    NodeOfOtherNetwork NodeForked ChainProcessDead OwnChainNotCreated ChainNotCreated LoggerVerbose
    ValidatorNotUpgraded NodeNotUpgraded UpgradeNear`),
  'it leaves out what is not known because a node is away': stakewatch('ExpectationUnknown'),
}

const rules = groupsOf().flatMap((group) => group.rules)
const never = Object.values(neverSuppressed).flat()

describe('a window over it', () => {
  test('suppresses an alert, or the tables above say why not', () => {
    const unsuppressed = rules.filter(({ quietFor }) => quietFor === undefined).map(({ alert }) => alert)
    expect([...never, ...Object.values(untouched).flat()].toSorted()).toEqual(unsuppressed.toSorted())
  })

  // Prometheus alone evaluates the one, and the other fires all the time.
  const unplayed = ['StakewatchSeriesMissing', 'StakewatchWatchdog']
  const inWindow = incidents.filter((one) => !long.includes(one) && one.scenery?.maintenance === undefined)
  test.each(never.filter((alert) => !unplayed.includes(alert)))(
    '%s must not suppress it, as an incident shows that npm run incidents -- --window plays',
    (alert) => {
      expect(inWindow.filter(({ alerts }) => alerts.some((one) => one.alert === alert))).not.toEqual([])
    },
  )
})
