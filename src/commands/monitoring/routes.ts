// The routing tree and the inhibitions of Alertmanager, and where alerts go of which only some labels are known. Patterns run in the
// engine that Prometheus and Alertmanager use: none takes more time than its length times that of the text.
// https://prometheus.io/docs/alerting/latest/configuration/

import { z } from 'zod'
import type { Labels } from '../../lib/label-text.ts'
import type { Matcher } from './alertmanager.ts'
import { lengthOf, readYaml, unquoted } from './foreign.ts'
import { RE2JS } from 're2js'
import { entryOf } from '../../lib/entry.ts'

const pairs = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({})
const lines = z.array(z.string()).default([])

/** The older forms as well, which Alertmanager still reads. */
const route = z.object({
  receiver: z.string().optional(),
  group_by: z.array(z.string()).optional(),
  group_wait: z.string().optional(),
  group_interval: z.string().optional(),
  repeat_interval: z.string().optional(),
  continue: z.boolean().default(false),
  match: pairs,
  match_re: pairs,
  matchers: lines,
  mute_time_intervals: lines,
  active_time_intervals: lines,
  get routes() {
    return z.array(route).optional()
  },
})

const inhibition = z.object({
  source_match: pairs,
  source_match_re: pairs,
  source_matchers: lines,
  target_match: pairs,
  target_match_re: pairs,
  target_matchers: lines,
  equal: lines,
})

const receiver = z.looseObject({ name: z.string() })

const configuration = z.object({
  route,
  receivers: z.array(receiver),
  inhibit_rules: z.array(inhibition).default([]),
})

/** Times in milliseconds. */
export interface Route {
  receiver: string
  matchers: readonly Matcher[]
  /** `...` is every label. */
  groupBy: readonly string[]
  groupWait: number
  groupInterval: number
  repeatInterval: number
  /** Names of time intervals that keep it from sending. */
  muted: readonly string[]
  continues: boolean
  routes: readonly Route[]
}

/** One `…_configs` entry of a receiver. */
export interface Integration {
  /** Such as `pagerduty`. */
  kind: string
  settings: Readonly<Record<string, unknown>>
}

export type AlertmanagerConfig = ReturnType<typeof readAlertmanagerConfig>

/** Throws a BaseError where it is not what Alertmanager prints. */
export function readAlertmanagerConfig(yaml: string) {
  const { route: top, receivers, inhibit_rules } = readYaml(configuration, yaml, 'the configuration of Alertmanager')
  return {
    route: routeOf(top, defaults),
    inhibitions: inhibit_rules.map((one) => ({
      source: matchersOf(one.source_match, one.source_match_re, one.source_matchers),
      target: matchersOf(one.target_match, one.target_match_re, one.target_matchers),
      equal: one.equal,
    })),
    receivers: new Map(receivers.map((one) => [one.name, integrationsOf(one)])),
  }
}

type Inherited = Pick<Route, 'receiver' | 'groupBy' | 'groupWait' | 'groupInterval' | 'repeatInterval'>
const defaults: Inherited = {
  receiver: '',
  groupBy: [],
  groupWait: 30_000,
  groupInterval: 300_000,
  repeatInterval: 14_400_000,
}

function routeOf(one: z.output<typeof route>, parent: Inherited): Route {
  const time = (text: string | undefined, otherwise: number) => lengthOf(text ?? '') ?? otherwise
  const own: Inherited = {
    receiver: one.receiver ?? parent.receiver,
    groupBy: one.group_by ?? parent.groupBy,
    groupWait: time(one.group_wait, parent.groupWait),
    groupInterval: time(one.group_interval, parent.groupInterval),
    repeatInterval: time(one.repeat_interval, parent.repeatInterval),
  }
  return {
    ...own,
    matchers: matchersOf(one.match, one.match_re, one.matchers),
    muted: [...one.mute_time_intervals, ...one.active_time_intervals],
    continues: one.continue,
    routes: (one.routes ?? []).map((child) => routeOf(child, own)),
  }
}

/** It and all below it. */
export const everyRoute = (top: Route): Route[] => [top, ...top.routes.flatMap(everyRoute)]

const integrations = z.array(z.record(z.string(), z.unknown()))

function integrationsOf(one: z.output<typeof receiver>): Integration[] {
  return Object.entries(one).flatMap(([key, list]) =>
    key.endsWith('_configs')
      ? (integrations.safeParse(list).data ?? []).map((settings) => ({
          kind: key.slice(0, -'_configs'.length),
          settings,
        }))
      : [],
  )
}

function matchersOf(equal: Labels, regex: Labels, texts: readonly string[]): Matcher[] {
  return [
    ...Object.entries(equal).map(([name, value]) => ({ name, value, isRegex: false, isEqual: true })),
    ...Object.entries(regex).map(([name, value]) => ({ name, value, isRegex: true, isEqual: true })),
    ...texts.flatMap(matchersIn),
  ]
}

const MATCHER = /\b([a-z_]\w*)\s*(=~|!~|!=|=)\s*(?:"((?:[^"\\]|\\.)*)"|([^",{}]*))/gi

/** One text may have several, as in `{a="b", c!="d"}`. */
function matchersIn(text: string): Matcher[] {
  return [...text.matchAll(MATCHER)].map(([, name, operator, quoted, plain = '']) => ({
    name: name!,
    value: quoted === undefined ? plain.trim() : unquoted(quoted),
    isRegex: operator!.endsWith('~'),
    isEqual: operator!.startsWith('='),
  }))
}

export type Verdict = 'yes' | 'no' | 'maybe'

/** Whether an alert fits. Of labels other than these the value is unknown. */
export function fits(matchers: readonly Matcher[], known: Labels): Verdict {
  const verdicts = matchers.map(({ name, value, isRegex, isEqual }): Verdict => {
    const label = Object.hasOwn(known, name) ? known[name] : undefined
    if (label === undefined) return 'maybe'
    const isSame = isRegex ? isMatch(value, label) : label === value
    if (isSame === undefined) return 'maybe'
    return isSame === isEqual ? 'yes' : 'no'
  })
  return verdicts.includes('no') ? 'no' : verdicts.includes('maybe') ? 'maybe' : 'yes'
}

/** Whether an alert fits that has these labels and no others: those that it lacks are empty. */
export function fitsWhole(matchers: readonly Matcher[], labels: Labels): Verdict {
  const absent = Object.fromEntries(matchers.map(({ name }) => [name, '']))
  return fits(matchers, { ...absent, ...labels })
}

/** The routes that such an alert takes, or may take. */
export function routesFor(route: Route, known: Labels): Route[] {
  if (fits(route.matchers, known) === 'no') return []
  const taken: Route[] = []
  for (const child of route.routes) {
    const ways = routesFor(child, known)
    for (const way of ways) taken.push(way)
    if (ways.length > 0 && !child.continues && fits(child.matchers, known) === 'yes') return taken
  }
  // Some of these alerts, or all, fit none of its children.
  const isSure = route.routes.some((child) => fits(child.matchers, known) === 'yes')
  return isSure ? taken : [route, ...taken]
}

/** More is not compiled: `a{1000}` is a thousand states, and a pattern may repeat it. */
const MOST_REPEATED = 1_000
const LONGEST = 1_000_000
/** States by signs of the text: more take seconds. */
const MOST_WORK = 2_000_000
/** What a list of names does not have, as those of the silences that stakewatch makes: any sign but these, and a bare dot. */
const NO_NAMES = /[^\w|.\\-]|\\(?!\.)|(?<!\\)\./
const COUNTS = /\{(\d+)(?:,(\d*))?\}/g

/** Undefined where the pattern cannot be used. */
type Matching = (text: string) => boolean | undefined

const known = new Map<string, Matching>()

/** Whether it matches the whole text, as patterns of Prometheus do. */
export function isMatch(pattern: string, text: string): ReturnType<Matching> {
  return entryOf(known, pattern, () => compile(pattern))(text)
}

function compile(pattern: string): Matching {
  const counts = [...pattern.matchAll(COUNTS)].map(([, least, most]) => Number(most || least))
  const repeated = counts.reduce((sum, count) => sum + count, 0)
  if (repeated > MOST_REPEATED || pattern.length > LONGEST) return () => undefined
  if (!NO_NAMES.test(pattern)) {
    const names = new Set(pattern.replaceAll('\\.', '.').split('|'))
    return (text) => names.has(text)
  }
  const states = pattern.length * Math.max(1, repeated)
  if (states > LONGEST) return () => undefined
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    return (text) => (states * text.length > MOST_WORK ? undefined : compiled.testExact(text))
  } catch {
    return () => undefined
  }
}
