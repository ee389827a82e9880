// alerts: the alert rules, with the links and the job name of whoever runs them.

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
      'where you publish docs/runbooks, which alerts link to; unless you give it, links lead nowhere',
      base,
      RUNBOOKS,
    )
    .option('--dashboard-base <url>', 'address of your Grafana, which alerts link to', base, DASHBOARDS)
    .option('--job <name>', 'job_name under which Prometheus scrapes stakewatch', jobName, JOB)
    .addHelpText('after', EXAMPLE)
    .action(({ runbookBase, dashboardBase, job }: Given) => {
      io.stdout(rulesYaml({ runbooks: runbookBase, dashboards: dashboardBase, job }))
    })
}

/** As an address that a page can follow, so without braces: Prometheus would read them as a template. */
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

/** As it can stand between the quotes of an expression. */
function jobName(text: string): string {
  if (text.trim() !== '' && text.isWellFormed() && !/["\\\p{Cc}]/u.test(text)) return text
  throw new InvalidArgumentError(
    'Expected the job_name of a scrape configuration, without quotation marks, backslashes and control characters.',
  )
}
