// Runs that are paid for: how often they run, where an upstream allows less than they need.

import { expect, test } from 'vitest'
import { type Accounts, withBudget } from '../../src/budget/accounts.ts'
import type { Task } from '../../src/scheduler/plan.ts'

test('a run and one that is skipped both say the interval that the upstream allows', async () => {
  const said: [string, number][] = []
  const runner = {
    run: async ({ settings }: Task) => void said.push(['run', settings.every]),
    skip: ({ settings }: Task) => void said.push(['skip', settings.every]),
    result: () => 'success' as const,
  }
  const accounts = {
    begin: async () => ({}),
    end: () => {},
    stretched: (task: Task) => ({ ...task, settings: { ...task.settings, every: 3 * task.settings.every } }),
  } as unknown as Accounts
  const { run, skip } = withBudget(runner, accounts)
  const task = { settings: { every: 60_000 } } as Task
  await run(task, new AbortController().signal)
  skip(task)
  expect(said).toEqual([
    ['run', 180_000],
    ['skip', 180_000],
  ])
})

test('a run that waits says the interval at which its next one was planned, when it began to wait', async () => {
  const said: number[] = []
  let by = 16
  const runner = {
    run: async ({ settings }: Task) => void said.push(settings.every),
    skip: () => {},
    result: () => 'success' as const,
  }
  const accounts = {
    begin: async () => {
      by = 2
      return {}
    },
    end: () => {},
    stretched: (task: Task) => ({ ...task, settings: { ...task.settings, every: by * task.settings.every } }),
  } as unknown as Accounts
  await withBudget(runner, accounts).run({ settings: { every: 60_000 } } as Task, new AbortController().signal)
  expect(said).toEqual([16 * 60_000])
})
