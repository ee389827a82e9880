// A real Prometheus that scrapes every second, and evaluates rules as often.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDuration } from '../../../src/lib/duration.ts'
import { start, temporaryFolder } from './processes.ts'

export interface Prometheus {
  url: string
  /** Series of an instant query, now or at a time in seconds. */
  query(expression: string, time?: number): Promise<{ labels: Record<string, string>; value: number }[]>
  end(): Promise<void>
}

/** The rules with `for` and `keep_firing_for` divided by a factor: a test cannot wait for minutes. */
export function hastened(rules: string, haste: number): string {
  return rules.replace(
    /\b(for|keep_firing_for): (\w+)$/gm,
    (_, key: string, time: string) => `${key}: ${Math.round(parseDuration(time)! / haste)}ms`,
  )
}

/** The targets of each job, as host and port. */
type Jobs = Readonly<Record<string, readonly string[]>>

/** It scrapes one URL as the job stakewatch, or several jobs. `data` is a folder with blocks to begin with, however old. */
export async function startPrometheus(
  scraped: string | Jobs,
  rules: string = '{}',
  data?: string,
): Promise<Prometheus> {
  const url = typeof scraped === 'string' ? new URL(scraped) : undefined
  const jobs = Object.entries(url ? { stakewatch: [url.host] } : (scraped as Jobs))
  const targets = jobs.map(
    ([job, hosts]) =>
      `  - { job_name: ${job}, metrics_path: ${url?.pathname ?? '/metrics'}, static_configs: [{ targets: ${JSON.stringify(hosts)} }] }`,
  )
  const folder = await temporaryFolder()
  const file = join(folder.path, 'prometheus.yml')
  await writeFile(
    file,
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
${targets.join('\n')}
`,
  )
  await writeFile(join(folder.path, 'rules.yml'), rules)
  const prometheus = start('prometheus', [
    `--config.file=${file}`,
    `--storage.tsdb.path=${data ?? join(folder.path, 'data')}`,
    '--storage.tsdb.retention.time=10y',
    '--web.listen-address=127.0.0.1:0',
    '--scrape.discovery-reload-interval=1s',
  ])
  async function end(): Promise<void> {
    await prometheus.end()
    await folder.remove()
  }
  try {
    const address = await prometheus.said(/msg="Listening on" address=(\S+)/)
    // It listens before it answers.
    await prometheus.said(/msg="(Server is ready) to receive web requests/)
    return {
      url: `http://${address}`,
      async query(expression, time) {
        const body = new URLSearchParams({ query: expression, ...(time !== undefined && { time: String(time) }) })
        const answer = await fetch(`http://${address}/api/v1/query`, { method: 'POST', body })
        const { data, error } = (await answer.json()) as {
          error?: string
          data?: { result: { metric: Record<string, string>; value: [number, string] }[] }
        }
        if (data === undefined) throw new Error(`${expression}: ${error}`)
        return data.result.map(({ metric, value }) => ({
          labels: metric,
          value: Number(value[1].replace('Inf', 'Infinity')),
        }))
      },
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}
