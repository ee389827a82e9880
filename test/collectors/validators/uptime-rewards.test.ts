// Every combination of required uptime, start of the stake, kind of validator and state of the reward that can occur.

import { describe, expect, test } from 'vitest'
import { uptime } from '../../../src/collectors/validators/uptime.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const ID = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const UPGRADE = 10_000_000
/** Unix seconds. A stake that begins with the upgrade is one that begins after it. */
const starts = { before: UPGRADE - 1, at: UPGRADE, after: UPGRADE + 1 }
const natural = { before: 0.8, at: 0.9, after: 0.9 }
/** The record of a renewed validator has the current cycle. */
const durations = { fixed: 1_000_000, renewed: 500_000 }

type Start = keyof typeof starts
type Kind = keyof typeof durations
type State = 'safe' | 'on_track' | 'at_risk' | 'lost'

/** An override is what crosses the start with the other requirement. */
function yamlFor(required: number, start: Start): string {
  const override = required === natural[start] ? '' : `, required_uptime: ${required}`
  return `
networks:
  - name: fuji
    upgrade_time: 1970-04-26T17:46:40Z # ${UPGRADE}
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    validators: [{ node_id: ${ID}, name: one${override} }]
`
}

/** A Validator record of document 2; a renewed one has three fields more (live nodes). */
function record(kind: Kind, from: number, percent: number | undefined) {
  const { validators } = fixture('node/platform.getCurrentValidators.primary') as { validators: object[] }
  const renewal = {
    nextPeriod: '500000',
    autoCompoundRewardShares: '300000',
    validatorAuthority: { locktime: '0', threshold: '1', addresses: ['P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'] },
  }
  return {
    ...validators[0],
    startTime: String(from),
    endTime: String(from + durations[kind]),
    uptime: percent?.toFixed(4),
    ...(kind === 'renewed' ? renewal : {}),
  }
}

const started = (required: number, start: Start) => createPoller(yamlFor(required, start), uptime, 0)
type Poller = ReturnType<typeof started>

async function at(poller: Poller, seconds: number, validator: object) {
  poller.clock.now = seconds * 1_000
  await poller.poll(() => ({ validators: [validator] }))
  return {
    required: poller.value('stakewatch_validator_required_uptime_ratio'),
    budget: poller.value('stakewatch_validator_downtime_budget_seconds'),
    states: poller.values('stakewatch_validator_reward_state', 'state'),
  }
}

const onlyState = (state: State) => ({ safe: 0, on_track: 0, at_risk: 0, lost: 0, [state]: 1 })

/*
 * Allowed: the share not required x the duration. Missed: the share not seen x the time gone. Budget: allowed - missed.
 * lost: budget below 0. safe: not below what is left of the stake. at_risk: below a quarter of the allowed, or below
 * nine tenths of it with the uptime below the required one. on_track: all else.
 *
 * Allowed is at 80 % 200,000 (fixed) and 100,000 (renewed), at 90 % 100,000 and 50,000;
 * a quarter of it 50,000 and 25,000, 25,000 and 12,500; nine tenths 180,000 and 90,000, 90,000 and 45,000.
 *
 * Left out, as it cannot occur: renewed and started before the upgrade. Validators that renew themselves came with the
 * upgrade (ACP-236), so that none of their cycles began before it. That takes 2 x 4 from 2 x 3 x 2 x 4 = 48: 40 are left.
 */
const matrix: [required: number, Start, Kind, State, gone: number, percent: number, budget: number][] = [
  // Before the upgrade: well inside each state.
  [0.8, 'before', 'fixed', 'safe', 900_000, 95, 155_000], // missed 5 % = 45,000; left 100,000
  [0.8, 'before', 'fixed', 'on_track', 500_000, 90, 150_000], // missed 10 % = 50,000; left 500,000
  [0.8, 'before', 'fixed', 'at_risk', 600_000, 70, 20_000], // missed 30 % = 180,000; left 400,000; 20,000 < 50,000
  [0.8, 'before', 'fixed', 'lost', 800_000, 70, -40_000], // missed 30 % = 240,000
  [0.9, 'before', 'fixed', 'safe', 950_000, 96, 62_000], // missed 4 % = 38,000; left 50,000
  [0.9, 'before', 'fixed', 'on_track', 500_000, 95, 75_000], // missed 5 % = 25,000; left 500,000
  [0.9, 'before', 'fixed', 'at_risk', 400_000, 87.5, 50_000], // missed 12.5 % = 50,000; left 600,000; 50,000 < 90,000
  [0.9, 'before', 'fixed', 'lost', 800_000, 85, -20_000], // missed 15 % = 120,000
  // At the upgrade: on the edges.
  [0.8, 'at', 'fixed', 'safe', 800_000, 100, 200_000], // missed nothing; left 200,000: just enough
  [0.8, 'at', 'fixed', 'on_track', 750_000, 80, 50_000], // missed 20 % = 150,000; left 250,000; not below a quarter
  [0.8, 'at', 'fixed', 'at_risk', 800_000, 75, 0], // missed 25 % = 200,000: all of it; left 200,000
  [0.8, 'at', 'fixed', 'lost', 800_000, 74.9999, -0.8], // missed 25.0001 % = 200,000.8
  [0.9, 'at', 'fixed', 'safe', 960_000, 93.75, 40_000], // missed 6.25 % = 60,000; left 40,000: just enough
  [0.9, 'at', 'fixed', 'on_track', 750_000, 90, 25_000], // missed 10 % = 75,000; left 250,000; not below a quarter
  [0.9, 'at', 'fixed', 'at_risk', 800_000, 87.5, 0], // missed 12.5 % = 100,000: all of it; left 200,000
  [0.9, 'at', 'fixed', 'lost', 800_000, 87.4999, -0.8], // missed 12.5001 % = 100,000.8
  [0.8, 'at', 'renewed', 'safe', 500_000, 80, 0], // missed 20 % = 100,000: all of it, but nothing is left
  [0.8, 'at', 'renewed', 'on_track', 375_000, 80, 25_000], // missed 20 % = 75,000; left 125,000; not below a quarter
  [0.8, 'at', 'renewed', 'at_risk', 400_000, 75, 0], // missed 25 % = 100,000: all of it; left 100,000
  [0.8, 'at', 'renewed', 'lost', 400_000, 74.9999, -0.4], // missed 25.0001 % = 100,000.4
  [0.9, 'at', 'renewed', 'safe', 450_000, 100, 50_000], // missed nothing; left 50,000: just enough
  [0.9, 'at', 'renewed', 'on_track', 375_000, 90, 12_500], // missed 10 % = 37,500; left 125,000; not below a quarter
  [0.9, 'at', 'renewed', 'at_risk', 400_000, 87.5, 0], // missed 12.5 % = 50,000: all of it; left 100,000
  [0.9, 'at', 'renewed', 'lost', 400_000, 87.4999, -0.4], // missed 12.5001 % = 50,000.4
  // After the upgrade: young stakes below the requirement, and the last hours.
  [0.8, 'after', 'fixed', 'safe', 990_000, 81, 11_900], // missed 19 % = 188,100; left 10,000: safe comes before at_risk
  [0.8, 'after', 'fixed', 'on_track', 95_000, 79, 180_050], // missed 21 % = 19,950; below 80 %, but not below 180,000
  [0.8, 'after', 'fixed', 'at_risk', 100_000, 79, 179_000], // missed 21 % = 21,000; below 80 % and below 180,000
  [0.8, 'after', 'fixed', 'lost', 1_000_000, 79.9, -1_000], // missed 20.1 % = 201,000; at the end
  [0.9, 'after', 'fixed', 'safe', 980_000, 92, 21_600], // missed 8 % = 78,400; left 20,000: safe comes before at_risk
  [0.9, 'after', 'fixed', 'on_track', 50_000, 82, 91_000], // missed 18 % = 9,000; below 90 %, but not below 90,000
  [0.9, 'after', 'fixed', 'at_risk', 60_000, 82, 89_200], // missed 18 % = 10,800; below 90 % and below 90,000
  [0.9, 'after', 'fixed', 'lost', 1_000_000, 89.9, -1_000], // missed 10.1 % = 101,000; at the end
  [0.8, 'after', 'renewed', 'safe', 495_000, 81, 5_950], // missed 19 % = 94,050; left 5,000: safe comes before at_risk
  [0.8, 'after', 'renewed', 'on_track', 40_000, 76, 90_400], // missed 24 % = 9,600; below 80 %, but not below 90,000
  [0.8, 'after', 'renewed', 'at_risk', 50_000, 76, 88_000], // missed 24 % = 12,000; below 80 % and below 90,000
  [0.8, 'after', 'renewed', 'lost', 500_000, 79.9, -500], // missed 20.1 % = 100,500; at the end
  [0.9, 'after', 'renewed', 'safe', 490_000, 92, 10_800], // missed 8 % = 39,200; left 10,000: safe comes before at_risk
  [0.9, 'after', 'renewed', 'on_track', 25_000, 82, 45_500], // missed 18 % = 4,500; below 90 %, but not below 45,000
  [0.9, 'after', 'renewed', 'at_risk', 30_000, 82, 44_600], // missed 18 % = 5,400; below 90 % and below 45,000
  [0.9, 'after', 'renewed', 'lost', 500_000, 89.9, -500], // missed 10.1 % = 50,500; at the end
]

describe('the reward as a node sees it (document 2, Validator record; ACP-236, ACP-267)', () => {
  test('the table below is complete', () => {
    const combinations = new Set(matrix.map((row) => row.slice(0, 4).join(' ')))
    expect([combinations.size, matrix.length]).toEqual([40, 40])
  })

  test.each(matrix)(
    '%d required, started %s the upgrade, %s: %s',
    async (required, start, kind, state, gone, percent, budget) => {
      const from = starts[start]
      const published = await at(started(required, start), from + gone, record(kind, from, percent))
      expect(published).toEqual({ required, budget, states: onlyState(state) })
    },
  )

  test.each<[string, Kind, number, number, number, State]>([
    // All of the allowed is left while nothing was missed, whatever the uptime says.
    ['a stake that begins in the future', 'fixed', -100, 0, 100_000, 'on_track'],
    ['a cycle that begins in the future', 'renewed', -1, 100, 50_000, 'on_track'],
    ['a stake that begins now', 'fixed', 0, 0, 100_000, 'on_track'],
    // Below 90 %, but not below nine tenths of what it may miss; above 90 %, and below a quarter.
    ['a young stake that missed a tenth', 'fixed', 80_000, 87.5, 90_000, 'on_track'],
    ['a stake that missed nearly all', 'fixed', 800_000, 90.5, 24_000, 'at_risk'],
    // Still listed after its end: 8 % of 1,000,000 missed, and what came later does not count.
    ['a stake that has ended well', 'fixed', 1_500_000, 92, 20_000, 'safe'],
    // 12 % of 500,000 is 60,000.
    ['a cycle that has ended badly', 'renewed', 700_000, 88, -10_000, 'lost'],
  ])('%s', async (_, kind, gone, percent, budget, state) => {
    const published = await at(started(0.9, 'after'), starts.after + gone, record(kind, starts.after, percent))
    expect(published).toEqual({ required: 0.9, budget, states: onlyState(state) })
  })

  test.each(['fixed', 'renewed'] as const)('without an uptime nothing is judged: %s', async (kind) => {
    const published = await at(started(0.9, 'after'), starts.after + 1_000, record(kind, starts.after, undefined))
    expect(published).toEqual({ required: undefined, budget: undefined, states: {} })
  })

  test('requires 80 % without an upgrade, whenever the stake began', async () => {
    const poller = createPoller(yamlFor(0.9, 'after').replace(/ {4}upgrade_time.*\n/, ''), uptime, 0)
    // 10 % of 500,000 missed, as in the second row.
    const published = await at(poller, starts.after + 500_000, record('fixed', starts.after, 90))
    expect(published).toEqual({ required: 0.8, budget: 150_000, states: onlyState('on_track') })
  })
})
