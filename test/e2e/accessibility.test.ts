// Every page under axe-core's rules, in a real browser: light and dark, on a telephone and on a desktop. /config is plain text.

import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, isThere, startBrowser } from './support/browser.ts'
import { stakewatch, type Started } from './support/processes.ts'
import { eventually } from './support/scrape.ts'

const AXE = new URL('./eyes/node_modules/axe-core/axe.min.js', import.meta.url)

interface Finding {
  id: string
  nodes: readonly { html: string; failureSummary: string }[]
}

/** What axe finds, collapsed parts included: by all of its rules, or by one. */
async function findingsOn(page: Page, rule?: string): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rule && { runOnly: [rule] }) }
  const findings = await page.evaluate<Finding[]>(`{
    for (const one of document.querySelectorAll('details')) one.open = true
    axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)
  }`)
  return findings.flatMap(({ id, nodes }) => nodes.map((one) => `${id}: ${one.html} ${one.failureSummary}`))
}

describe.skipIf(!isThere)(`accessibility${isThere ? '' : `, left out as there is no ${CHROMIUM}`}`, () => {
  let browser: Browser
  let demo: Started
  let base: string
  let axe: string
  beforeAll(async () => {
    axe = readFileSync(AXE, 'utf8')
    demo = stakewatch('demo', '--web.listen-address=127.0.0.1:0', '--speed=0')
    base = (await demo.said(/metrics: +(\S+)/)).replace(/metrics$/, '')
    browser = await startBrowser()
    await eventually(
      'something has happened to list',
      async () => (await (await fetch(base)).text()).includes('What needs you'),
      30,
    )
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await demo.end()
  })

  /** The policy of the pages lets no script in, but it does not bind the debugger. */
  const bring = (page: Page) => page.evaluate(axe)

  test('axe notices what is unreadable and what has no name', async () => {
    const page = await browser.newPage()
    await page.setContent('<p style="color: #999; background: #aaa">pale</p><input>')
    await bring(page)
    const found = (await findingsOn(page)).map((one) => one.split(':')[0])
    expect(found).toEqual(expect.arrayContaining(['color-contrast', 'label']))
    expect(await findingsOn(page, 'color-contrast')).toHaveLength(1)
  })

  test.each([
    // Axe forbids pages that load themselves again, whether or not they say how to stop it. This one does: the link is `?still`.
    '?still',
    'public',
    'validators/val-1',
    'watched',
    'upstreams',
    'tasks',
    'runbooks',
    'runbooks/StakewatchValidatorDisconnected?network=fuji&validator=val-1',
  ])('/%s', async (path) => {
    const page = await browser.newPage()
    expect((await page.goto(`${base}${path}`))?.status()).toBe(200)
    await bring(page)
    for (const width of [412, 1_440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      expect([width, await findingsOn(page)]).toEqual([width, []])
      // The scheme changes colours alone.
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([width, await findingsOn(page, 'color-contrast')]).toEqual([width, []])
    }
    await page.close()
  })
})
