// The alert rules under promtool: their form, and the tests in alerts/tests.

import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { onlyAlerts } from '../../tools/alerts.ts'
import { type RuleTest, testsIn, verdictSeries } from '../alerts/play.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from './support/processes.ts'

const alerts = new URL('../../alerts/', import.meta.url)
/** Collecting garbage less often saves a seventh of its time. */
const options = { cwd: alerts, encoding: 'utf8', env: { ...process.env, GOGC: '400' } } as const
const promtool = (...args: readonly string[]) => execFileSync('promtool', args, options)
const check = (file: string) => promtool('check', 'rules', '--lint=all', '--lint-fatal', file)

test('promtool finds nothing wrong with the rules', () => {
  expect(check('stakewatch.rules.yaml')).toContain('SUCCESS')
})

test.each([
  ['stakewatch-mainnet', 'https://wiki.example.org/stakewatch'],
  ["the nodes' exporter: réseau {{ 1 }} # $1", "http://[::1]:8080/on call/{{ $labels.job }}/%7B/'/"],
])('nor with those that stakewatch alerts prints for job %j and runbooks at %s', async (job, base) => {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const { stdout } = await runCommand(['alerts', `--runbook-base=${base}`, `--job=${job}`])
  const file = join(folder.path, 'stakewatch.rules.yaml')
  await writeFile(file, stdout)
  expect(check(file)).toContain('SUCCESS')
})

/**
 * The rules of the alerts that a test names, and the recording rule: promtool evaluates a whole file minute by minute, and most of
 * the time would go into rules that no test looks at. A test that names none gets all.
 */
function rulesFor(test: string): string {
  const named = new Set(test.match(/\bStakewatch\w+/g))
  return named.size === 0 ? rules : onlyAlerts(rules, named)
}

/** The tests with what the daemon judges of their series. What is recorded comes first, as alerts read it. */
function withVerdicts(text: string, tests: readonly RuleTest[]): string {
  // Without types, numbers stay as they are written.
  const document = parseDocument(text, { schema: 'failsafe' })
  document.set('group_eval_order', document.createNode(groups))
  for (const [at, test] of tests.entries()) {
    for (const series of verdictSeries(test, rules + text))
      document.addIn(['tests', at, 'input_series'], document.createNode(series))
  }
  return document.toString({ lineWidth: 0 })
}

const rules = readFileSync(new URL('stakewatch.rules.yaml', alerts), 'utf8')
const groups = (parse(rules) as { groups: { name: string }[] }).groups.map(({ name }) => name)

test('the tests of the rules hold', async () => {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const files = readdirSync(new URL('tests/', alerts))
  // Each with rules of its own; all in one process, as each start costs a tenth of a second.
  for (const file of files) {
    const text = readFileSync(new URL(`tests/${file}`, alerts), 'utf8')
    await mkdir(join(folder.path, file, 'tests'), { recursive: true })
    await writeFile(join(folder.path, file, 'stakewatch.rules.yaml'), rulesFor(text))
    await writeFile(join(folder.path, file, 'tests', file), withVerdicts(text, testsIn(file).tests))
  }
  const copies = files.map((file) => join(folder.path, file, 'tests', file))
  const run = promisify(execFile)('promtool', ['test', 'rules', ...copies], options)
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error)
  expect(stderr).toBe('')
  expect(stdout.match(/SUCCESS/g)).toHaveLength(files.length)
})
