// alerts: prints the alert rules with the operator's links and job name.

import { type Command, InvalidArgumentError } from 'commander'
import { JOB } from '../alerts/groups.ts'
import { DASHBOARDS, RUNBOOKS } from '../alerts/links.ts'
import { rulesYaml } from '../alerts/rules.ts'
import type { Io } from './io.ts'

const EXAMPLE = `
Example:
  stakewatch alerts --runbook-base=https://wiki.example.org/stakewatch/ \\
    --dashboard-base=https://grafana.example.org/ > stakewatch.rules.yaml`

interface Given {
  runbookBase: string
  dashboardBase: string
  job: string
}

export function alerts(program: Command, io: Io): void {
  program
    .command('alerts')
    .description('print the alert rules, for Prometheus 2.42 or later')
    .option(
      '--runbook-base <url>',
      'URL of your copy of docs/runbooks for links in alerts; without it, links do not work',
      base,
      RUNBOOKS,
    )
    .option('--dashboard-base <url>', 'URL of your Grafana for links in alerts', base, DASHBOARDS)
    .option('--job <name>', 'job_name under which Prometheus scrapes stakewatch', jobName, JOB)
    .addHelpText('after', EXAMPLE)
    .action(({ runbookBase, dashboardBase, job }: Given) => {
      io.stdout(rulesYaml({ runbooks: runbookBase, dashboards: dashboardBase, job }))
    })
}

/** A plain URL without braces, which Prometheus would read as a template. */
function base(text: string): string {
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === ''
  if (!isPlain) {
    throw new InvalidArgumentError(
      'Expected an http or https URL without a password, a query and a fragment, as in https://wiki.example.org/stakewatch/.',
    )
  }
  return url.href.replace(/\/*$/, '/')
}

/** A job name that is valid between the quotes of an expression. */
function jobName(text: string): string {
  if (text.trim() !== '' && text.isWellFormed() && !/["\\\p{Cc}]/u.test(text)) return text
  throw new InvalidArgumentError(
    'Expected the job_name of a scrape configuration, without quotation marks, backslashes and control characters.',
  )
}
