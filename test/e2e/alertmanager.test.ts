// The example configuration of Alertmanager: its form, its receivers, and what it holds back.

import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { groupsOf } from '../../src/alerts/rules.ts'
import { collectors } from '../../src/collectors/index.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { getCurrentValidators } from '../../src/operations/node/platform-validators.ts'
import { example, exampleText } from './support/alertmanager.ts'

const amtool = (...args: readonly string[]) =>
  // It warns on stderr that a file was given.
  execFileSync('amtool', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
const toldOf = (...labels: readonly string[]) =>
  amtool('config', 'routes', 'test', `--config.file=${example}`, ...labels)

interface Config {
  route: Route
  inhibit_rules: { source_matchers: string[]; target_matchers: string[]; equal: string[] }[]
}
interface Route {
  receiver: string
  matchers: string[]
  group_by?: string[]
  group_wait?: string
  group_interval?: string
  repeat_interval?: string
  routes?: Route[]
}
const config = parse(exampleText, { merge: true }) as Config
const severities = new Map(groupsOf().flatMap(({ rules }) => rules.map(({ alert, severity }) => [alert, severity])))

describe('its receivers', () => {
  test.each([
    ['pager', ['alertname=StakewatchDown', 'severity=critical']],
    ['pager', ['alertname=StakewatchValidatorDisconnected', 'severity=critical', 'network=fuji', 'subnet=primary']],
    ['team', ['alertname=StakewatchStakeEnding', 'severity=warning']],
    ['dashboard-only', ['alertname=StakewatchStakeEndPlanned', 'severity=info']],
    ['pager', ['alertname=StakewatchDrill', 'severity=critical']],
    ['team', ['alertname=StakewatchDrill', 'severity=warning']],
    ['dead-mans-switch', ['alertname=StakewatchWatchdog', 'severity=none']],
    // Another one would keep the switch quiet while stakewatch's own is missing.
    ['dashboard-only', ['alertname=Watchdog', 'severity=none']],
    ['pager', ['alertname=SomethingElse', 'severity=critical']],
    ['team', ['alertname=SomethingElse']],
    ['team', ['alertname=SomethingElse', 'severity=page']],
  ])('%s receives %o', (receiver, labels) => {
    expect(toldOf(...labels)).toBe(receiver)
  })

  test('of any alert but the watchdog follow from its severity', () => {
    const { routes = [] } = config.route
    const named = routes.filter(({ matchers }) => matchers.some((matcher) => matcher.startsWith('alertname')))
    expect(named.map(({ receiver }) => receiver)).toEqual(['dead-mans-switch'])
    const inner = routes.flatMap((route) => route.routes ?? [])
    expect(inner.filter((route) => 'receiver' in route)).toEqual([])
  })
})

describe('when it notifies', () => {
  /** Minutes; what a route does not say is said above it. */
  const timesOf = (receiver: string) => {
    const { routes = [], ...all } = config.route
    const { group_wait, group_interval, repeat_interval } = {
      ...all,
      ...routes.find((one) => one.receiver === receiver),
    }
    const [wait, grown, again] = [group_wait, group_interval, repeat_interval].map(
      (time) => parseDuration(time!)! / 60_000,
    )
    return { wait: wait!, grown: grown!, again: again! }
  }

  test('a page comes within a minute, one that joins it within two, and comes again while the night lasts', () => {
    const { wait, grown, again } = timesOf('pager')
    expect(wait).toBeLessThanOrEqual(1)
    expect(grown).toBeLessThanOrEqual(2)
    expect(again).toBeLessThanOrEqual(4 * 60)
  })

  test('a warning comes within five minutes, and once a day', () => {
    const { wait, grown, again } = timesOf('team')
    expect(Math.max(wait, grown)).toBeLessThanOrEqual(5)
    expect(again).toBe(24 * 60)
  })

  test('the dead man’s switch is sent every minute', () => {
    const { wait, grown, again } = timesOf('dead-mans-switch')
    expect({ wait, grown }).toEqual({ wait: 0, grown: 1 })
    // At the first turn of a group after it is over: the turn that comes with it is missed.
    expect(again).toBeLessThan(grown)
  })
})

describe('what it keeps apart', () => {
  const groupings = (route: Route): string[][] => [
    ...(route.group_by ? [route.group_by] : []),
    ...(route.routes ?? []).flatMap(groupings),
  ]

  test('each grouping has the job', () => {
    expect(config.route.group_by).toBeDefined()
    expect(groupings(config.route).filter((by) => !by.includes('job'))).toEqual([])
  })

  test.each(config.inhibit_rules)('of one job is what $source_matchers holds back', ({ equal }) => {
    expect(equal).toContain('job')
  })
})

describe('what it holds back', () => {
  /** Names in the matchers of alertname, those that it excludes as well. */
  const namesIn = (matchers: readonly string[], operators: string) =>
    matchers.flatMap((matcher) => {
      const [, names] = new RegExp(`^alertname (?:${operators}) "?([^"]*)"?$`).exec(matcher) ?? []
      return names?.split('|') ?? []
    })
  const all = config.inhibit_rules.flatMap(({ source_matchers, target_matchers }) => [
    ...source_matchers,
    ...target_matchers,
  ])

  test.each([...new Set(namesIn(all, '=~|!~|='))])('%s is an alert, or the beginning of one', (name) => {
    const alerts = [...severities.keys()]
    expect(alerts.filter((alert) => new RegExp(`^(?:${name})$`).test(alert))).not.toEqual([])
  })

  test('collectors that need the list of validators, where no upstream has it, and no others', () => {
    const [pattern] = all.flatMap((matcher) => /^collector =~ "(.+)"$/.exec(matcher)?.[1] ?? [])
    const asking = collectors.filter(({ uses }) => uses.some(({ name }) => name === getCurrentValidators.name))
    expect(pattern?.split('|').toSorted()).toEqual(asking.map(({ name }) => name).toSorted())
  })

  test.each(config.inhibit_rules)('$target_matchers selects no page', ({ target_matchers: matchers }) => {
    if (matchers.includes('severity =~ "warning|info"')) return
    const held = namesIn(matchers, '=~|=')
    expect(held).not.toEqual([])
    expect(held.filter((name) => severities.get(name) === 'critical')).toEqual([])
  })
})
