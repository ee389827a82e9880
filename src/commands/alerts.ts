// alerts: the alert rules, with the links and the job name of whoever runs them.

import { type Command, InvalidArgumentError } from 'commander'
import { JOB } from '../alerts/groups.ts'
import { RUNBOOKS, rulesYaml } from '../alerts/rules.ts'
import type { Io } from './io.ts'

const EXAMPLE = `
Example:
  stakewatch alerts --runbook-base=https://wiki.example.org/stakewatch/ > stakewatch.rules.yaml`

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
    .option('--job <name>', 'job_name under which Prometheus scrapes stakewatch', jobName, JOB)
    .addHelpText('after', EXAMPLE)
    .action(({ runbookBase, job }: { runbookBase: string; job: string }) => {
      io.stdout(rulesYaml({ runbooks: runbookBase, job }))
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
