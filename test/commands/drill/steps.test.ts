// How long a drill waits for a step, and what it says of a Prometheus that does not say everything.

import { afterEach, expect, test, vi } from 'vitest'
import { type Before, type Chain, unsentBy } from '../../../src/commands/drill/chain.ts'
import { notified } from '../../../src/commands/drill/notified.ts'
import { stepsAfter, stepsOf } from '../../../src/commands/drill/steps.ts'
import { BaseError } from '../../../src/errors.ts'
import type { SentAlert } from '../../../src/commands/monitoring/alertmanager.ts'
import type { Prometheus } from '../../../src/commands/monitoring/prometheus.ts'

const MINUTE = 60_000

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['two scrapes and two evaluations, and ten seconds', 30_000, 30_000, 2 * MINUTE + 10_000],
  ['an hour at most, as the drill did not last longer', 3e15, MINUTE, 60 * MINUTE + 10_000],
])('its end may take %s', (_, scrapeInterval, evaluationInterval, within) => {
  const before: Before = {
    scrapeInterval,
    evaluationInterval,
    managers: [],
    unreachable: undefined,
    unsent: 0,
    wasDrilled: false,
  }
  const [step] = stepsAfter({} as Chain, before, { began: '1', path: '/metrics', endsAt: 0 })
  expect(step!.within()).toBe(within)
})

const ERRORS = 'prometheus_notifications_errors_total'

test.each([
  ['another server does not count', [], undefined],
  ['there were none', [{ name: ERRORS, labels: {}, value: 0 }], 0],
  ['two Alertmanagers have', [1, 2].map((value) => ({ name: ERRORS, labels: {}, value })), 3],
])('alerts that could not be sent, where %s', async (_, samples, count) => {
  expect(await unsentBy({ metrics: async () => samples } as unknown as Prometheus)).toBe(count)
})

const drill = { began: '1', path: '/metrics', endsAt: Infinity }
const unsupported = () => Promise.reject(new BaseError('unsupported', 'prometheus:9090 answers with HTTP 404'))

/** A daemon that has the drill, until it is started again. */
function daemonWith(exposed: { text: string }) {
  const http = { send: async () => ({ status: 200, headers: {}, text: exposed.text }) }
  return { http, daemon: { url: 'http://localhost:19650', headers: {}, hints: {} } }
}
const SERIES = 'stakewatch_drill{began="1"} 1\n'

/** The step `sent`. */
function sentBy(prometheus: object, before: object) {
  const chain = { ...daemonWith({ text: SERIES }), prometheus, managers: [{}] } as unknown as Chain
  const usual = { scrapeInterval: 1, evaluationInterval: 1, wasDrilled: false }
  return stepsOf(chain, { ...usual, ...before } as Before, drill).find(({ name }) => name === 'sent')!
}

const UNCOUNTED = 'its page of metrics does not count what it could not send'

test.each([
  [0, 'Prometheus sends the drill, and Alertmanager does not answer here: it is down'],
  [
    undefined,
    `whether Prometheus sends the drill is unknown, as ${UNCOUNTED}; and Alertmanager does not answer here: it is down`,
  ],
])('what is not known to have been sent is not said to have been: %s', async (value, found) => {
  const samples = value === undefined ? [] : [{ name: ERRORS, labels: {}, value }]
  const prometheus = { metrics: async () => samples, alertmanagers: async () => ['http://manager:9093/api/v2/alerts'] }
  const unreachable = new BaseError('network', 'it is down')
  const step = sentBy(prometheus, { managers: [], unreachable, unsent: value })
  expect(await step.look()).toBeUndefined()
  expect(await step.late()).toMatchObject({ found })
})

test('a Prometheus that does not say where it sends alerts ends no drill with an Alertmanager that is given', async () => {
  const groups: object[] = []
  const client = { shown: 'manager:9093', groups: async () => groups }
  const configuration = { route: { routes: [] }, receivers: new Map([['pager', [{ kind: 'webhook', settings: {} }]]]) }
  const prometheus = { metrics: async () => [], alertmanagers: unsupported }
  const step = sentBy(prometheus, { managers: [{ client, configuration, sent: [] }], unsent: undefined })
  expect(await step.look()).toBeUndefined()
  expect(await step.late()).toMatchObject({
    found: `manager:9093 did not get it, and Prometheus does not say where it sends alerts; ${UNCOUNTED}`,
  })
  const status = { state: 'active', silencedBy: [], inhibitedBy: [] }
  groups.push({ alerts: [{ fingerprint: 'f', labels: { began: '1' }, receivers: [{ name: 'pager' }], status }] })
  expect(await step.look()).toBe('to Alertmanager, which routes it to pager')
})

test.each([
  [
    'none before the restart of one',
    [{ requests: 7, failed: 3 }],
    [{ requests: 1, failed: 0 }],
    /^pager by webhook, without/,
  ],
  [
    'a failure after it',
    [{ requests: 7, failed: 3 }],
    [{ requests: 1, failed: 1 }],
    /could not notify pager by webhook/,
  ],
  [
    'none, as its peer sends the page',
    [
      { requests: 7, failed: 3 },
      { requests: 2, failed: 0 },
    ],
    [
      { requests: 0, failed: 0 },
      { requests: 3, failed: 0 },
    ],
    /^pager by webhook, without/,
  ],
])('an Alertmanager that has restarted counts from 0: %s', async (_, before, now, text) => {
  const counter = { integration: 'webhook', receiver: undefined }
  const configuration = { route: { routes: [] }, receivers: new Map([['pager', [{ kind: 'webhook', settings: {} }]]]) }
  const managers = before.map((one, at) => ({
    client: { sent: async () => [{ ...counter, ...now[at] }] },
    configuration,
    sent: [{ ...counter, ...one }],
  }))
  const alert = { receivers: [{ name: 'pager' }] }
  const seen = await notified({ managers } as unknown as Before, alert as SentAlert, [])
  expect(typeof seen === 'object' ? seen.found : seen).toMatch(text)
})

test.each([
  ['is none of the drill before the wait of its group is over', false],
  ['is taken at once where an earlier drill may have its group', true],
])('a message that Alertmanager sends meanwhile %s', async (_, wasDrilled) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const status = { state: 'active', silencedBy: [], inhibitedBy: [] }
  const alertOf = (began: string) => ({ fingerprint: began, labels: { began }, receivers: [{ name: 'pager' }], status })
  const client = {
    groups: async () => ['1', 'of another alert'].map((began) => ({ alerts: [alertOf(began)] })),
    sent: async () => [{ integration: 'webhook', receiver: undefined, requests: 1, failed: 0 }],
  }
  const route = { receiver: 'pager', groupWait: 30_000, groupInterval: 300_000, routes: [] }
  const configuration = { route, receivers: new Map([['pager', [{ kind: 'webhook', settings: {} }]]]) }
  const managers = [{ client, configuration, sent: [] }]
  const before = { scrapeInterval: 1, evaluationInterval: 1, unsent: 0, wasDrilled, managers } as unknown as Before
  const exposed = { text: SERIES }
  const chain = { ...daemonWith(exposed), prometheus: { alertmanagers: unsupported }, managers: [{}] }
  const [sent, arrived] = stepsOf(chain as unknown as Chain, before, drill).slice(-2)
  await sent!.look()
  const looks: (string | undefined)[] = []
  for (const time of [29_000, 1_000]) {
    vi.advanceTimersByTime(time)
    const seen = await arrived!.look()
    looks.push(typeof seen === 'string' ? seen.split(',')[0] : seen?.found)
  }
  expect(looks).toEqual([wasDrilled ? 'pager by webhook' : undefined, 'pager by webhook'])
  exposed.text = ''
  expect(await arrived!.look()).toEqual(GONE)
})

const GONE = {
  found: 'localhost:19650 no longer has the drill: it was started again, or another command has ended the drill',
  fix: 'begin another drill, with the address of one daemon as --url',
}

test.each(['scraped', 'firing', 'sent', 'notified'])('a drill that the daemon lost is not late: %s', async (name) => {
  const chain = daemonWith({ text: '' }) as unknown as Chain
  const step = stepsOf(chain, {} as Before, drill).find((one) => one.name === name)!
  expect(await step.late()).toEqual(GONE)
})
