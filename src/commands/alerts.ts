// alerts: prints the alert rules with the operator's links and job name.

import { type Command, InvalidArgumentError } from 'commander'
import { DASHBOARDS, RUNBOOKS } from '../alerts/links.ts'
import { rulesYaml } from '../alerts/rules.ts'
import { limitsOf, waitsOf } from '../config/alerting.ts'
import { readUrl } from '../lib/url.ts'
import { readConfig } from './config.ts'
import { jobFlag } from './alert-flags.ts'
import type { Io } from './io.ts'

const EXAMPLE = `
Example:
  stakewatch alerts --runbook-base=https://wiki.example.org/stakewatch/ \\
    --dashboard-base=https://grafana.example.org/ > stakewatch.rules.yaml`

interface Given {
  runbookBase: string
  dashboardBase: string
  job: string
  'config.file'?: string
}

export function alerts(program: Command, io: Io): void {
  const command = program
    .command('alerts')
    .description('print the alert rules, for Prometheus 2.42 or later')
    .option(
      '--runbook-base <url>',
      'URL of your copy of docs/runbooks, or https://HOST:19650/runbooks/ of the daemon, for links in alerts; without it, links do not work',
      base,
      RUNBOOKS,
    )
    .option('--dashboard-base <url>', 'URL of your Grafana for links in alerts', base, DASHBOARDS)
  jobFlag(command)
    .option('--config.file <file>', 'take limits and waiting times from this configuration of stakewatch')
    .addHelpText('after', EXAMPLE)
    .action(({ runbookBase, dashboardBase, job, 'config.file': file }: Given) => {
      const config = file === undefined ? { limits: {}, alerts: {} } : readConfig(file, io)
      const own = { limits: limitsOf(config), waits: waitsOf(config) }
      io.stdout(rulesYaml({ runbooks: runbookBase, dashboards: dashboardBase, job, ...own }))
    })
}

/** A plain URL without braces, which Prometheus would read as a template. */
function base(text: string): string {
  // Folders of a wiki may have blanks.
  const url = readUrl(text.replaceAll(' ', '%20'))
  const isPlain = url && url.username + url.password + url.search + url.hash === ''
  if (!isPlain) {
    throw new InvalidArgumentError(
      'Expected an http or https URL without a password, a query and a fragment, as in https://wiki.example.org/stakewatch/; an @ in its path is %40.',
    )
  }
  return url.href.replace(/\/*$/, '/')
}
