// Eyes for the dashboards: a browser with Grafana's own components, in Grafana's font.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import type { Drawn, Seen } from '../eyes/seen.ts'
import { startBrowser } from './browser.ts'
import { endsOf, extremesIn } from './extremes.ts'
import { findings, wrongWay } from './eyes-rules.ts'

/** Nothing listens there: each request is answered here. */
const PAGE = 'http://dashboards.invalid/'

const FONTS = new URL('../eyes/node_modules/@fontsource/inter/files/', import.meta.url)

/** The name of an empty module. */
const NOTHING = '\0nothing'

export interface Eyes {
  look(drawn: readonly Drawn[]): Promise<Seen[]>
  close(): Promise<void>
}

export async function openEyes(): Promise<Eyes> {
  const [script, browser] = await Promise.all([bundled(), startBrowser()])
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.route('**', async (route) => {
    const isPage = route.request().url() === PAGE
    const body = isPage ? `<!doctype html><style>${fonts()}</style><body>` : '<svg xmlns="http://www.w3.org/2000/svg"/>'
    await route.fulfill({ body, contentType: isPage ? 'text/html' : 'image/svg+xml' })
  })
  await page.goto(PAGE)
  await page.addScriptTag({ content: script, type: 'module' })
  await page.evaluate('Promise.all([...document.fonts].map((font) => font.load()))')
  return {
    async look(drawn) {
      const seen = await page.evaluate(
        (given) => (globalThis as unknown as { draw(given: Drawn[]): Promise<Seen[]> }).draw(given),
        drawn.map(asCommitted),
      )
      if (complaints.length > 0) throw new Error(`the page failed: ${complaints.join('; ')}`)
      return seen
    },
    close: () => browser.close(),
  }
}

/** Pixels of a column and of a row of the grid with their gaps, on a screen of 1440 pixels with Grafana's menu open. */
const [COLUMN, ROW, GAP] = [46.5, 38, 8]
/** With the menu closed. With the menu open, a wide table scrolls sideways. */
const TABLE = 1_408
/** A telephone of 412 pixels has one column. */
const TELEPHONE = 380

/** What is wrong with panels on a screen and on a telephone, with these answers and with extreme ones. */
export async function judge(eyes: Eyes, given: readonly Pick<Drawn, 'panel' | 'answers'>[]): Promise<string[]> {
  const onScreen = given.map((one): Drawn => {
    const { w, h } = one.panel.gridPos!
    return { ...one, width: one.panel.type === 'table' ? TABLE : w * COLUMN - GAP, height: h * ROW - GAP }
  })
  const onTelephone = onScreen.map((one) => ({ ...one, width: TELEPHONE }))
  const narrow = onScreen.map((one) => ({ ...one, width: Math.min(one.width, TELEPHONE) }))
  const drawn = [...onScreen, ...onTelephone, ...narrow.flatMap(extremesIn)]
  const coloured = onScreen.filter(({ panel }) => panel.type === 'stat' || panel.type === 'table')
  const seen = await eyes.look([...drawn, ...coloured.flatMap(endsOf)])
  const ends = seen.slice(drawn.length)
  const wrong = [
    ...drawn.flatMap((one, at) => findings(seen[at]!, one)),
    ...coloured.flatMap((one, at) => wrongWay(ends[2 * at]!, ends[2 * at + 1]!, one)),
  ]
  return [...new Set(wrong)]
}

/** Without the methods of the library that builds it. */
function asCommitted(drawn: Drawn): Drawn {
  return { ...drawn, panel: JSON.parse(JSON.stringify(drawn.panel)) as Drawn['panel'] }
}

/** What Grafana uses: regular in cells, medium in titles. */
function fonts(): string {
  return [400, 500]
    .map((weight) => {
      const file = new URL(`inter-latin-${weight}-normal.woff2`, FONTS)
      const data = readFileSync(file).toString('base64')
      return `@font-face { font-family: Inter; font-weight: ${weight}; src: url(data:font/woff2;base64,${data}) }`
    })
    .join('\n')
}

async function bundled(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../eyes/page.ts', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
    // Of editors and maps, which are not installed.
    shimMissingExports: true,
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      { name: 'no-editors-no-maps', resolveId: (id) => (/^(monaco-editor|ol)(\/|$)/.test(id) ? NOTHING : undefined) },
      { name: 'styles', load: asScript },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

/** A style sheet as a module that adds it to the page. */
function asScript(id: string) {
  if (id === NOTHING) return { code: '' }
  if (!id.endsWith('.css')) return undefined
  const text = JSON.stringify(readFileSync(id, 'utf8'))
  const code = `document.head.append(Object.assign(document.createElement('style'), { textContent: ${text} }))`
  return { code, moduleType: 'js' as const, moduleSideEffects: true }
}
