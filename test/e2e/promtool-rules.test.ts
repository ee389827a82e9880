// The alert rules under promtool: their form, and the tests in alerts/tests.

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from './support/processes.ts'

const alerts = new URL('../../alerts/', import.meta.url)
const promtool = (...args: readonly string[]) => execFileSync('promtool', args, { cwd: alerts, encoding: 'utf8' })
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

test.each(readdirSync(new URL('tests/', alerts)))('the tests in %s hold', (file) => {
  expect(promtool('test', 'rules', `tests/${file}`)).toContain('SUCCESS')
})
