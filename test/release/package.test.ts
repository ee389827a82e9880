// What npm packs: every document of the package, and every file that one of them links to.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'], { cwd: root, encoding: 'utf8' }),
) as [{ files: { path: string }[] }]
const paths = packed.files.map(({ path }) => path)

/** Relative links of a page, as paths of the package. */
function linksOf(page: string): string[] {
  const text = readFileSync(`${root}${page}`, 'utf8')
  const links = Array.from(text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g), ([, link = '']) => link)
  return links.filter((link) => !/^\w+:/.test(link)).map((link) => posix.join(posix.dirname(page), link))
}

const pages = paths.filter((path) => path.endsWith('.md'))

test('the package holds the documents that operators and contributors need', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/install.md']))
  expect(linksOf('README.md').length).toBeGreaterThan(10)
})

test.each(pages)('%s links to files of the package only', (page) => {
  const isPacked = (link: string) => paths.some((path) => path === link || path.startsWith(`${link}/`))
  expect(linksOf(page).filter((link) => !isPacked(link))).toEqual([])
})
