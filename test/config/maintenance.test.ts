// What a maintenance window may say, and when the ones with dates open and close.

import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { formatDuration, parseDuration } from '../../src/lib/duration.ts'
import { configFrom } from '../support/poll.ts'

function windowOf(keys: string) {
  const yaml = `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }]
    validators: [{ node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg, name: val-1 }]
    chains: [{ id: p-chain }]
    addresses: [{ name: vault, addresses: [P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66] }]
    maintenance: [{ name: night, ${keys} }]
`
  return configFrom(yaml).networks[0]!.maintenance[0]!
}

function refusalOf(keys: string): string {
  try {
    windowOf(keys)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return error.message.replaceAll(/^test\.yaml:\d+:\d+: networks\[0\]\.maintenance\[0\]/gm, '')
  }
}

const SCHEDULE = '.schedule: expected a cron pattern of five fields such as "0 22 * * TUE#2" that matches at some time'
const TIMEZONE = '.timezone: expected an IANA time zone such as Europe/Berlin'
const TIME = 'expected a time such as 2026-12-05T08:00, in the time zone of the window, or 2026-12-05T08:00Z'
const OVERLAP = '.for: the next window opens before this one closes'
const TWO_FORMS = ': expected schedule with for, or from with to'

describe('a schedule', () => {
  test.each([
    '0 22 * * TUE#2',
    '0 22 L * *',
    '0 22 15W * *',
    '0 22 * * 5L',
    '*/30 * * * *',
    '@weekly',
    // Every four years.
    '0 0 29 2 *',
  ])('%s', (schedule) => {
    expect(refusalOf(`schedule: "${schedule}", for: 10m`)).toBe('accepted')
  })

  test.each([
    ['four fields', '0 22 * *'],
    ['seconds', '0 0 22 * * 2'],
    ['an hour that does not exist', '0 25 * * *'],
    ['an unknown weekday', '0 22 * * FOO'],
    ['a sixth Tuesday', '0 22 * * TUE#6'],
    ['an unknown nickname', '@dayly'],
    ['no time at all', '@reboot'],
    ['a day that no year has', '0 0 30 2 *'],
    ['days that the months do not have', '0 0 31 4,6 *'],
    ['a date', '2026-12-05T08:00:00'],
  ])('%s is refused: %s', (_, schedule) => {
    expect(refusalOf(`schedule: "${schedule}", for: 10m`)).toBe(SCHEDULE)
  })

  test.each([
    ['a number', '5', `${SCHEDULE}; this is a number`],
    ['nothing', '""', SCHEDULE.replace(': expected', ': is empty: expected')],
  ])('%s is refused', (_, schedule, refusal) => {
    expect(refusalOf(`schedule: ${schedule}, for: 10m`)).toBe(refusal)
  })
})

// On 29 March 2026 the day has 23 hours in Berlin; on 4 October 2026 it has 23 and a half on Lord Howe Island.
describe('the longest window of a schedule', () => {
  test.each([
    ['0 * * * *', 'UTC', '60m', '61m'],
    ['* * * * *', 'UTC', '60s', '61s'],
    ['0 22 * * *', 'UTC', '24h', '24h1s'],
    ['0 22 * * *', 'Asia/Kolkata', '24h', '24h1s'],
    ['0 22 * * *', 'Europe/Berlin', '23h', '24h'],
    ['0 22 * * *', 'Europe/Berlin', '23h', '23h1s'],
    ['@daily', 'Europe/Berlin', '23h', '24h'],
    ['0 22 * * *', 'Australia/Lord_Howe', '23h30m', '23h31m'],
    ['0 22 * * SUN', 'UTC', '7d', '7d1s'],
    // From 22 March to 29 March.
    ['0 22 * * SUN', 'Europe/Berlin', '167h', '7d'],
    // On 29 March it opens at three.
    ['30 2 * * *', 'Europe/Berlin', '23h30m', '23h31m'],
    ['0 6,22 * * *', 'UTC', '8h', '8h1m'],
    // February.
    ['0 22 1 * *', 'UTC', '28d', '29d'],
  ])('%s in %s is %s, not %s', (schedule, timezone, longest, longer) => {
    const keys = `schedule: "${schedule}", timezone: ${timezone}`
    expect([refusalOf(`${keys}, for: ${longest}`), refusalOf(`${keys}, for: ${longer}`)]).toEqual([
      'accepted',
      `${OVERLAP}: expected at most ${formatDuration(parseDuration(longest)!)}`,
    ])
  })

  test.each([
    ['32d', '.for: expected a duration of at most 31d'],
    ['0s', '.for: expected a duration of at least 1s'],
  ])('is no %s', (length, refusal) => {
    expect(refusalOf(`schedule: "0 0 29 2 *", for: ${length}`)).toBe(refusal)
  })
})

describe('a time zone', () => {
  test.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC', 'CET'])('%s', (timezone) => {
    expect(refusalOf(`schedule: "@daily", for: 1h, timezone: ${timezone}`)).toBe('accepted')
  })

  test.each([
    ['Europe/Berlyn', TIMEZONE],
    ['Berlin', TIMEZONE],
    ['UTC+1', TIMEZONE],
    ['"+02:00"', TIMEZONE],
    ['europe/berlin', TIMEZONE],
    ['""', TIMEZONE.replace(': expected', ': is empty: expected')],
  ])('%s is refused', (timezone, refusal) => {
    expect(refusalOf(`schedule: "@daily", for: 1h, timezone: ${timezone}`)).toBe(refusal)
  })
})

describe('a window with dates', () => {
  test.each([
    ['2026-12-05T08:00', '2026-12-05T10:00', 'UTC', '2026-12-05T08:00Z', '2026-12-05T10:00Z'],
    ['2026-12-05T08:00', '2026-12-05T10:00', 'Europe/Berlin', '2026-12-05T07:00Z', '2026-12-05T09:00Z'],
    // As YAML tools write times.
    ['2026-07-05 08:00:00', '2026-07-05 10:00:00.5', 'Europe/Berlin', '2026-07-05T06:00Z', '2026-07-05T08:00Z'],
    [
      '2026-07-05 08:00:00+00:00',
      '2026-07-05 12:00:00 +0200',
      'Europe/Berlin',
      '2026-07-05T08:00Z',
      '2026-07-05T10:00Z',
    ],
    ['2026-07-05T08:00:30', '2026-07-05T10:00', 'Europe/Berlin', '2026-07-05T06:00:30Z', '2026-07-05T08:00Z'],
    // An offset says more than the time zone.
    ['2026-12-05T08:00Z', '2026-12-05T10:00-05:00', 'Europe/Berlin', '2026-12-05T08:00Z', '2026-12-05T15:00Z'],
    // Across the short night: three hours on the clock are two.
    ['2026-03-29T01:00', '2026-03-29T04:00', 'Europe/Berlin', '2026-03-29T00:00Z', '2026-03-29T02:00Z'],
    // Half past two does not exist in that night: right after the gap, as with a schedule.
    ['2026-03-29T02:30', '2026-03-29T05:00', 'Europe/Berlin', '2026-03-29T01:00Z', '2026-03-29T03:00Z'],
    ['2026-03-29T01:00', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T00:00Z', '2026-03-29T01:00Z'],
    // It comes twice in this one: the first time.
    ['2026-10-25T02:30', '2026-10-25T05:00', 'Europe/Berlin', '2026-10-25T00:30Z', '2026-10-25T04:00Z'],
    ['2028-02-29T08:00', '2028-02-29T10:00', 'UTC', '2028-02-29T08:00Z', '2028-02-29T10:00Z'],
    ['2026-12-05T08:00', '2027-01-05T08:00', 'UTC', '2026-12-05T08:00Z', '2027-01-05T08:00Z'],
  ])('%s to %s in %s', (from, to, timezone, opens, closes) => {
    expect(windowOf(`from: ${from}, to: ${to}, timezone: ${timezone}`)).toMatchObject({
      from: Date.parse(opens),
      to: Date.parse(closes),
    })
  })

  test.each([
    '2026-02-30T08:00',
    '2026-02-29T08:00Z',
    '2026-04-31T08:00+02:00',
    '2026-13-01T08:00',
    '2026-12-05T25:00',
    '2026-12-05T08:60',
    '2026-12-05T08:00:60',
    '2026-12-05',
    '08:00',
  ])('%s is refused', (from) => {
    expect(refusalOf(`from: "${from}", to: 2027-01-05T10:00`)).toBe(`.from: ${TIME}`)
  })

  test.each([
    ['ends when it begins', 'from: 2026-12-05T08:00, to: 2026-12-05T08:00', '.to: expected a time after from'],
    ['ends before', 'from: 2026-12-05T08:00, to: 2026-12-04T08:00', '.to: expected a time after from'],
    [
      'ends before by its offset',
      'from: 2026-12-05T08:00Z, to: 2026-12-05T08:30+01:00',
      '.to: expected a time after from',
    ],
    [
      'is skipped as a whole',
      'from: 2026-03-29T02:10, to: 2026-03-29T02:50, timezone: Europe/Berlin',
      '.to: expected a time after from: summer time skips both, so both are right after the gap',
    ],
    ['is too long', 'from: 2026-12-05T08:00, to: 2027-01-05T08:01', '.to: expected at most 31d after from'],
    [
      'has a length too',
      'from: 2026-12-05T08:00, to: 2026-12-05T10:00, for: 2h',
      '.for: expected with schedule alone: remove it',
    ],
    ['has no end', 'from: 2026-12-05T08:00', TWO_FORMS],
    ['has no start', 'to: 2026-12-05T08:00', TWO_FORMS],
    [
      'has a schedule too',
      'schedule: "@daily", for: 1h, from: 2026-12-05T08:00',
      '.from: not together with schedule: remove one of the two',
    ],
    [
      'has an end too',
      'schedule: "@daily", for: 1h, to: 2026-12-05T08:00',
      '.to: not together with schedule: remove one of the two',
    ],
    ['has neither', 'timezone: UTC', TWO_FORMS],
    ['has a length alone', 'for: 2h', TWO_FORMS],
    ['has a schedule alone', 'schedule: "@daily"', ': expected for, how long the window stays open'],
    ['recovers for too long', 'schedule: "@daily", for: 1h, grace: 2d', '.grace: expected a duration of at most 1d'],
  ])('one that %s is refused', (_, keys, refusal) => {
    expect(refusalOf(keys)).toBe(refusal)
  })
})

describe('what a window covers', () => {
  test('is something that the network has', () => {
    const covered = 'validators: [val-1], nodes: [node-a], chains: [p-chain], wallets: [vault]'
    expect(windowOf(`schedule: "@daily", for: 1h, ${covered}`)).toMatchObject({
      validators: ['val-1'],
      nodes: ['node-a'],
      chains: ['p-chain'],
      wallets: ['vault'],
    })
  })

  test.each([
    ['validators: [val-9]', '.validators[0]: expected the name of an entry of validators; did you mean validators[0]?'],
    ['validators: [val-1, other]', '.validators[1]: expected the name of an entry of validators'],
    ['nodes: [val-1]', '.nodes[0]: expected the name of an entry of nodes'],
    ['chains: [q-chain]', '.chains[0]: expected the name of an entry of chains; did you mean chains[0]?'],
    ['subnets: [orchard]', '.subnets[0]: expected the name of an entry of subnets'],
    ['wallets: [purse]', '.wallets[0]: expected the name of an entry of addresses'],
    ['validators: val-1', '.validators: expected a list of names of validators; this is text'],
    ['validator: [val-1]', '.validator: unknown key; did you mean validators?'],
  ])('%s is refused', (covered, refusal) => {
    expect(refusalOf(`schedule: "@daily", for: 1h, ${covered}`)).toBe(refusal)
  })
})
