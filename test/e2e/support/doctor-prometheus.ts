// Setups of Prometheus that are broken, what doctor finds in each, and its advice as a pattern: what it takes from the text of the
// advice is what the repair uses.

import { rulesYaml } from '../../../src/alerts/rules.ts'
import { type Chain, type PrometheusFiles, textsOf, type Yaml } from './doctor.ts'
import { asked, isEvaluated } from './monitoring.ts'
import { eventually } from './scrape.ts'

export interface Case {
  what: string
  check: string
  level: 'unknown' | 'warning' | 'failed'
  found: RegExp
  fix: RegExp
  break(chain: Chain): Promise<void>
  /** Does what the advice says, where that is more than to undo it; `advice` is what the pattern matched. */
  repair?: (chain: Chain, advice: RegExpExecArray) => Promise<void>
}

type Written = Omit<Case, 'break' | 'repair'>

/** Breaks a healthy file. `repaired` takes values from the advice. */
function filed(
  written: Written,
  edit: (files: PrometheusFiles, chain: Chain) => void,
  repaired?: (files: PrometheusFiles, advice: RegExpExecArray) => void,
  time?: number,
): Case {
  return {
    ...written,
    async break(chain) {
      const files = chain.healthy()
      edit(files, chain)
      await chain.load(files, time)
    },
    ...(repaired && {
      async repair(chain: Chain, advice: RegExpExecArray) {
        const files = chain.healthy()
        repaired(files, advice)
        await chain.load(files, time)
      },
    }),
  }
}

/** Adds to the scrape job of stakewatch. */
const inJob = (
  written: Written,
  more: Yaml,
  repaired?: (job: Yaml, advice: RegExpExecArray) => void,
  time?: number,
): Case =>
  filed(
    written,
    ({ config }) => Object.assign(config.scrape_configs[0]!, more),
    repaired && (({ config }, advice) => repaired(config.scrape_configs[0]!, advice)),
    time,
  )

/** Changes the text of one alert, or of a group by its name. */
const inRules = (written: Written, of: string, from: RegExp, to: string): Case =>
  filed(written, (files) => {
    files.rules = edited(rulesYaml(), of, from, to)
  })

function edited(rules: string, of: string, from: RegExp, to: string): string {
  const at = rules.search(new RegExp(`- (?:alert|name): ${of}\n`))
  const changed = rules.slice(at).replace(from, to)
  if (at < 0 || rules.endsWith(changed)) throw new Error(`${of} has no ${from}`)
  return rules.slice(0, at) + changed
}

/** doctor looks at the samples of two scrapes (milliseconds). */
const TWO_SCRAPES = 2_200
const down = { check: 'prometheus/targets', level: 'failed' } as const
const rules = { check: 'prometheus/rules', level: 'failed', fix: /replace the rule file and reload/ } as const

/** What was done to a rule file, all of it at once, and what doctor finds of it. */
const rulesByHand: [what: string, level: Case['level'], found: RegExp, of: string, from: RegExp, to: string][] = [
  [
    'one rule was edited',
    'failed',
    /^StakewatchDown was changed: it has 5 instead of 3$/,
    'StakewatchDown',
    /(?<=> )3\b/,
    '5',
  ],
  [
    'one rule waits longer',
    'failed',
    /^StakewatchNodesDown was changed: it waits for 1h instead of 5m$/,
    'StakewatchNodesDown',
    /for: 5m/,
    'for: 1h',
  ],
  [
    'one alert does not hold',
    'failed',
    /^StakewatchValidatorGone was changed: it keeps firing for 0[sd] instead of 10m$/,
    'StakewatchValidatorGone',
    / {8}keep_firing_for: 10m\n/,
    '',
  ],
  [
    'a critical alert became a warning',
    'failed',
    /^StakewatchValidatorUnknown was changed: its severity is warning instead of critical$/,
    'StakewatchValidatorUnknown',
    /severity: critical/,
    'severity: warning',
  ],
  [
    'an old rule file lacks a rule',
    'failed',
    /^1 rule is not loaded: StakewatchSeriesMissing$/,
    'StakewatchSeriesMissing',
    /- alert: .*\n(?: {8,}.*\n)+/,
    '# There was none.\n',
  ],
  [
    'an old rule file has a rule more',
    'warning',
    /^1 rule is not of this version: StakewatchOld$/,
    'stakewatch-messages',
    /rules:\n/,
    'rules:\n      - alert: StakewatchOld\n        expr: vector(0) > 1\n',
  ],
]

const editRules = (chain: Chain): Promise<void> =>
  chain.load({
    ...chain.healthy(),
    rules: rulesByHand.reduce((text, [, , , of, from, to]) => edited(text, of, from, to), rulesYaml()),
  })

export const prometheusCases: readonly Case[] = [
  filed(
    {
      what: 'the scrape job has another name',
      check: 'prometheus/job',
      level: 'failed',
      found: /scraped as job validators, and the rules are about job stakewatch$/,
      fix: /print the rules with `stakewatch alerts --job=(\S+)`/,
    },
    ({ config }) => (config.scrape_configs[0]!.job_name = 'validators'),
    (files, [, job]) => {
      files.config.scrape_configs[0]!.job_name = 'validators'
      files.rules = rulesYaml({ job: job! })
    },
  ),
  filed(
    {
      what: 'there is no scrape job',
      check: 'prometheus/job',
      level: 'failed',
      found: /^Prometheus has no series of stakewatch$/,
      fix: /add a scrape job stakewatch/,
    },
    ({ config }) => config.scrape_configs.shift(),
  ),
  filed(
    { ...rules, what: 'no rules', found: /has loaded no rule of stakewatch$/, fix: /rule_files/ },
    (files) => (files.rules = '{}'),
  ),
  ...rulesByHand.map(([what, level, found]): Case => ({ ...rules, level, what, found, break: editRules })),
  filed(
    {
      what: 'the rules are loaded twice',
      check: 'prometheus/rules',
      level: 'warning',
      found: /is loaded 2 times$/,
      fix: /remove the other rule file/,
    },
    (files) =>
      (files.rules = `${rulesYaml()}${rulesYaml().slice(rulesYaml().indexOf('\n  - name')).replaceAll('- name: ', '- name: other-')}`),
  ),
  {
    ...inRules(
      {
        what: 'a rule cannot be evaluated',
        check: 'prometheus/evaluation',
        level: 'failed',
        found: /^StakewatchMessagesUnknown cannot be evaluated: .*many-to-many/,
        fix: /series arrive twice: .*or load the rules of this version/,
      },
      'stakewatch-messages',
      /rules:\n/,
      'interval: 1s\n    rules:\n',
    ),
    async break(chain) {
      const text = edited(rulesYaml(), 'stakewatch-messages', /rules:\n/, 'interval: 1s\n    rules:\n')
      const at = text.indexOf('- alert: StakewatchMessagesUnknown')
      const broken =
        text.slice(0, at) +
        text.slice(at).replace(/expr: .*\n(?: {10,}.*\n)*/, 'expr: up * on () up * on () {job="stakewatch"}\n')
      await chain.load({ ...chain.healthy(), rules: broken })
      await isEvaluated(chain.prometheus.url, 0, 'stakewatch-messages')
    },
  },
  {
    ...inRules(
      {
        what: 'rules take longer than their interval',
        check: 'prometheus/evaluation',
        level: 'failed',
        found: /^Prometheus needs longer to evaluate a group than it has: stakewatch-self/,
        fix: /give Prometheus more CPU, or set a longer interval/,
      },
      'stakewatch-self',
      /rules:\n/,
      'interval: 1ms\n    rules:\n',
    ),
    async break(chain) {
      await chain.load({
        ...chain.healthy(),
        rules: edited(rulesYaml(), 'stakewatch-self', /rules:\n/, 'interval: 1ms\n    rules:\n'),
      })
      await isEvaluated(chain.prometheus.url, 0, 'stakewatch-self')
    },
  },
  inRules(
    {
      what: 'a group is evaluated every five minutes',
      check: 'prometheus/evaluation',
      level: 'warning',
      found: /^the group stakewatch-self is evaluated every 5m$/,
      fix: /no longer interval in the group/,
    },
    'stakewatch-self',
    /rules:\n/,
    'interval: 5m\n    rules:\n',
  ),
  filed(
    {
      what: 'no Alertmanager',
      check: 'prometheus/alertmanager',
      level: 'failed',
      found: /^Prometheus has no Alertmanager$/,
      fix: /under alerting: alertmanagers:/,
    },
    ({ config }) => delete config['alerting'],
  ),
  {
    ...filed(
      {
        what: 'the address of Alertmanager has a wrong port',
        check: 'prometheus/deliveries',
        level: 'failed',
        found: /^no alert has reached the Alertmanager at 127\.0\.0\.1:1$/,
        fix: /correct its address under alerting: alertmanagers:/,
      },
      () => {},
    ),
    async break(chain) {
      const files = chain.healthy()
      files.config['alerting'] = { alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:1'] }] }] }
      // Prometheus looks for its Alertmanagers every five seconds. What fires before that is repeated after a minute.
      const late = '\n  - name: late\n    interval: 1s\n    rules: [{ alert: Late, expr: vector(1), for: 6s }]\n'
      await chain.load({ ...files, rules: `${files.rules}${late}` })
      await eventually('Prometheus has tried to send', async () =>
        /notifications_errors_total\{alertmanager="[^"]*:1\/[^"]*"\} [1-9]/.test(await metricsOf(chain)),
      )
    },
  },
  filed(
    {
      what: 'a replica label is in the alerts',
      check: 'prometheus/replica-label',
      level: 'warning',
      found: /^the external label replica is in each alert$/,
      fix: /add to alerting: in prometheus.yml: alert_relabel_configs: \[\{ action: (\w+), regex: (\w+) \}\]/,
    },
    ({ config }) => (config.global['external_labels'] = { replica: 'a' }),
    ({ config }, [, action, regex]) => {
      config.global['external_labels'] = { replica: 'a' }
      Object.assign(config['alerting'] as Yaml, { alert_relabel_configs: [{ action, regex }] })
    },
  ),
  {
    what: 'each instance is scraped twice, with a label of the replica',
    check: 'prometheus/replicas',
    level: 'warning',
    found: /^Prometheus has 2 copies of \S+ \(job stakewatch\), which differ in replica$/,
    fix: /scrape it once/,
    async break(chain) {
      const files = chain.healthy()
      const copy = (replica: string) => ({ targets: [chain.daemon], labels: { replica } })
      files.config.scrape_configs[0]!.static_configs = [copy('a'), copy('b')]
      await chain.load(files)
      await eventually('both have a series, and the one before has ended', async () => {
        const { result } = await asked<{ result: { metric: Yaml }[] }>(
          chain.prometheus.url,
          `query?query=${encodeURIComponent('stakewatch_build_info{job="stakewatch"}')}`,
        )
        return result.length === 2 && result.every(({ metric }) => metric['replica'] !== undefined)
      })
    },
  },
  {
    ...inJob(
      {
        what: 'the scrape interval is 5m',
        check: 'prometheus/interval',
        level: 'failed',
        found: /^the job stakewatch is scraped every 5m$/,
        fix: /set scrape_interval: (\w+) in the job stakewatch/,
      },
      {},
    ),
    break: (chain) => slow(chain, '5m'),
  },
  {
    ...inJob(
      {
        what: 'the scrape interval is 2m',
        check: 'prometheus/interval',
        level: 'warning',
        found: /^the job stakewatch is scraped every 2m$/,
        fix: /set scrape_interval: (\w+) in the job stakewatch/,
      },
      {},
    ),
    break: (chain) => slow(chain, '2m'),
  },
  inJob(
    {
      ...down,
      what: 'a sample limit that scrapes exceed',
      found: /sample limit exceeded/,
      fix: /raise sample_limit of the job stakewatch, or remove it/,
    },
    { sample_limit: 100 },
  ),
  {
    ...inJob(
      {
        what: 'a sample limit that is nearly reached',
        check: 'prometheus/sample-limit',
        level: 'warning',
        found: /^the job stakewatch allows \d+ samples, and \S+ has \d+$/,
        fix: /set sample_limit: (\d+) in the job stakewatch/,
      },
      {},
      (job, [, limit]) => Object.assign(job, { sample_limit: Number(limit) }),
    ),
    async break(chain) {
      const exposed = await (await fetch(`http://${chain.daemon}/metrics`)).text()
      const samples = exposed.split('\n').filter((line) => /^[^#]/.test(line)).length
      const files = chain.healthy()
      Object.assign(files.config.scrape_configs[0]!, { sample_limit: Math.ceil(samples * 1.1) })
      await chain.load(files)
    },
  },
  inJob(
    {
      ...down,
      what: 'a limit on label values',
      found: /label.value.*limit/i,
      fix: /remove label_limit and label_value_length_limit/,
    },
    { label_value_length_limit: 10 },
  ),
  inJob(
    {
      ...down,
      what: 'a limit on the body',
      found: /body size limit/i,
      fix: /raise body_size_limit of the job stakewatch/,
    },
    { body_size_limit: '10KB' },
  ),
  inJob(
    {
      what: 'relabelling drops series',
      check: 'prometheus/series',
      level: 'failed',
      found: /^Prometheus drops \d+ series of /,
      fix: /remove from metric_relabel_configs of the job stakewatch: action drop source_labels \[__name__\] regex stakewatch_upstream_.*$/,
    },
    { metric_relabel_configs: [{ source_labels: ['__name__'], regex: 'stakewatch_upstream_.*', action: 'drop' }] },
  ),
  inJob(
    {
      what: 'relabelling drops a label',
      check: 'prometheus/labels',
      level: 'failed',
      found: /^Prometheus drops the label node_id$/,
      fix: /remove from metric_relabel_configs of the job stakewatch: action labeldrop regex node_id$/,
    },
    { metric_relabel_configs: [{ regex: 'node_id', action: 'labeldrop' }] },
    undefined,
    TWO_SCRAPES,
  ),
  filed(
    {
      what: 'a label of the target hides one of the series',
      check: 'prometheus/labels',
      level: 'failed',
      found: /^a label network of the target replaces the label network of its series$/,
      fix: /rename the label network that the job stakewatch gives/,
    },
    ({ config }, { daemon }) => {
      config.scrape_configs[0]!.static_configs = [{ targets: [daemon], labels: { network: 'office' } }]
    },
    undefined,
    TWO_SCRAPES,
  ),
  filed(
    {
      ...down,
      what: 'the target is down',
      found: /^127\.0\.0\.1:1 is down: .*refused$/,
      fix: /start stakewatch there, or correct the address in the job stakewatch$/,
    },
    ({ config }) => (config.scrape_configs[0]!.static_configs = [{ targets: ['127.0.0.1:1'] }]),
  ),
  filed(
    {
      ...down,
      what: 'the port is that of another program',
      found: /answers, and has no series of stakewatch$/,
      fix: /give the job stakewatch the port of stakewatch/,
    },
    ({ config }, { sender }) => (config.scrape_configs[0]!.static_configs = [{ targets: [sender] }]),
  ),
  inJob(
    {
      ...down,
      what: 'the path of the metrics is wrong',
      found: /404/,
      fix: /correct metrics_path of the job stakewatch/,
    },
    { metrics_path: '/probe' },
  ),
  inJob(
    {
      ...down,
      what: 'the scheme is wrong',
      found: /HTTP response to HTTPS client$/,
      fix: /correct scheme and tls_config of the job stakewatch/,
    },
    { scheme: 'https' },
  ),
  {
    what: 'Prometheus refused its configuration',
    check: 'prometheus/reload',
    level: 'failed',
    found: /^Prometheus refused its changed configuration$/,
    fix: /correct it \(promtool check config\), and reload/,
    async break({ prometheus, healthy }) {
      const { isAccepted } = await prometheus.reload({
        'prometheus.yml': `${textsOf(healthy())['prometheus.yml']}\nscrape: 1`,
      })
      if (isAccepted) throw new Error('Prometheus takes an unknown key')
    },
  },
]

const metricsOf = async ({ prometheus }: Chain) => (await fetch(`${prometheus.url}/metrics`)).text()

/** The first scrape may be minutes away. */
async function slow(chain: Chain, scrape_interval: string): Promise<void> {
  const files = chain.healthy()
  Object.assign(files.config.scrape_configs[0]!, { scrape_interval })
  await chain.prometheus.reload(textsOf(files))
  await eventually('Prometheus has the interval', async () =>
    (await asked<Scraped>(chain.prometheus.url, 'targets')).activeTargets.some(
      (one) => one.scrapeInterval === scrape_interval,
    ),
  )
}

interface Scraped {
  activeTargets: { scrapeInterval: string }[]
}
