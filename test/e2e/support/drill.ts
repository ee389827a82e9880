// A whole chain for drills: daemons, a real Prometheus and a real Alertmanager with a webhook in place of the pager.

import { execFile, type ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rulesYaml } from '../../../src/alerts/rules.ts'
import { startSink } from '../../support/sink.ts'
import type { Notification } from './alertmanager.ts'
import { type Files, isEvaluated, isScraped, type Monitor, startScraping, startSending } from './monitoring.ts'
import { stakewatch, temporaryFolder } from './processes.ts'
import { program } from './release.ts'
import { eventually, scrape } from './scrape.ts'
import { startSmallNetwork } from './small-network.ts'

/** Seconds. */
export const INTERVALS = { scrape: 2, evaluation: 2, groupWait: 1 }

type Page = Notification['alerts'][number] & { at: number }

/** Ended in reverse. */
type Endings = (() => Promise<unknown>)[]

/** The program, how it ended, and what it printed. */
export function run(...args: readonly string[]) {
  let child: ChildProcess
  const seen = { stdout: '' }
  const ended = new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    child = execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdout!.on('data', (text: string) => (seen.stdout += text))
  })
  return { ended, stdout: () => seen.stdout, signal: (name: NodeJS.Signals) => void child.kill(name) }
}

export async function startChain(endings: Endings) {
  const folder = await temporaryFolder()
  endings.push(folder.remove)
  const write = async (name: string, text: string) => {
    await writeFile(join(folder.path, name), text)
    return join(folder.path, name)
  }
  const daemon = await daemonsOn(write, endings)
  // In the same second, as replicas often do.
  const [first, second] = await Promise.all([daemon('--web.enable-lifecycle'), daemon('--web.enable-lifecycle')])
  const { pages, sink } = await startPager(endings)
  const sending = await startSending({ 'alertmanager.yml': alertmanagerYaml(sink) })
  endings.push(sending.end)
  const manager = sending.url
  const healthy: Files = {
    'prometheus.yml': prometheusYaml([first, second], manager),
    'rules.yml': rulesYaml(),
  }
  const monitoring = await startScraping(healthy, '--rules.alert.resend-delay=1s')
  endings.push(monitoring.end)
  /** After a reload it takes Prometheus some seconds until it knows its Alertmanager. */
  async function isConnected(files: Files, since: number) {
    const hosts = [first, second].map((one) => new URL(one).host)
    const scraped = hosts.filter((host) => files['prometheus.yml']!.includes(host))
    await isScraped(
      monitoring.url,
      scraped.map((host) => `validators http://${host}/metrics ${INTERVALS.scrape}s {}`),
      since,
    )
    await isEvaluated(monitoring.url, since, 'stakewatch-self')
    const [, host] = /alertmanagers: .*\['(.+?)'\]/.exec(files['prometheus.yml']!) ?? []
    await eventually('Prometheus knows its Alertmanager', async () => {
      const text = await scrape(`${monitoring.url}/api/v1/alertmanagers`)
      return host === undefined ? !text.includes('"url"') : text.includes(host)
    })
  }
  await isConnected(healthy, 0)
  return {
    daemon,
    first,
    second,
    sink,
    pages,
    manager,
    prometheus: monitoring.url,
    /** The healthy files with these in their place. */
    async load(files: Files) {
      const all = { ...healthy, ...files }
      const since = Date.now()
      await reload(monitoring, all)
      await isConnected(all, since)
    },
    configureAlertmanager: (yaml: string) => reload(sending, { 'alertmanager.yml': yaml }),
  }
}

async function reload(program: Monitor, files: Files): Promise<void> {
  const { isAccepted, text } = await program.reload(files)
  if (!isAccepted) throw new Error(text)
}

/** Daemons that watch the same simulated network. */
async function daemonsOn(write: (name: string, text: string) => Promise<string>, endings: Endings) {
  const simulator = await startSmallNetwork(endings)
  const [node] = simulator.nodes
  const file = await write(
    'stakewatch.yml',
    `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "${node!.url}", node_id: ${node!.nodeId} }]
    validators: [{ node_id: ${node!.nodeId}, name: val-1 }]
`,
  )
  return async (...flags: readonly string[]) => {
    const running = stakewatch(`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', ...flags)
    endings.push(running.end)
    return `http://${await running.said(/msg=listening address=(\S+)/)}`
  }
}

/** Takes what is posted to /page, and answers 500 to /fail. */
async function startPager(endings: Endings) {
  const pages: Page[] = []
  const { url, end } = await startSink(({ url: path }, body, response) => {
    const at = Date.now()
    if (path === '/page') for (const alert of (JSON.parse(body) as Notification).alerts) pages.push({ ...alert, at })
    response.writeHead(path === '/page' ? 200 : 500).end()
  })
  endings.push(end)
  return { pages, sink: url }
}

export const alertmanagerYaml = (sink: string, path = '/page', more = '') => `
route:
  receiver: no-one
  group_by: [alertname]
  group_wait: ${INTERVALS.groupWait}s
  group_interval: 1s
  repeat_interval: 1h
  routes: [{ receiver: pager, matchers: [severity = critical] }]
receivers: [{ name: no-one }, { name: pager, webhook_configs: [{ url: '${sink}${path}' }] }]
${more}`

/** Two replicas, in a job that has another name than that in the rules. */
export const prometheusYaml = (daemons: readonly string[], manager: string | undefined, more = '') => `
global: { scrape_interval: ${INTERVALS.scrape}s, evaluation_interval: ${INTERVALS.evaluation}s }
rule_files: [rules.yml]
${manager === undefined ? '' : `alerting: { alertmanagers: [{ static_configs: [{ targets: ['${new URL(manager).host}'] }] }] }`}
scrape_configs:
  - job_name: validators
    static_configs: [{ targets: [${daemons.map((url) => `'${new URL(url).host}'`).join(', ')}] }]
    ${more}
`
