// The programs around a daemon: a real Prometheus and Alertmanager, whose files a test replaces while they run.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Started, start, temporaryFolder } from './processes.ts'
import { eventually, scrape } from './scrape.ts'

/** The files of a program, by name. */
export type Files = Readonly<Record<string, string>>

export interface Monitor {
  url: string
  /** Replaces files and has them read, whether the program accepts them or not. */
  reload(files: Files): Promise<{ isAccepted: boolean; text: string }>
  end(): Promise<void>
}

/** `prometheus.yml` is its configuration; flags may be added. */
export async function startScraping(files: Files, ...flags: readonly string[]): Promise<Monitor> {
  const run = (folder: string) =>
    start('prometheus', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--web.enable-lifecycle',
      '--scrape.discovery-reload-interval=1s',
      ...flags,
    ])
  // It listens before it answers.
  const isUp = (prometheus: Started) => prometheus.said(/msg="(Server is ready) to receive web requests/)
  return startMonitor(files, run, isUp)
}

/** `alertmanager.yml` is its configuration. */
export async function startSending(files: Files): Promise<Monitor> {
  const run = (folder: string) =>
    start('prometheus-alertmanager', [
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--cluster.listen-address=',
    ])
  return startMonitor(files, run, () => Promise.resolve(''))
}

async function startMonitor(
  files: Files,
  run: (folder: string) => Started,
  isUp: (program: Started) => Promise<string>,
): Promise<Monitor> {
  const folder = await temporaryFolder()
  const write = async (some: Files) => {
    for (const [name, text] of Object.entries(some)) await writeFile(join(folder.path, name), text)
  }
  await write(files)
  const program = run(folder.path)
  async function end(): Promise<void> {
    await program.end()
    await folder.remove()
  }
  try {
    const url = `http://${await program.said(/msg="Listening on" address=(\S+)/)}`
    await isUp(program)
    return {
      url,
      async reload(some) {
        await write(some)
        const answer = await fetch(`${url}/-/reload`, { method: 'POST' })
        return { isAccepted: answer.ok, text: await answer.text() }
      },
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** What Prometheus answers to a path of its API. */
export async function asked<Data>(url: string, path: string): Promise<Data> {
  return (JSON.parse(await scrape(`${url}/api/v1/${path}`)) as { data: Data }).data
}

interface Scraped {
  activeTargets: {
    scrapePool: string
    scrapeUrl: string
    scrapeInterval: string
    labels: Record<string, string>
    lastScrape: string
    lastError: string
  }[]
}

interface Found {
  result: { metric: Record<string, string>; value: [time: number, value: string] }[]
}

/**
 * Waits until Prometheus has exactly these targets, as job, URL, interval and labels, has scraped each since then (milliseconds since the
 * epoch), and has no series of older ones. A scrape that was too slow, on a busy machine, does not count.
 */
export async function isScraped(url: string, targets: readonly string[], since: number): Promise<void> {
  await eventually(`Prometheus has scraped ${targets.join(', ')}`, async () => {
    const { activeTargets } = await asked<Scraped>(url, 'targets?state=active')
    const found = activeTargets.map(({ scrapePool, scrapeUrl, scrapeInterval, labels: { job, instance, ...labels } }) =>
      [scrapePool, scrapeUrl, scrapeInterval, JSON.stringify(labels)].join(' '),
    )
    return (
      found.toSorted().join() === targets.toSorted().join() &&
      activeTargets.every(
        ({ lastScrape, lastError }) => Date.parse(lastScrape) > since && !lastError.includes('deadline exceeded'),
      ) &&
      // Those of a job that is gone end after five minutes.
      (await asked<Found>(url, 'query?query=count by (job, instance) (stakewatch_build_info)')).result.every(
        ({ metric, value: [, count] }) => {
          const ofJob = activeTargets.filter(({ scrapePool }) => scrapePool === metric['job'])
          const targets = ofJob.filter(({ labels }) => labels['instance'] === metric['instance'])
          return ofJob.length === 0 || targets.length >= Number(count)
        },
      )
    )
  })
}

interface Evaluated {
  groups: { name: string; rules: { lastEvaluation: string }[] }[]
}

/** Waits until Prometheus has scraped every target, and evaluated this group or all, since then (milliseconds since the epoch). */
export async function isEvaluated(url: string, since: number, only?: string): Promise<void> {
  await eventually('Prometheus has evaluated the rules', async () => {
    const { activeTargets } = await asked<Scraped>(url, 'targets?state=active')
    const isScraped = activeTargets.every(({ lastScrape }) => Date.parse(lastScrape) > since)
    if (activeTargets.length === 0 || !isScraped) return false
    const { groups } = await asked<Evaluated>(url, 'rules')
    return groups
      .filter(({ name }) => only === undefined || name === only)
      .every(({ rules }) => rules.every(({ lastEvaluation }) => Date.parse(lastEvaluation) > since))
  })
}
