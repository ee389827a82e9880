import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { edits, notesOf, releaseOf } from '../../tools/release/prepare.ts'

const release = { version: '1.2.3', repository: 'Example/stakewatch' }
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const edited = (path: string) => edits[path]!(read(path), release)

test.each([
  ['v1.2.3', 'example/stakewatch', { version: '1.2.3', repository: 'example/stakewatch' }],
  ['v1.2.3-rc.1', 'a/b', { version: '1.2.3-rc.1', repository: 'a/b' }],
])('the tag %s of %s is a release', (tag, repository, expected) => {
  expect(releaseOf(tag, repository)).toEqual(expected)
})

test.each([
  ['1.2.3', 'a/b', /--tag=1\.2\.3: expected a version such as v0\.2\.0/],
  [undefined, 'a/b', /--tag=: expected/],
  ['v1.2', 'a/b', /--tag=v1\.2: expected/],
  ['v1.2.3', 'stakewatch', /--repository=stakewatch: expected owner and name/],
])('the tag %s of %s is none', (tag, repository, error) => {
  expect(() => releaseOf(tag, repository)).toThrow(error)
})

const changelog = `# Changelog

## Unreleased

- [FEATURE] next: text

## 1.2.3 / 2026-12-01

- [FEATURE] this: text

## 1.2.2 / 2026-11-01

- [BUGFIX] before: text
`

test('the notes of a release are its section of the changelog', () => {
  expect(notesOf(changelog, '1.2.3')).toBe('- [FEATURE] this: text')
})

test('a version without a section is refused, and says where to write it', () => {
  expect(() => notesOf(changelog, '1.2.4')).toThrow(/no section "## 1\.2\.4 \/ <date>": CONTRIBUTING\.md/)
})

test('the package has the version of the tag and links to the repository', () => {
  expect(JSON.parse(edited('package.json'))).toMatchObject({
    name: 'stakewatch',
    version: '1.2.3',
    repository: { type: 'git', url: 'git+https://github.com/Example/stakewatch.git' },
    homepage: 'https://github.com/Example/stakewatch#readme',
    bugs: 'https://github.com/Example/stakewatch/issues',
  })
})

test('the chart has the version of the tag, and its image is that of the repository', () => {
  const chart = edited('deploy/helm/stakewatch/Chart.yaml')
  expect(chart).toMatch(/^version: 1\.2\.3$/m)
  expect(chart).toMatch(/^appVersion: 1\.2\.3$/m)
  expect(chart).toMatch(/^home: https:\/\/github\.com\/Example\/stakewatch$/m)
  const values = edited('deploy/helm/stakewatch/values.yaml')
  expect(values).toMatch(/^ {2}registry: ghcr\.io$/m)
  expect(values).toMatch(/^ {2}repository: example\/stakewatch$/m)
})

test('a file that has lost the line to change is refused', () => {
  expect(() => edits['deploy/helm/stakewatch/Chart.yaml']!('name: x\n', release)).toThrow(/needs a line like \^version/)
})
