// The alert rules under promtool: their form, and the tests in alerts/tests.

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const alerts = new URL('../../alerts/', import.meta.url)
const promtool = (...args: readonly string[]) => execFileSync('promtool', args, { cwd: alerts, encoding: 'utf8' })

test('promtool finds nothing wrong with the rules', () => {
  expect(promtool('check', 'rules', '--lint=all', '--lint-fatal', 'stakewatch.rules.yaml')).toContain('SUCCESS')
})

test.each(readdirSync(new URL('tests/', alerts)))('the tests in %s hold', (file) => {
  expect(promtool('test', 'rules', `tests/${file}`)).toContain('SUCCESS')
})
