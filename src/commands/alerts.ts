// alerts: prints the alert rules with the operator's links and job name. And flags about alerts: --job and --limit.

import { type Command, InvalidArgumentError } from 'commander'
import { DASHBOARDS, RUNBOOKS } from '../alerts/links.ts'
import { rulesYaml } from '../alerts/rules.ts'
import { limitsOf } from '../alerts/limit.ts'
import { waitsOf } from '../config/alerting.ts'
import { readUrl } from '../lib/url.ts'
import { readConfig } from './config.ts'
import type { Io } from './io.ts'
import { JOB } from '../alerts/groups.ts'
import { isLimit, type Limits, readLimit } from '../alerts/limit.ts'
import { thresholds } from '../alerts/thresholds.ts'
import { noSuch } from './flag-values.ts'

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

/** What to do about rules of another version. */
export const RELOAD = 'print the rules with `stakewatch alerts`, replace the rule file and reload Prometheus'

export function jobFlag(command: Command): Command {
  return command.option('--job <name>', 'job_name under which Prometheus scrapes stakewatch', jobName, JOB)
}

/** A job name that is valid between the quotes of an expression. */
function jobName(text: string): string {
  if (text.trim() !== '' && text.isWellFormed() && !/["\\\p{Cc}]/u.test(text)) return text
  throw new InvalidArgumentError(
    'Expected the job_name of a scrape configuration, without quotation marks, backslashes and control characters.',
  )
}

export function limitFlag(command: Command, about: string): Command {
  return command.option('--limit <name=value>', `${about}, repeatable; docs/alerting.md lists them`, limitOf)
}

/** Adds `NAME=VALUE`: a number, or a duration for a limit that is a time. */
function limitOf(text: string, before: Limits = {}): Limits {
  const [name = '', value = ''] = text.split(/=(.*)/s)
  if (!isLimit(name)) throw noSuch('limit', name, Object.keys(thresholds))
  const limit = readLimit(name, value)
  if (typeof limit === 'object') throw new InvalidArgumentError(`Expected ${limit.expected}.`)
  return { ...before, [name]: limit }
}
