// The report as one HTML page that needs nothing else: no script, no font, no picture.

import { createHash } from 'node:crypto'
import { type Html, markup, trusted, written } from '../../../status/page/markup.ts'
import { palettes, style as pageStyle } from '../../../status/page/style.ts'
import { chartHtml } from './charts.ts'
import type { Document, Section, Table } from './document.ts'

const ink = Object.entries(palettes.light)
  .map(([name, colour]) => `--${name}: ${colour};`)
  .join(' ')

const style = `${pageStyle}
header, main, footer { max-width: 72rem; }
h1 { font-size: 1.75rem; }
h2 { border-top: 1px solid var(--line); padding-top: 1.5rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 0.75rem; margin: 1rem 0; }
figure { margin: 0; padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; min-width: 0; }
figcaption { font-size: 0.875rem; font-weight: 600; margin-bottom: 0.5rem; }
.wide { min-width: 0; overflow-x: auto; }
.wide:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.chart { display: block; width: 100%; min-width: 25rem; max-width: 40rem; height: auto; }
.chart text { font: 12px system-ui, sans-serif; fill: var(--quiet); }
.chart .grid { stroke: var(--line); }
.chart path { fill: none; stroke-width: 2; }
.chart .is-up { fill: var(--good); }
.chart .is-down { fill: var(--critical); }
.chart .is-out { fill: var(--maintenance); }
.chart .is-unobserved { fill: var(--card); stroke: var(--quiet); stroke-dasharray: 3 2; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; padding: 0; margin: 0.25rem 0 0; }
.key { display: inline-block; width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; border-radius: 2px; background: var(--key); }
.key.is-up { --key: var(--good); }
.key.is-down { --key: var(--critical); }
.key.is-out { --key: var(--maintenance); }
.key.is-unobserved { --key: var(--card); outline: 1px dashed var(--quiet); outline-offset: -1px; }
.line-0 { --key: var(--link); }
.line-1 { --key: var(--warning); }
.line-2 { --key: var(--good); }
.line-3 { --key: var(--critical); }
.chart path[class] { stroke: var(--key); }
.chart circle { fill: var(--key); }
.scroll { margin: 1rem 0; padding: 0 0.25rem; }
table { width: auto; min-width: min(100%, 36rem); }
caption { font-weight: 600; color: var(--text); padding: 0.5rem 0.6rem; }
th, td { padding: 0.3rem 0.9rem 0.3rem 0.6rem; }
thead th { white-space: nowrap; }
tbody td { font-variant-numeric: tabular-nums; }
tbody td.text { min-width: 11rem; }
td.short, th.short { white-space: nowrap; }
@media print {
  :root { color-scheme: light; ${ink} }
  @page { margin: 1.5cm; }
  body { font-size: 10pt; background: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  header, main, footer { max-width: none; padding: 0; }
  h1, h2, caption { break-after: avoid; }
  figure, tr, .scroll { break-inside: avoid; }
  .chart text { font-size: 18px; }
  .scroll, .wide { overflow: visible; }
  .chart { min-width: 0; }
  .legend, figcaption { font-size: 8pt; }
  .charts { grid-template-columns: 1fr 1fr; }
  td.short, th.short, thead th { white-space: normal; }
  tbody td.text { min-width: 0; }
  table { font-size: 8pt; }
  th, td { padding: 0.15rem 0.3rem; }
  table { width: 100%; min-width: 0; }
}
`

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`

export function htmlOf({ title, about, sections }: Document): string {
  return written(
    markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<header><h1>${title}</h1>${about.map((text) => markup`<p>${text}</p>`)}</header>
<main>${sections.map(sectionHtml)}</main>
</body>
</html>
`,
  )
}

function sectionHtml({ title, notes, charts, tables }: Section, at: number): Html {
  const id = `section-${at}`
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${notes.map((text) => markup`<p>${text}</p>`)}
${charts.length > 0 && markup`<div class="charts">${charts.map((chart, of) => chartHtml(chart, `${id}-chart-${of}`))}</div>`}
${tables.map((table, of) => tableHtml(table, `${id}-table-${of}`))}
</section>
`
}

/** Wide tables scroll by themselves, with the keyboard as well. */
function tableHtml({ caption, head, rows }: Table, id: string): Html {
  return markup`<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<caption id="${id}">${caption}</caption>
<thead><tr>${head.map((text) => markup`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([first = '', ...more]) =>
    markup`<tr><th scope="row" class="${widthOf(first)}">${first}</th>${more.map((text) => markup`<td class="${widthOf(text)}">${text}</td>`)}</tr>
`,
)}</tbody>
</table>
</div>
`
}

/** Figures and dates do not wrap. */
const widthOf = (text: string) => (text.length <= 26 ? 'short' : 'text')
