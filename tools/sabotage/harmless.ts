// Changes of conditions that cannot matter to an alert, with the reason: tools/sabotage.ts does not try them.

const NOT_HELD =
  'It decides whether it is unknown or does not apply, and the alert is not held while its inputs are unknown.'
const IN_ORDER = 'It matters where limits are set against their order: test/conditions/steps.test.ts has that.'
const STEPS = 'const { stakeEndPlanned, stakeEndNear, stakeEndLast } = view.limits'

export const harmless: Readonly<Record<string, string>> = {
  'downtime_budget_small without stakewatch_validator_in_set': NOT_HELD,
  'l1_balance_low without stakewatch_validator_in_set': NOT_HELD,
  'l1_balance_ending without stakewatch_validator_in_set': NOT_HELD,
  'stake_end_planned without stakewatch_validator_in_set': NOT_HELD,
  'stake_ending without stakewatch_validator_in_set': NOT_HELD,
  'validator_not_in_set without stakewatch_validator_tracked': NOT_HELD,
  'validator_silent without stakewatch_chain_draw_contradicted': NOT_HELD,
  'validator_silent without stakewatch_chain_tracked': NOT_HELD,
  'validator_silent without stakewatch_chain_turns_total': NOT_HELD,
  'turns_missed without stakewatch_chain_turns_total':
    'It ends a page on which nothing can report after a reload: test/conditions/held.test.ts has that.',
  'node_of_other_network without stakewatch_node_network_id':
    'It decides whether a node of a custom network is unknown or does not apply: no alert about one has fired that could be held.',
  'L1_READS without stakewatch_subnet_info':
    'What is no L1 has neither the weights nor the balances of one: no alert about them has fired that could be held.',
  [`validators/stakes.ts: twice the limit stakeEndNear in ${STEPS}`]: IN_ORDER,
  [`validators/stakes.ts: half the limit stakeEndNear in ${STEPS}`]: IN_ORDER,
  [`validators/stakes.ts: twice the limit stakeEndLast in ${STEPS}`]: IN_ORDER,
  [`validators/stakes.ts: half the limit stakeEndLast in ${STEPS}`]: IN_ORDER,
  'validators/rewards.ts: twice the limit in view.limits.budgetEnding':
    'It remembers budgets so far from the limit that no loss of an hour brings them to it.',
  'judge.ts: Math.abs(now - at) > ENDED_FOR turned round':
    'It decides for how long another replica sees that a problem has ended: test/daemon/judging.test.ts has that.',
  'remember.ts: at > 0 turned round':
    'It decides when a round rests; test/daemon/judging.test.ts has what comes meanwhile.',
  'settle.ts: a > b turned round': 'A sort only asks what comes before.',
  'settle.ts: rank[state] > rank[worst] turned round':
    'It decides as what an object with several parts is counted, and no alert reads the counts.',
  'track.ts: first > 0 turned round': 'It forgets what no span reaches any more: that saves memory alone.',
  'view.ts: series.length <= FEW turned round': 'It decides how a series is found, and that saves time alone.',
}
