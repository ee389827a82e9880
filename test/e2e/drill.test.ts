// drill with real daemons, a real Prometheus and a real Alertmanager: the page arrives in time, each broken link is named, and
// the drill appears nowhere else.

import { hashSync } from '@node-rs/bcrypt'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboards } from '../../dashboards/src/all.ts'
import { groupsOf, rulesYaml } from '../../src/alerts/rules.ts'
import { filledIn, targetsOf } from '../dashboards/lint.ts'
import { runCommand } from '../support/command.ts'
import { closedPort } from '../support/hostile-server.ts'
import { postJson } from '../support/post.ts'
import { alertmanagerYaml, INTERVALS, prometheusYaml, run, startChain } from './support/drill.ts'
import { startAlertmanager } from './support/alertmanager.ts'
import type { Files } from './support/monitoring.ts'
import { temporaryFolder } from './support/processes.ts'
import { eventually, scrape } from './support/scrape.ts'

/** Ended in reverse, whatever happened. */
const endings: (() => Promise<unknown>)[] = []
let chain: Awaited<ReturnType<typeof startChain>>

beforeAll(async () => {
  chain = await startChain(endings)
})
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

interface Held {
  fingerprint: string
  labels: Record<string, string>
  status: { state: string; inhibitedBy: string[] }
}

interface Step {
  step: string
  level: string
  seconds: number
  found: string
  fix?: string
}

const drill = (...flags: readonly string[]) =>
  run('drill', `--url=${chain.first}`, `--prometheus=${chain.prometheus}`, ...flags)

/** Of a command without a process, which a dozen tests need not start. */
async function stepsOf(...flags: readonly string[]) {
  const words = ['drill', `--url=${chain.first}`, `--prometheus=${chain.prometheus}`, '--json', ...flags]
  const { code, stdout, stderr } = await runCommand(words, { sleep: wait })
  if (stdout === '') throw new Error(stderr)
  return { code, ...(JSON.parse(stdout) as { worst: string; steps: Step[] }) }
}

const isExposed = async (daemon: string) => (await scrape(`${daemon}/metrics`)).includes('\nstakewatch_drill{')

test('a drill arrives within one scrape, one evaluation and the wait of its group, says what it is, and ends', async () => {
  const { code, worst, steps } = await stepsOf('--label=network=fuji', '--label=validator=val-1')
  expect(steps.map(({ step, level }) => `${step} ${level}`)).toEqual([
    'exposed ok',
    'scraped ok',
    'firing ok',
    'sent ok',
    'notified ok',
    'resolved ok',
  ])
  expect({ code, worst }).toEqual({ code: 0, worst: 'ok' })
  expect(steps[4]!.found).toMatch(/^pager by webhook, without an error/)
  const [page, ...more] = chain.pages.filter(
    ({ labels, status }) => labels['alertname'] === 'StakewatchDrill' && status === 'firing',
  )
  expect(more).toEqual([])
  expect(page!.labels).toEqual({
    alertname: 'StakewatchDrill',
    job: 'validators',
    severity: 'critical',
    network: 'fuji',
    validator: 'val-1',
    began: expect.any(String),
  })
  const { scrape: scraped, evaluation, groupWait } = INTERVALS
  /** For the requests between four processes. */
  const requests = 1
  expect(page!.at - Date.parse(page!.labels['began']!)).toBeLessThan(
    (scraped + evaluation + groupWait + requests) * 1_000,
  )
  for (const text of [page!.annotations['summary'], page!.annotations['description']]) expect(text).toMatch(/^DRILL: /)
  await eventually('the end of the drill arrives', async () =>
    chain.pages.some(({ labels, status }) => labels['began'] === page!.labels['began'] && status === 'resolved'),
  )
  expect(await isExposed(chain.first)).toBe(false)
})

test('a drill at the other replica, for people who read: each step with its time', async () => {
  const { code, stdout } = await drill(`--url=${chain.second}`).ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/^DRILL with severity=critical\n/)
  for (const step of ['exposed', 'scraped', 'firing', 'sent', 'notified', 'resolved']) {
    expect(stdout).toMatch(new RegExp(String.raw`^ +\d+\.\d s  ${step} +\S`, 'm'))
  }
  expect(stdout).toMatch(/\nThe chain is whole: the page was sent after \d+\.\d s\..*\n$/)
})

describe('a broken link is named', () => {
  const inhibition =
    'inhibit_rules: [{ source_matchers: [alertname = StakewatchWatchdog], target_matchers: [severity = critical] }]'
  const relabelling = (rule: string) => `metric_relabel_configs: [${rule}]`
  const HEALTHY: Files = {}
  /** What Prometheus has in place of the healthy files. A reload takes seconds: those that need none come last. */
  let loaded = HEALTHY
  interface Broken {
    files?: Files
    alertmanager?: string
    flags?: string[]
  }

  test.each<[what: string, step: string, found: RegExp, fix: RegExp, broken: () => Broken | Promise<Broken>]>([
    [
      'Prometheus does not scrape the daemon',
      'scraped',
      /^Prometheus does not scrape 127\.0\.0\.1:\d+, only 127\.0\.0\.1:\d+$/,
      /add its address to a scrape job/,
      () => ({ files: { 'prometheus.yml': prometheusYaml([chain.second], chain.manager) } }),
    ],
    [
      'relabelling drops the series',
      'scraped',
      /^Prometheus scrapes 127\.0\.0\.1:\d+, and drops stakewatch_drill or changes its labels$/,
      /metric_relabel_configs .* scrape job validators$/,
      () => ({
        files: {
          'prometheus.yml': prometheusYaml(
            [chain.first, chain.second],
            chain.manager,
            relabelling('{ source_labels: [__name__], regex: stakewatch_drill, action: drop }'),
          ),
        },
      }),
    ],
    [
      'the rules are from before there were drills',
      'firing',
      /^Prometheus has no rule StakewatchDrill$/,
      /print the rules with `stakewatch alerts`/,
      () => ({
        files: { 'rules.yml': rulesYaml().replace(/\n {6}- alert: StakewatchDrill\n(?: {8,}.*\n)+/, '\n') },
      }),
    ],
    [
      'Prometheus has no Alertmanager',
      'sent',
      /^Prometheus has no Alertmanager$/,
      /alertmanagers: in prometheus\.yml/,
      () => ({ files: { 'prometheus.yml': prometheusYaml([chain.first, chain.second], undefined) } }),
    ],
    [
      'Alertmanager cannot be reached',
      'sent',
      /^Prometheus cannot send alerts to 127\.0\.0\.1:\d+$/,
      /start Alertmanager/,
      async () => ({
        files: { 'prometheus.yml': prometheusYaml([chain.first, chain.second], await closedPort()) },
      }),
    ],
    [
      'an inhibition',
      'sent',
      /^an alert that fires inhibits the drill, and would inhibit a page: [0-9a-f]+$/,
      /inhibit_rules/,
      () => ({ alertmanager: alertmanagerYaml(chain.sink, '/page', inhibition) }),
    ],
    [
      'its receiver notifies no one',
      'sent',
      /^Alertmanager routes the drill to no-one, which notifies no one$/,
      /give that receiver an address/,
      () => ({ flags: ['--severity=info'] }),
    ],
    [
      'a webhook that answers 500',
      'notified',
      /^Alertmanager could not notify pager by webhook/,
      /its log says why/,
      () => ({ alertmanager: alertmanagerYaml(chain.sink, '/fail') }),
    ],
    [
      'a drill that is too short',
      'notified',
      /^the drill has ended by itself before that$/,
      /--for/,
      () => ({
        alertmanager: alertmanagerYaml(chain.sink)
          .replace('group_wait: 1s', 'group_wait: 30s')
          .replace('group_interval: 1s', 'group_interval: 30s'),
        flags: ['--for=8s'],
      }),
    ],
  ])('%s', async (_, step, found, fix, broken) => {
    const { files = HEALTHY, alertmanager, flags = [] } = await broken()
    if (files !== loaded) await chain.load((loaded = files))
    if (alertmanager !== undefined) await chain.configureAlertmanager(alertmanager)
    try {
      const { code, steps } = await stepsOf(...flags)
      const last = steps.at(-1)!
      expect(last).toMatchObject({ step, level: 'failed' })
      expect(last.found).toMatch(found)
      expect(last.fix).toMatch(fix)
      expect(steps.slice(0, -1).every(({ level }) => level === 'ok')).toBe(true)
      expect(code).toBe(11)
      await eventually('the drill has ended', async () => !(await isExposed(chain.first)))
    } finally {
      if (alertmanager !== undefined) await chain.configureAlertmanager(alertmanagerYaml(chain.sink))
    }
  })

  test('a silence', async () => {
    const answer = await postJson(`${chain.manager}/api/v2/silences`, {
      matchers: [{ name: 'severity', value: 'critical', isRegex: false, isEqual: true }],
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
      createdBy: 'someone',
      comment: 'forgotten',
    })
    const { silenceID } = JSON.parse(answer) as { silenceID: string }
    try {
      const { code, steps } = await stepsOf()
      expect(code).toBe(11)
      expect(steps.at(-1)).toMatchObject({
        step: 'sent',
        level: 'failed',
        found: `a silence hides the drill, and would hide a page: ${silenceID}`,
      })
    } finally {
      await fetch(`${chain.manager}/api/v2/silence/${silenceID}`, { method: 'DELETE' })
    }
  })

  test('drills are off, a password is missing or wrong, and an address is', async () => {
    const folder = await temporaryFolder()
    endings.push(folder.remove)
    const [web, right, wrong] = ['web.yml', 'right', 'wrong'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ]
    await writeFile(web, `basic_auth_users: { ops: "${hashSync('secret', 4)}" }\n`)
    await writeFile(right, 'secret\n')
    await writeFile(wrong, 'guess\n')
    const closed = `--url=${await chain.daemon(`--web.config.file=${web}`)}`
    const user = [closed, '--user=ops']
    const gone = await closedPort()
    const refusals: [flags: string[], code: number, stderr: RegExp][] = [
      [[closed], 5, /HTTP 401: give --user and --password-file/],
      [[...user, `--password-file=${wrong}`], 5, /HTTP 401: the user, password or token is wrong/],
      [[...user, `--password-file=${right}`], 1, /Drills are off; --web\.enable-lifecycle turns them on\./],
      [[`--prometheus=${chain.manager}`], 1, /does not say where it sends alerts: give --alertmanager=<url>/],
    ]
    for (const [flags, code, stderr] of refusals) {
      const ended = await drill(...flags).ended
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' })
      expect(ended.stderr).toMatch(stderr)
    }
    for (const flag of [`--url=${gone}`, `--prometheus=${gone}`]) {
      const { code, stdout, stderr } = await drill(flag).ended
      expect({ code, stderr }).toEqual({ code: 10, stderr: '' })
      expect(stdout).toContain(`${new URL(gone).host}: the connection failed`)
    }
  })
})

describe('a drill ends', () => {
  test.each<[how: string, signal: NodeJS.Signals, code: number]>([
    ['with Ctrl-C', 'SIGINT', 9],
    ['with its process', 'SIGTERM', 9],
  ])('%s, at once', async (_, signal, code) => {
    const going = drill()
    await eventually('the drill is exposed', async () => going.stdout().includes('exposed'))
    going.signal(signal)
    const { code: ended, stderr } = await going.ended
    expect([ended, stderr]).toEqual([code, expect.stringContaining('stopped: the drill has ended')])
    expect(await isExposed(chain.first)).toBe(false)
  })

  test('by itself when its process is killed; until then there is no second one', async () => {
    const going = drill('--for=5s')
    await eventually('the drill is exposed', async () => going.stdout().includes('exposed'))
    going.signal('SIGKILL')
    await going.ended
    const second = await drill().ended
    expect([second.code, second.stderr]).toEqual([
      8,
      expect.stringMatching(/A drill that began at .* goes on for another \d s\./),
    ])
    await eventually('the drill has ended by itself', async () => !(await isExposed(chain.first)))
  })
})

describe('a drill does not appear', () => {
  const query = async (expr: string) => {
    const answer = await fetch(`${chain.prometheus}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: expr }),
    })
    const { data, error } = (await answer.json()) as {
      data?: { result: { metric: Record<string, string> }[] }
      error?: string
    }
    if (!data) throw new Error(`${expr}: ${error}`)
    return data.result.map(({ metric }) => metric)
  }
  let began: number

  beforeAll(async () => {
    // With labels of a validator that is watched.
    began = Date.now() / 1_000
    const labels = 'network=fuji&subnet=primary&validator=val-1&source=node-a'
    await fetch(`${chain.first}/-/drill?${labels}`, { method: 'POST' })
    await eventually('it fires', async () => (await query('ALERTS{alertname="StakewatchDrill"}')).length === 1)
  })
  afterAll(async () => {
    await fetch(`${chain.first}/-/drill`, { method: 'DELETE' })
  })

  test('on the status page, in its JSON, in top, and among the alerts that the daemon evaluates', async () => {
    // A reload makes it evaluate the rules now.
    await fetch(`${chain.first}/-/reload`, { method: 'POST' })
    const status = await eventually('the daemon has evaluated its rules', async () => {
      const text = await scrape(`${chain.first}/api/v1/status`)
      const { rules } = JSON.parse(text) as {
        rules: { evaluated_timestamp_seconds: number | null; current: boolean }
      }
      return rules.current && (rules.evaluated_timestamp_seconds ?? 0) > began && text
    })
    const { stdout: top } = await run('top', '--once', `--url=${chain.first}`).ended
    expect(top).toContain('val-1')
    for (const text of [status, await scrape(`${chain.first}/`), top]) expect(text).not.toMatch(/drill/i)
  })

  test('in a panel or an annotation of a dashboard, but for the panel about drills', async () => {
    const queries = Object.values(dashboards).flatMap((dashboard) => [
      ...targetsOf(dashboard)
        .filter(({ panel }) => panel.title !== 'Drill')
        .map(({ panel, query: { expr } }) => ({ name: `${dashboard.title}: ${panel.title}`, expr })),
      ...dashboard.annotations.list.flatMap((one) =>
        'expr' in one ? [{ name: `${dashboard.title}: ${one.name}`, expr: one.expr }] : [],
      ),
    ])
    // Each selector by itself, as a tile that counts alerts has lost their names.
    const selectors = queries.flatMap(({ name, expr }) =>
      (filledIn(expr, '15s', '5m').match(/ALERTS\{[^}]*\}/g) ?? []).map((selector) => ({ name, expr: selector })),
    )
    expect(selectors.length).toBeGreaterThan(5)
    const shown: string[] = []
    for (const { name, expr } of selectors) {
      // No value of a variable excludes the drill.
      const found = await query(expr.replaceAll(/=~"\|?\.\+\|?"/g, '=~".*"'))
      if (found.some((labels) => labels['alertname'] === 'StakewatchDrill')) shown.push(name)
    }
    expect(shown).toEqual([])
  })

  test('in another alert', async () => {
    const others = await query('ALERTS{alertname!="StakewatchDrill"}')
    expect(others.length).toBeGreaterThan(0)
    expect(others.filter((labels) => 'began' in labels || /drill/i.test(JSON.stringify(labels)))).toEqual([])
  })
})

test('with the example configuration of Alertmanager a drill inhibits nothing of the same things', async () => {
  const { address, end } = await startAlertmanager(60_000, () => {})
  endings.push(end)
  const about = {
    job: 'stakewatch',
    network: 'fuji',
    subnet: 'primary',
    node_id: 'NodeID-1',
    validator: 'val-1',
    source: 'node-a',
  }
  const posted = groupsOf()
    .flatMap(({ rules }) => rules)
    // The drill first: when others are held back, it has been seen.
    .toSorted(({ severity: one }, { severity: other }) => Number(other === 'own') - Number(one === 'own'))
    .map(({ alert: alertname, severity }) => ({
      alertname,
      ...about,
      severity: severity === 'own' ? 'critical' : severity,
      ...(severity === 'own' && { began: 'now' }),
    }))
  /** Whether Alertmanager holds back each of these, by name. */
  async function inhibitedOf(alerts: readonly { alertname: string }[]) {
    await postJson(
      `http://${address}/api/v2/alerts`,
      alerts.map((labels) => ({ labels })),
    )
    return eventually('Alertmanager has decided', async () => {
      const all = JSON.parse(await scrape(`http://${address}/api/v2/alerts`)) as Held[]
      const isDecided = all.length >= alerts.length && all.every(({ status }) => status.state !== 'unprocessed')
      // Its inhibitor sees an alert some time after its API has it, one after the other.
      return isDecided && all.filter(({ status }) => status.inhibitedBy.length > 0).length > 10 && all
    })
  }
  const isDrill = ({ labels }: Pick<Held, 'labels'>) => labels['alertname'] === 'StakewatchDrill'
  // All that can fire at once: the configuration inhibits much of it, but never because of the drill.
  const all = await inhibitedOf(posted)
  const drilled = all.find(isDrill)!
  expect(all.filter(({ status }) => status.inhibitedBy.includes(drilled.fingerprint))).toEqual([])
  expect(drilled.status.state).toBe('active')
})
