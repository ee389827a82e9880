// The status page and the public page in a real browser: Debian's chromium, driven from here. axe-core looks at every page, light
// and dark, on a telephone and on a desktop; /config is plain text.

import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import type { Answer } from '../../src/server/routes.ts'
import { palettes } from '../../src/status/page/style.ts'
import { startSink } from '../support/sink.ts'
import { linesOf, NOW, shown, yamlOf, VAL_1 } from '../support/status.ts'
import { CHROMIUM, isThere, startBrowser } from './support/browser.ts'
import { stakewatch, type Started } from './support/processes.ts'
import { eventually } from './support/scrape.ts'

let browser: Browser
let demo: Started
let base: string

/** A page of its own, with what it asked for and complained of. */
async function open(url: string, options: BrowserContextOptions = {}) {
  const page = await browser.newPage(options)
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
  await page.goto(url)
  return { page, requests, complaints }
}

const backgroundOf = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
/** What is wider than the window, though nothing around it scrolls. */
const stickingOut = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    .filter((one) => !one.closest('.scroll, .opinions') && one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.outerHTML)`)

/** Where a browser finds the page of such a world. */
async function served(answer: () => Answer, onTestFinished: TestContext['onTestFinished']): Promise<string> {
  const { url, end } = await startSink((_request, _body, response) => {
    const { body, type, headers } = answer()
    response.writeHead(200, { ...headers, 'content-type': type }).end(body)
  })
  onTestFinished(end)
  return `${url}/`
}

function rgb(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return `rgb(${parts.join(', ')})`
}

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

describe.skipIf(!isThere)(`the status page${isThere ? '' : `, left out as there is no ${CHROMIUM}`}`, () => {
  beforeAll(async () => {
    demo = stakewatch('demo', '--web.listen-address=127.0.0.1:0', '--speed=0')
    base = (await demo.said(/metrics: +(\S+)/)).replace(/metrics$/, '')
    await demo.said(/(every task has been attempted)/)
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser.close()
    await demo.end()
  })

  test('is read without scripts: landmarks, headings, tables with headers, and the simulated network first', async () => {
    const { page, requests, complaints } = await open(base, { javaScriptEnabled: false })
    expect(await page.title()).toMatch(/^SIMULATED: .* - stakewatch$/)
    for (const role of ['banner', 'navigation', 'main', 'contentinfo', 'status'] as const) {
      expect([role, await page.getByRole(role).count()]).toEqual([role, 1])
    }
    expect(await page.getByRole('banner').getByRole('note').innerText()).toMatch(/^Simulated network:/)
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts()
    // Two minutes after the start a window opens, which then comes before the problems; at once there may be none.
    expect(headings.filter((one) => !['Maintenance', 'What needs you'].includes(one))).toEqual([
      'Validators',
      'What else is watched',
      'Where it comes from',
    ])
    // The demo watches seven, below the names of the columns.
    const validators = page.getByRole('region', { name: 'Validators' }).getByRole('row')
    expect(await validators.count()).toBe(8)
    const tables = page.getByRole('table')
    for (let at = 0; at < (await tables.count()); at += 1) {
      const headers = await tables.nth(at).getByRole('columnheader').count()
      const cells = tables.nth(at).getByRole('row').nth(1)
      expect(headers).toBe((await cells.getByRole('cell').count()) + (await cells.getByRole('rowheader').count()))
    }
    expect(requests).toEqual([base])
    expect(complaints).toEqual([])
  })

  test.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 390],
    ['dark', 320],
  ] as const)('is %s, and %i pixels wide nothing sticks out', async (colorScheme, width) => {
    const { page, complaints } = await open(base, { colorScheme, viewport: { width, height: 800 } })
    expect(await backgroundOf(page)).toBe(rgb(palettes[colorScheme].page))
    expect(await stickingOut(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('nothing sticks out at any width, however long the names and what upstreams say', async ({ onTestFinished }) => {
    const [network, source, operation] = ['n', 's', 'o'].map((letter) => letter.repeat(60)) as [string, string, string]
    const of = `network="${network}",source="${source}"`
    const facts = {
      validator_in_set: 1,
      validator_stake_tokens: 123_456_789.12,
      validator_start_timestamp_seconds: NOW,
    }
    const opinions = { validator_connected: 0, validator_uptime_ratio: 0.5, validator_required_uptime_ratio: 0.8 }
    const failed = { network, reason: 'r'.repeat(200), source: 'a'.repeat(60) }
    const { answer } = shown({
      yaml: `networks:
  - name: ${network}
    network: fuji
    nodes: [{ name: ${source}, url: 'http://${'h'.repeat(60)}.example.org:9650' }]
    validators: [{ node_id: ${VAL_1}, name: ${'v'.repeat(60)} }]
`,
      version: `1.2.3-${'y'.repeat(80)}`,
      lines: [
        ...linesOf({ network, validator: 'v'.repeat(60) }, facts, { [source]: opinions, ['t'.repeat(60)]: opinions }),
        `stakewatch_upstream_up{${of}} 1`,
        `stakewatch_upstream_circuit_open{${of},operation="${operation}"} 1`,
        `stakewatch_node_info{${of},id="${'i'.repeat(60)}",version="${'w'.repeat(60)}"} 1`,
        `stakewatch_node_health_check_passing{${of},check="${'k'.repeat(60)}"} 0`,
      ],
      rows: [
        { ...failed, key: `supply/${network}/primary`, result: 'failure', finishedAt: NOW * 1_000, took: 0, series: 0 },
      ],
      errors: [{ network, source, operation, code: 'c'.repeat(40), reason: failed.reason, at: NOW * 1_000 }],
    })
    const { page } = await open(await served(() => answer('/'), onTestFinished))
    for (const width of [280, 320, 390, 430, 540, 700, 800, 820, 1_000, 1_280, 1_290]) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, await stickingOut(page)]).toEqual([width, []])
      expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width])
    }
  })

  test.each([
    'validators/val-1',
    'watched',
    'upstreams',
    'tasks',
    'runbooks',
    'runbooks/StakewatchL1ValidatorDisconnected',
  ])('/%s: nothing sticks out, and on a telephone nothing has to be scrolled sideways', async (path) => {
    const { page } = await open(`${base}${path}`)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    for (const width of [320, 412, 1_440]) {
      await page.setViewportSize({ width, height: 915 })
      expect([width, await stickingOut(page)]).toEqual([width, []])
    }
    await page.setViewportSize({ width: 412, height: 915 })
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('html, body *')]
      .filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== 'visible')
      .filter((one) => one.clientWidth > 1)
      .map((one) => one.outerHTML)`)
    expect(cut).toEqual([])
  })

  test('leads to what its links name', async () => {
    await eventually(
      'the rules are evaluated',
      async () =>
        ((await (await fetch(`${base}api/v1/status`)).json()) as { rules: { current: boolean } }).rules.current,
    )
    const { page, complaints } = await open(base)
    const links = page.getByRole('navigation').getByRole('link')
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(paths).toEqual(['/metrics', '/config', '/api/v1/status', '/sd', '/runbooks', '/-/ready', '/-/healthy'])
    for (const path of paths) expect((await page.request.get(new URL(path ?? '', base).href)).status()).toBe(200)
    for (const name of ['Upstreams', 'Tasks', 'Details', 'val-1']) {
      await page.getByRole('main').getByRole('link', { name }).first().click()
      await page.getByRole('link', { name: 'Status' }).click()
    }
    // What to do about the first problem: in the demo a validator is disconnected, wallets are low.
    await eventually('a problem', async () => {
      await page.reload()
      return (await page.getByRole('region', { name: 'What needs you' }).count()) > 0
    })
    const link = page.getByRole('region', { name: 'What needs you' }).getByRole('link').first()
    const alert = await link.innerText()
    await link.click()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(alert)
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('Diagnosis')
    await page.getByRole('link', { name: 'Runbooks' }).click()
    await page.getByRole('link', { name: 'Status' }).click()
    expect(page.url()).toBe(base)
    expect(complaints).toEqual([])
  })

  test('shows hostile names as they are, and runs nothing of them', async ({ onTestFinished }) => {
    const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>'
    const { answer } = shown({
      yaml: yamlOf(['node-a'], [`{ node_id: ${VAL_1}, name: val-1 }`]),
      version: hostile,
      lines: linesOf({}, { validator_in_set: 1 }, { [hostile]: { validator_connected: 0 } }),
    })
    const url = await served(() => answer('/'), onTestFinished)
    const own = await served(() => answer('/validators/:name', {}, 'val-1'), onTestFinished)
    const validator = await open(own)
    expect(await validator.page.getByRole('rowheader', { name: hostile, exact: true }).count()).toBe(1)
    expect(await validator.page.locator('img, script').count()).toBe(0)
    const { page, requests, complaints } = await open(url)
    expect(await page.getByRole('contentinfo').innerText()).toContain(`version ${hostile}.`)
    expect(await page.locator('img, script').count()).toBe(0)
    expect(requests).toEqual([url])
    expect(complaints).toEqual([])
  })

  describe('is accessible:', () => {
    /** The policy of the pages lets no script in, but it does not bind the debugger. */
    const bring = (page: Page) => page.evaluate(readFileSync(AXE, 'utf8'))

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

  describe('the public page', () => {
    test('is read without scripts: landmarks, a heading for each validator, and the simulated network first', async () => {
      const url = `${base}public`
      const { page, requests, complaints } = await open(url, { javaScriptEnabled: false })
      expect(await page.title()).toBe('SIMULATED: Validators of the demo')
      for (const role of ['banner', 'main', 'contentinfo'] as const) {
        expect([role, await page.getByRole(role).count()]).toEqual([role, 1])
      }
      expect(await page.getByRole('banner').getByRole('note').innerText()).toMatch(/^Simulated network:/)
      expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Validators of the demo'])
      const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts()
      expect(headings).toHaveLength(5)
      expect(headings[0]).toBe('Demo Staking #1 validating')
      expect(await page.getByRole('article', { name: 'Demo Staking #2 validating' }).count()).toBe(1)
      // What does not apply to a validator of an L1 has no entry.
      const l1 = page.getByRole('article', { name: /^Meadow, an L1/ })
      expect(await l1.getByRole('term').allInnerTexts()).toEqual(['Uptime'])
      expect(requests).toEqual([url])
      expect(complaints).toEqual([])
    })

    test('leads to its JSON alone', async () => {
      const { page } = await open(`${base}public`)
      const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => (link as unknown as URL).href))
      expect(links).toEqual([`${base}public.json`])
      const json = (await (await fetch(links[0]!)).json()) as { validators: unknown[] }
      expect(json.validators).toHaveLength(5)
    })

    test.each([
      ['light', 1_440],
      ['dark', 1_440],
      ['light', 412],
      ['dark', 412],
    ] as const)('is %s, and %i pixels wide nothing sticks out', async (colorScheme, width) => {
      const { page, complaints } = await open(`${base}public`, { colorScheme, viewport: { width, height: 800 } })
      expect(await backgroundOf(page)).toBe(rgb(palettes[colorScheme].page))
      expect(await stickingOut(page)).toEqual([])
      expect(complaints).toEqual([])
    })

    test('nothing sticks out at any width, however long the names, and markup in them is text', async ({
      onTestFinished,
    }) => {
      const hostile = `<img src=x onerror=alert(1)>${'n'.repeat(72)}`
      const { publicAnswer } = shown({
        yaml: yamlOf(
          ['node-a'],
          [`{ node_id: ${VAL_1}, name: val-1 }`],
          `public: { title: "${hostile}", validators: [{ validator: val-1, name: "${hostile}" }] }`,
        ),
        lines: linesOf({}, { validator_in_set: 1, validator_stake_tokens: 123_456_789.12 }),
      })
      const url = await served(() => publicAnswer('/public'), onTestFinished)
      const { page, requests, complaints } = await open(url)
      expect(await page.getByRole('heading', { name: hostile }).count()).toBe(2)
      for (const width of [280, 320, 412, 800, 1_440]) {
        await page.setViewportSize({ width, height: 800 })
        expect([width, await stickingOut(page)]).toEqual([width, []])
        expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width])
      }
      expect(requests).toEqual([url])
      expect(complaints).toEqual([])
    })
  })
})
