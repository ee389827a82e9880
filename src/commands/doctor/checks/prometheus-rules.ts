// Whether Prometheus has loaded the rules of this version, and reads the job that they are about.

import { listed } from '../../../lib/figures.ts'
import { heldValue } from '../../../alerts/condition-rule.ts'
import { JOB } from '../../../alerts/groups.ts'
import { HOLD } from '../../../alerts/rule.ts'
import { duration, rulesOf } from '../../../alerts/rules.ts'
import { least } from '../../../lib/statistics.ts'
import { RELOAD } from '../../alerts.ts'
import { differenceOf } from '../promql-difference.ts'
import { lengthOf } from '../../monitoring/foreign.ts'
import type { LoadedGroup, LoadedRule } from '../../monitoring/prometheus.ts'
import { check, failed, ok, type Own, type Result, unlessOk, warning } from '../check.ts'
import { instances, prometheusFlags, ruleGroups, targets } from '../facts.ts'

/** The rules that this version prints, as Prometheus lists loaded ones. */
interface Wanted {
  name: string
  expr: string
  labels: Readonly<Record<string, string>>
  /** Of an alert, in seconds. */
  waits?: number
  holds?: number
}

export const prometheusRules = [
  check({
    name: 'prometheus/job',
    why: 'The alert that says that stakewatch is down looks at the scrape job of this name.',
    needs: { instances, targets, ruleGroups },
    judge({ instances, targets, ruleGroups }) {
      const wanted = jobOf(ruleGroups)
      const jobs = [...new Set(instances.map(({ job = '' }) => job))]
      const isThere = targets.some(({ labels }) => labels['job'] === wanted)
      if (jobs.length === 0 && !isThere) {
        return failed(
          'Prometheus has no series of stakewatch',
          `add a scrape job ${wanted} with the address of the daemon`,
        )
      }
      const others = jobs.filter((job) => job !== wanted)
      if (others.length === 0) return ok(`the job is ${wanted}, as in the rules`)
      return others.flatMap((job) =>
        failed(
          `stakewatch is scraped as job ${job}, and the rules are about job ${wanted}`,
          `rename the scrape job, or print the rules with \`stakewatch alerts --job=${job}\``,
        ),
      )
    },
  }),
  check({
    name: 'prometheus/rules',
    why: 'Rules of another version read other metrics, and a rule that was changed may never fire.',
    needs: { ruleGroups },
    judge({ ruleGroups }, own) {
      const loaded = Map.groupBy(ruleGroups.flatMap(({ rules }) => rules).filter(isOurs), keyOf)
      if (loaded.size === 0) {
        return failed('Prometheus has loaded no rule of stakewatch', `${RELOAD} (rule_files names the file)`)
      }
      const wanted = wantedRules(jobOf(ruleGroups), own)
      const results = [
        ...missing(wanted, loaded),
        ...surplus(wanted, loaded),
        ...[...Map.groupBy(wanted, keyOf)].flatMap(([key, some]) => changed(some, loaded.get(key) ?? [])),
      ]
      return unlessOk(results, `${wanted.length} rules, those of version ${own.version}`)
    },
  }),
  check({
    name: 'prometheus/evaluation',
    why: 'A rule that fails, or is evaluated late, does not fire in time.',
    needs: { ruleGroups },
    judge({ ruleGroups }) {
      const groups = ruleGroups.filter(({ rules }) => rules.some(isOurs))
      return unlessOk(
        [...groups.flatMap(evaluationOf), ...lateIn(groups)],
        'every rule is evaluated without an error and in time',
      )
    },
  }),
  check({
    name: 'prometheus/grace-period',
    why: 'When Prometheus restarts, it forgets since when alerts with a shorter `for` fire: each page resolves and comes again.',
    needs: { ruleGroups, flags: prometheusFlags },
    judge({ ruleGroups, flags }) {
      const { [GRACE]: grace } = flags
      const rules = ruleGroups.flatMap(({ rules }) => rules).filter(isOurs)
      const waits = rules.flatMap((rule) =>
        rule.type === 'alerting' && rule.labels['severity'] === 'critical' && rule.duration > 0 ? [rule.duration] : [],
      )
      const limit = lengthOf(grace ?? '')
      if (limit === undefined || waits.length === 0) return []
      const forgotten = waits.filter((wait) => wait * 1_000 < limit)
      if (forgotten.length === 0) return ok(`--${GRACE} is ${grace}`)
      return warning(
        `--${GRACE} is ${grace}, longer than the \`for\` of ${forgotten.length} of ${waits.length} critical alerts`,
        `start Prometheus with --${GRACE}=${duration(least(waits))}`,
      )
    },
  }),
]

const GRACE = 'rules.alert.for-grace-period'
/** Seconds: most critical alerts wait for two minutes or more. */
const LONGEST_INTERVAL = 60

function evaluationOf({ name, interval, rules }: LoadedGroup): readonly Result[] {
  const failing = rules.filter(({ health }) => health === 'err').map((rule) => rule.name)
  const [error = ''] = rules.flatMap(({ lastError }) => lastError || [])
  return [
    ...(failing.length === 0
      ? []
      : failed(
          `${listed(failing)} cannot be evaluated: ${error}`,
          /duplicate|many-to-many|multiple matches/.test(error)
            ? 'series arrive twice: remove the second scrape job or rule file, or load the rules of this version'
            : 'repair what the error names, or load the rules of this version',
        )),
    ...(interval > LONGEST_INTERVAL
      ? warning(
          `the group ${name} is evaluated every ${duration(interval)}`,
          'set evaluation_interval: 30s, and no longer interval in the group',
        )
      : []),
  ]
}

function lateIn(groups: readonly LoadedGroup[]): readonly Result[] {
  const late = groups.filter(({ interval, evaluationTime }) => evaluationTime > interval)
  if (late.length === 0) return []
  const times = late.map(
    ({ name, interval, evaluationTime }) => `${name} (${inSeconds(evaluationTime)} of ${inSeconds(interval)})`,
  )
  const found = `Prometheus needs longer to evaluate a group than it has: ${listed(times)}`
  return failed(found, 'give Prometheus more CPU, or set a longer interval, up to 1m')
}

const inSeconds = (seconds: number) => `${Number(seconds.toPrecision(2))} s`

/** The job in the loaded rules, if they are ours. */
export function jobOf(groups: readonly LoadedGroup[]): string {
  const rule = groups.flatMap(({ rules }) => rules).find(({ name }) => name === 'StakewatchDown')
  return /job="([^"]*)"/.exec(rule?.query ?? '')?.[1] ?? JOB
}

function wantedRules(job: string, { limits, waits }: Pick<Own, 'limits' | 'waits'>): Wanted[] {
  return [
    { name: heldValue.record, expr: heldValue.expr, labels: {} },
    ...rulesOf({ job, limits }).map(({ alert: name, expr, severity, for: shipped, hold: holds = HOLD }) => ({
      name,
      expr,
      labels: severity === 'own' ? {} : { severity },
      waits: waits.get(name) ?? shipped,
      holds,
    })),
  ]
}

const isOurs = ({ name }: LoadedRule) => /^Stakewatch|:stakewatch_/.test(name)
/** Several recording rules share a name, each with its own labels. */
const keyOf = ({ name, labels }: Pick<Wanted, 'name' | 'labels'>) => `${name} ${labels['alert'] ?? ''}`

type Loaded = ReadonlyMap<string, readonly LoadedRule[]>

function missing(wanted: readonly Wanted[], loaded: Loaded): readonly Result[] {
  const names = [...new Set(wanted.filter((one) => !loaded.has(keyOf(one))).map(({ name }) => name))]
  if (names.length === 0) return []
  return failed(`${countOf(names)} not loaded: ${listed(names)}`, RELOAD)
}

function surplus(wanted: readonly Wanted[], loaded: Loaded): readonly Result[] {
  const known = new Set(wanted.map(keyOf))
  const names = [...loaded.values()].flatMap(([one]) => (known.has(keyOf(one!)) ? [] : one!.name))
  if (names.length === 0) return []
  return warning(`${countOf(names)} not of this version: ${listed(names)}`, RELOAD)
}

const countOf = (names: readonly string[]) => (names.length === 1 ? '1 rule is' : `${names.length} rules are`)

function changed(wanted: readonly Wanted[], loaded: readonly LoadedRule[]): readonly Result[] {
  const [first] = loaded
  if (!first) return []
  if (loaded.length > wanted.length) {
    return warning(
      `${first.name} is loaded ${loaded.length} times`,
      'remove the other rule file: each copy sends its own alerts',
    )
  }
  return wanted.flatMap((one, at) =>
    changesOf(one, loaded[at]!).flatMap((what) => failed(`${one.name} was changed: ${what}`, RELOAD)),
  )
}

/** `its expression has 3 instead of 4`. */
function changesOf(wanted: Wanted, loaded: LoadedRule): string[] {
  const difference = differenceOf(loaded.query, wanted.expr)
  const changes = difference ? [`it has ${difference.left} instead of ${difference.right}`] : []
  if (loaded.type === 'recording' || wanted.waits === undefined) return changes
  const { severity } = loaded.labels
  if (severity !== wanted.labels['severity']) {
    changes.push(
      `its severity is ${severity ?? 'missing'} instead of ${wanted.labels['severity'] ?? 'that of the series'}`,
    )
  }
  if (loaded.duration !== wanted.waits) {
    changes.push(`it waits for ${duration(loaded.duration)} instead of ${duration(wanted.waits)}`)
  }
  const { keepFiringFor: holds = loaded.keep_firing_for } = loaded
  if (holds !== wanted.holds) {
    changes.push(`it keeps firing for ${duration(holds)} instead of ${duration(wanted.holds!)}`)
  }
  return changes
}
