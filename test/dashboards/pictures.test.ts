// The pictures of the dashboards in the documents show the panels that the dashboards have.

import { readFile, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { dashboards } from '../../dashboards/src/all.ts'
import type { Dashboard } from '../../dashboards/src/dashboard.ts'
import pictured from '../../docs/images/dashboards.json' with { type: 'json' }

const MOST_BYTES = 60_000

/** Titles of the open row, which is the first. */
const firstRow = ({ panels }: Dashboard) => panels.filter(({ type }) => type !== 'row').map(({ title }) => title)

describe('pictures of dashboards', () => {
  test('exist for each dashboard', () => {
    expect(Object.keys(pictured)).toEqual(Object.keys(dashboards))
  })

  test.each(Object.entries(dashboards))('%s: shows the panels of the first row', (page, dashboard) => {
    const titles = (pictured as Record<string, string[]>)[page]
    expect(
      titles,
      `take a new picture: docs/images/dashboard-${page}.png, and write its titles into docs/images/dashboards.json`,
    ).toEqual(firstRow(dashboard))
  })

  test.each(Object.keys(dashboards))('%s: is small, and in the document', async (page) => {
    const { size } = await stat(`docs/images/dashboard-${page}.png`)
    expect(size).toBeLessThanOrEqual(MOST_BYTES)
    expect(await readFile('docs/dashboards.md', 'utf8')).toContain(`](images/dashboard-${page}.png)`)
  })
})
