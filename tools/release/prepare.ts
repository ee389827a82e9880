// Writes the version of a tag and the name of the repository into the package and the chart, and the notes of that version
// out of the changelog. Nothing else in the checkout names the repository.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

export interface Release {
  /** Such as 0.2.0. */
  version: string
  /** Owner and name, such as example/stakewatch. */
  repository: string
}

/** Throws what is wrong with them. */
export function releaseOf(tag = '', repository = ''): Release {
  const [, version] = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag) ?? []
  if (version === undefined) throw new Error(`--tag=${tag}: expected a version such as v0.2.0`)
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new Error(`--repository=${repository}: expected owner and name, such as example/stakewatch`)
  }
  return { version, repository }
}

/** The section of this version. Throws if there is none. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m).slice(1)
  const section = sections.find((one) => one.startsWith(`## ${version} / `))
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no section "## ${version} / <date>": CONTRIBUTING.md says how to write it`)
  }
  return section.slice(section.indexOf('\n')).trim()
}

/** What becomes of each file, by its path. */
export const edits: Readonly<Record<string, (text: string, release: Release) => string>> = {
  'package.json': (text, { version, repository }) => {
    const page = `https://github.com/${repository}`
    const { name, ...rest } = JSON.parse(text) as Record<string, unknown>
    const links = {
      repository: { type: 'git', url: `git+${page}.git` },
      homepage: `${page}#readme`,
      bugs: `${page}/issues`,
    }
    return `${JSON.stringify({ name, ...rest, version, ...links }, undefined, 2)}\n`
  },
  'deploy/helm/stakewatch/Chart.yaml': (text, { version, repository }) =>
    `${replaced(text, [
      [/^version: .*$/m, `version: ${version}`],
      [/^appVersion: .*$/m, `appVersion: ${version}`],
    ])}home: https://github.com/${repository}\nsources: [https://github.com/${repository}]\n`,
  'deploy/helm/stakewatch/values.yaml': (text, { repository }) =>
    replaced(text, [
      [/^ {2}registry: ''$/m, '  registry: ghcr.io'],
      // Registries know no capital letters.
      [/^ {2}repository: stakewatch$/m, `  repository: ${repository.toLowerCase()}`],
    ]),
}

function replaced(text: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((before, [from, to]) => {
    if (!from.test(before)) throw new Error(`a release needs a line like ${from.source}`)
    return before.replace(from, to)
  }, text)
}

if (import.meta.main) {
  const options = { tag: { type: 'string' }, repository: { type: 'string' }, notes: { type: 'string' } } as const
  const { tag, repository, notes = 'notes.md' } = parseArgs({ options }).values
  const release = releaseOf(tag, repository)
  const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url))
  writeFileSync(notes, `${notesOf(readFileSync(pathOf('CHANGELOG.md'), 'utf8'), release.version)}\n`)
  for (const [file, edit] of Object.entries(edits)) {
    writeFileSync(pathOf(file), edit(readFileSync(pathOf(file), 'utf8'), release))
  }
}
