// docs/upstream.md has a section for each citation of the two documents, and stakewatch knows every operation in it.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pathOf } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { coverageRows } from '../../tools/coverage.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const page = read('docs/upstream.md')

/** The sections of each document, by heading: their text. */
function sectionsOf(document: 1 | 2): ReadonlyMap<string, string> {
  const part = page.split(/^## /m).find((one) => one.startsWith(`Document ${document}:`))!
  return new Map(
    part
      .split(/^### /m)
      .slice(1)
      .map((section) => {
        const [heading = '', ...text] = section.split('\n')
        return [heading.replace(/:.*$/, '').toLowerCase(), text.join('\n')]
      }),
  )
}
const sections = { 1: sectionsOf(1), 2: sectionsOf(2) }

/** What the items of lists in a section begin with. */
const listed = (text: string) => [...text.matchAll(/^- `([^`]+)`/gm)].map(([, name]) => name!)

const methods = [...sections[2].values()].flatMap(listed)

/** The section or the method that a citation names first; undefined where there is none of that name. */
function cited(document: 1 | 2, name: string): string | undefined {
  const operation = /^operations? (\d+)/.exec(name)?.[1]
  const rules = /^rules? .*of (index\.getContainerRange)/.exec(name)?.[1]
  const known = [...sections[document].keys(), ...(document === 2 ? methods : [])]
  const wanted = operation ? `operation ${operation}` : rules ? `rules of ${rules.toLowerCase()}` : name.toLowerCase()
  return known.find((one) => (operation ? one === wanted : wanted.startsWith(one.toLowerCase())))
}

const CITATION = /[Dd]ocument ([12]), ((?:[A-Z]|operations? \d|rules? |platform\.|index\.|admin\.).{0,60})/g

describe('a citation leads to a section', () => {
  test.each([
    [1, 'operation 14).', 'operation 14'],
    [1, 'operations 3 and 7', 'operation 3'],
    [1, 'operation 19', undefined],
    [1, 'Validator record', undefined],
    [2, 'P-Chain interface and Validator record', 'p-chain interface'],
    [2, 'rules 1, 2 and 5 of index.getContainerRange', 'rules of index.getcontainerrange'],
    [2, 'platform.getBalance)', 'platform.getBalance'],
    [2, 'platform.getRewards)', undefined],
  ] as const)('document %i, %s', (document, name, section) => {
    expect(cited(document, name)).toBe(section)
  })

  const folders = ['src', 'test', 'tools', 'docs', 'dashboards/src']
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => /^(?!.*node_modules).*\.(ts|md)$/.test(path) && path !== 'tools/upstream.test.ts')
      .map((path) => `${folder}/${path}`),
  )

  test('in every file', () => {
    const wrong = ['README.md', 'CONTRIBUTING.md', ...files].flatMap((path) => {
      // A comment may go on in the next line.
      const text = read(path).replace(/\n\s*(\/\/|\*) ?/g, ' ')
      const citations = [...text.matchAll(CITATION)]
      return citations
        .filter(([, document, name]) => !cited(Number(document) as 1 | 2, name!))
        .map(([citation]) => `${path}: docs/upstream.md has no section for "${citation}"`)
    })
    expect(wrong).toEqual([])
  })
})

describe('every operation of the documents is there', () => {
  const sources = operations.map(({ source }) => source)

  test('each of the 18 of document 1 once', () => {
    const numbered = [...sections[1].keys()].filter((name) => name.startsWith('operation '))
    expect(numbered).toEqual(Array.from({ length: 18 }, (_, at) => `operation ${at + 1}`))
    const ofDocument = sources.filter((source) => source.startsWith('document 1'))
    expect(ofDocument.toSorted()).toEqual(numbered.map((name) => `document 1, ${name}`).toSorted())
  })

  test.each(['admin interface', 'p-chain interface', 'index interface'])('each method of the %s once', (section) => {
    const named = listed(sections[2].get(section)!).filter((name) => !name.startsWith('/'))
    expect(named.length).toBeGreaterThan(0)
    const own = operations.filter(({ source }) => source.toLowerCase().startsWith(`document 2, ${section}`))
    expect(own.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
  })

  test('each method of the index interface at each of its paths', async () => {
    const paths = listed(sections[2].get('index interface')!).filter((name) => name.startsWith('/'))
    const rows = (await coverageRows(operations)).filter(({ operation }) => operation.name.startsWith('index.'))
    const asked = Map.groupBy(rows, ({ operation }) => operation.name)
    for (const own of asked.values()) {
      const served = own.map(({ operation, path }) => pathOf(operation).replace(/\{(\w+)\}/g, (_, name) => path[name]!))
      expect(served.toSorted()).toEqual(paths.toSorted())
    }
    expect(asked.size).toBe(6)
  })

  test('the metrics service', () => {
    const own = operations.filter(({ source }) => source === 'document 2, Metrics service')
    const [request] = listed(sections[2].get('metrics service')!)
    expect(own.map((operation) => `GET ${pathOf(operation)}`)).toEqual([request])
  })
})
