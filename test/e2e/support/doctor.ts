// A chain with nothing wrong for tests of doctor: a daemon, Prometheus, Alertmanager and whom it notifies. Cases break it.

import { parse, stringify } from 'yaml'
import { rulesYaml } from '../../../src/alerts/rules.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { inPackage, runCommand } from '../../support/command.ts'
import { startSink } from '../../support/sink.ts'
import { exampleText } from './alertmanager.ts'
import { type Grafana, startGrafana } from './grafana.ts'
import { isScraped, type Monitor, startScraping, startSending } from './monitoring.ts'
import { stakewatch } from './processes.ts'
import { eventually } from './scrape.ts'

export interface Finding {
  check: string
  level: string
  found: string
  why: string
  fix?: string
}

/** The exit code, and every finding that is more than a note. */
export async function doctor(...flags: readonly string[]): Promise<{ code: number; findings: Finding[] }> {
  const { code, stdout, stderr } = await runDoctor('--json', ...flags)
  if (stdout === '') throw new Error(stderr)
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return { code, findings: findings.filter(({ level }) => level !== 'ok' && level !== 'note') }
}

const runDoctor = (...flags: readonly string[]) =>
  runCommand(['doctor', ...flags], { ...inPackage, version: packageFile.version })

/** An object of the configuration of Prometheus or Alertmanager, without types of ours: that is what doctor has to read. */
export type Yaml = Record<string, unknown>

export interface PrometheusFiles {
  config: {
    global: Yaml
    scrape_configs: (Yaml & {
      job_name: string
      static_configs: { targets: string[]; labels?: Record<string, string> }[]
    })[]
  } & Yaml
  rules: string
}

/** What answers Alertmanager: each kind of message, and what is said to it. */
interface Receivers {
  /** host:port */
  address: string
  /** HTTP status by path. */
  statuses: Map<string, number>
  end(): Promise<void>
}

/** Also a proxy: the dead man's switch is a service outside. */
async function startReceivers(): Promise<Receivers> {
  const statuses = new Map<string, number>()
  const { url, end } = await startSink((request, _, response) => {
    response
      .writeHead(statuses.get(request.url ?? '') ?? 200, { 'content-type': 'application/json' })
      .end('{"ok":true}')
  })
  return { address: hostOf(url), statuses, end }
}

export interface AlertmanagerFile extends Yaml {
  route: Route
  receivers: (Yaml & { name: string })[]
  inhibit_rules: Yaml[]
}

export interface Route extends Yaml {
  receiver: string
  matchers?: string[]
  routes?: Route[]
}

/** The example as an operator fills it in: its pager is PagerDuty, and a real integration sends to `receivers`. */
function alertmanagerFile({ address }: Receivers): AlertmanagerFile {
  const { route, inhibit_rules, global } = parse(exampleText, { merge: true }) as AlertmanagerFile
  return {
    global,
    route,
    inhibit_rules,
    receivers: [
      { name: 'pager', pagerduty_configs: [{ routing_key: 'key', url: `http://${address}/pagerduty` }] },
      { name: 'team', slack_configs: [{ api_url: `http://${address}/slack`, channel: '#stakewatch' }] },
      {
        name: 'dead-mans-switch',
        webhook_configs: [
          {
            url: 'http://hc-ping.com/3ee0c8d8-5b9b-4b0c-9d2f-0f6d7f3f9a10',
            send_resolved: false,
            http_config: { proxy_url: `http://${address}` },
          },
        ],
      },
      { name: 'dashboard-only' },
    ],
  }
}

export interface Chain {
  /** host:port */
  daemon: string
  prometheus: Monitor
  /**
   * A replica of Prometheus that no case changes: while another one is reloaded again and again, it sends the watchdog. Some of
   * its flags are wrong.
   */
  replica: Monitor
  alertmanager: Monitor
  receivers: Receivers
  grafana: Grafana
  /** A Prometheus of something else. */
  empty: Monitor
  /** host:port of Alertmanager. */
  sender: string
  /** With nothing wrong. */
  healthy(): PrometheusFiles
  healthySender(): AlertmanagerFile
  /** Loads both, and waits until each target was scraped for some time (milliseconds). */
  load(files: PrometheusFiles, time?: number): Promise<void>
  loadSender(file: AlertmanagerFile): Promise<void>
  end(): Promise<void>
}

const hostOf = (url: string) => new URL(url).host

export async function startChain(): Promise<Chain> {
  const endings: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (const one of endings.toReversed()) await one()
  }
  try {
    const running = stakewatch('demo', '--web.listen-address=127.0.0.1:0')
    endings.push(running.end)
    const receivers = await startReceivers()
    endings.push(receivers.end)
    const healthySender = () => alertmanagerFile(receivers)
    const alertmanager = await startSending({ 'alertmanager.yml': stringify(healthySender()) })
    endings.push(alertmanager.end)
    const daemon = await running.said(/msg=listening address=(\S+)/)
    await eventually('the daemon is ready', async () => (await fetch(`http://${daemon}/-/ready`)).ok)
    const sender = hostOf(alertmanager.url)
    const healthy = (): PrometheusFiles => ({
      config: {
        // The rules take seconds on a busy machine.
        global: { scrape_interval: '1s', evaluation_interval: '1m' },
        rule_files: ['rules.yml'],
        alerting: { alertmanagers: [{ static_configs: [{ targets: [sender] }] }] },
        scrape_configs: [
          { job_name: 'stakewatch', static_configs: [{ targets: [daemon] }] },
          { job_name: 'alertmanager', static_configs: [{ targets: [sender] }] },
        ],
      },
      rules: rulesYaml(),
    })
    const prometheus = await startScraping(textsOf(healthy()), '--rules.alert.for-grace-period=1m')
    endings.push(prometheus.end)
    const replica = await startScraping(
      textsOf({ ...healthy(), rules: rulesYaml().replace(/(- name: stakewatch-self\n)/, '$1    interval: 5s\n') }),
      '--storage.tsdb.retention.time=10m',
      '--rules.alert.resend-delay=1s',
    )
    endings.push(replica.end)
    const grafana = await startGrafana(prometheus.url)
    endings.push(grafana.end)
    const empty = await startScraping({ 'prometheus.yml': '{}' })
    endings.push(empty.end)
    await isScraped(prometheus.url, targetsOf(healthy()), 0)
    await eventually('the watchdog has arrived', async () =>
      (await alertsAt(alertmanager)).includes('StakewatchWatchdog'),
    )
    return {
      daemon,
      prometheus,
      replica,
      alertmanager,
      receivers,
      grafana,
      empty,
      sender,
      healthy,
      healthySender,
      async load(files, time = 0) {
        const { isAccepted, text } = await prometheus.reload(textsOf(files))
        if (!isAccepted) throw new Error(`Prometheus refuses the configuration: ${text}`)
        await isScraped(prometheus.url, targetsOf(files), Date.now() + time)
      },
      async loadSender(file) {
        const { isAccepted, text } = await alertmanager.reload({ 'alertmanager.yml': stringify(file) })
        if (!isAccepted) throw new Error(`Alertmanager refuses the configuration: ${text}`)
      },
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

export async function alertsAt({ url }: Monitor): Promise<string[]> {
  const alerts = (await (await fetch(`${url}/api/v2/alerts`)).json()) as { labels: Record<string, string> }[]
  return alerts.map(({ labels }) => labels['alertname'] ?? '')
}

export const textsOf = ({ config, rules }: PrometheusFiles) => ({
  'prometheus.yml': stringify(config),
  'rules.yml': rules,
})

/** As `isScraped` names them. */
const targetsOf = ({ config }: PrometheusFiles) =>
  config.scrape_configs.flatMap(({ job_name, static_configs, ...job }) =>
    static_configs.flatMap(({ targets, labels = {} }) =>
      targets.map((target) => {
        const { scheme = 'http', metrics_path = '/metrics' } = job as Record<string, string | undefined>
        const url = `${scheme}://${target}${metrics_path}`
        return [job_name, url, '1s', JSON.stringify(labels)].join(' ')
      }),
    ),
  )
