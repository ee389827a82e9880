// The daemons themselves.

import { listed } from '../../../lib/figures.ts'
import { greatest } from '../../../lib/statistics.ts'
import type { Series } from '../../../metrics/read-exposition.ts'
import { check, fact, failed, ok, type Result, unknown, unlessOk, warning } from '../check.ts'
import { daemons, type Seen } from '../facts.ts'
import { clockResult } from './prometheus-server.ts'

/** As `--shard` takes them: another program may report any number. */
const MOST_SHARDS = 9_999

/** By job: each has its own. */
const shards = fact('prometheus', async (prometheus) => {
  const [ordinals, counts] = await Promise.all([
    prometheus.query('stakewatch_shard_ordinal'),
    prometheus.query('stakewatch_shards'),
  ])
  const present = Map.groupBy(ordinals, ({ labels: { job = '' } }) => job)
  return [...Map.groupBy(counts, ({ labels: { job = '' } }) => job)].map(([job, some]) => {
    const numbers = some.flatMap(({ value }) => (Number.isInteger(value) && value <= MOST_SHARDS ? value : []))
    return { job, present: new Set(present.get(job)?.map(({ value }) => value)), of: greatest(numbers, 0) }
  })
})

type Answering = Extract<Seen, { samples: unknown }>

export const daemonChecks = [
  check({
    name: 'daemon/answers',
    why: 'What does not answer watches nothing.',
    needs: { daemons },
    judge: ({ daemons }) =>
      unlessOk(
        daemons.flatMap(silenceOf),
        `${listed(daemons.map(({ daemon }) => daemon.shown))} ${daemons.length > 1 ? 'answer' : 'answers'}`,
      ),
  }),
  check({
    name: 'daemon/ready',
    why: 'stakewatch has no data yet, or its upstreams do not answer.',
    needs: { daemons },
    judge: ({ daemons }) =>
      ofEach(daemons, 'ready', ({ daemon, ready: { isReady, text } }) =>
        isReady
          ? []
          : failed(
              `${daemon.shown}: ${text.split('\n').join('; ')}`,
              'run stakewatch check --live with its configuration, and correct the addresses that do not answer',
            ),
      ),
  }),
  check({
    name: 'daemon/version',
    why: 'Rules and dashboards belong to one version of stakewatch.',
    needs: { daemons },
    judge: ({ daemons }, own) =>
      ofEach(daemons, `all run version ${own.version}`, ({ daemon, samples }) => {
        const version = samples.find(({ name }) => name === 'stakewatch_build_info')?.labels['version']
        if (version === own.version) return []
        const found = `${daemon.shown} runs version ${version ?? '(unknown)'}, and this is ${own.version}`
        return warning(found, 'update the older one, and run doctor of the same version')
      }),
  }),
  check({
    name: 'daemon/configuration',
    why: 'stakewatch runs with the configuration before, and would not start with the new one.',
    needs: { daemons },
    judge: ({ daemons }) =>
      ofEach(daemons, 'accepted', ({ daemon, samples }) =>
        Object.entries(files).flatMap(([metric, file]) =>
          samples.some(({ name, value }) => name === metric && value === 0)
            ? failed(`${daemon.shown} refused its ${file}`, `run stakewatch check, correct the ${file} and reload`)
            : [],
        ),
      ),
  }),
  check({
    name: 'daemon/clock',
    why: 'Ages and remaining times are computed with this clock.',
    needs: { daemons },
    judge: ({ daemons }, { limits }) =>
      ofEach(daemons, 'agrees with the clock here', ({ daemon, ready: { clock } }) =>
        clock ? clockResult(daemon.shown, clock.its - clock.ours, limits.clockWrong).filter(isBad) : [],
      ),
  }),
  check({
    name: 'daemon/budgets',
    why: 'stakewatch asks an upstream less often once its budget is used up: data gets old.',
    needs: { daemons },
    judge: ({ daemons }, { limits }) =>
      ofEach(daemons, 'every upstream has budget left for today', ({ samples }) =>
        usedUp(samples, limits.budgetLeft).flatMap((upstream) =>
          warning(
            `less than ${Number((100 * limits.budgetLeft).toPrecision(6))} % of the budget of ${upstream} is left for today`,
            'give the upstream a key and a larger budget in the configuration; stakewatch check says how much is needed',
          ),
        ),
      ),
  }),
  check({
    name: 'daemon/shards',
    why: 'No alert about what a missing shard watches can fire.',
    needs: { shards },
    judge: ({ shards }) =>
      shards.flatMap(({ job, present, of }) => {
        const where = shards.length > 1 ? ` in the job ${job}` : ''
        const missing = Array.from({ length: of }, (_, ordinal) => ordinal).filter((ordinal) => !present.has(ordinal))
        if (missing.length === 0)
          return of === 0 ? [] : ok(`${of === 1 ? 'there is one' : `all ${of} are there`}${where}`)
        const names = missing.map((ordinal) => `--shard=${ordinal}/${of}`)
        const found = `${missing.length} of ${of} shards ${missing.length === 1 ? 'is' : 'are'} missing${where}: ${listed(missing.map(String))}`
        return failed(found, `start stakewatch with ${listed(names)}, and add it to the scrape job`)
      }),
  }),
]

const files = {
  stakewatch_config_last_reload_successful: 'configuration file',
  stakewatch_web_config_last_reload_successful: 'web configuration',
} as const

const isBad = ({ level }: Result) => level !== 'ok'

function silenceOf(seen: Seen): readonly Result[] {
  if (!('error' in seen)) return []
  const { daemon, error } = seen
  if (!daemon.isGiven) {
    return unknown(
      error.message,
      'Prometheus names this address: give --url=URL as this machine reaches it, and --user if it has passwords',
    )
  }
  return error.code === 'http_status'
    ? unknown(
        error.message,
        'correct --url or start it; or leave --url out, as Prometheus (--prometheus=URL) names the path of its metrics',
      )
    : failed(error.message, 'correct --url, or start it')
}

/** Nothing if none answers. */
function ofEach(all: readonly Seen[], well: string, judge: (one: Answering) => readonly Result[]): readonly Result[] {
  const answering = all.filter((one): one is Answering => 'samples' in one)
  return answering.length === 0 ? [] : unlessOk(answering.flatMap(judge), well)
}

const PER_DAY = { units: 'stakewatch_upstream_budget_units', left: 'stakewatch_upstream_budget_remaining_units' }

/** Upstreams as `fuji/data-api`. */
function usedUp(samples: readonly Series[], least: number): string[] {
  const ofDay = (metric: string) =>
    samples
      .filter(({ name, labels }) => name === metric && labels['window'] === 'day')
      .map(({ labels, value }) => [`${labels['network']}/${labels['source']}`, value] as const)
  const left = new Map(ofDay(PER_DAY.left))
  return ofDay(PER_DAY.units).flatMap(([upstream, units]) =>
    (left.get(upstream) ?? Infinity) / units < least ? [upstream] : [],
  )
}
