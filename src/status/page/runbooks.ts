// The runbooks as pages: they are there even when only the daemon is reachable. What to do comes first, what it means last.

import { marked } from 'marked'
import { innerPage } from './document.ts'
import { markup, trusted, written } from './markup.ts'
import { headRow, type Links } from './parts.ts'

/** An alert in the list. */
export interface Listed {
  alert: string
  severity: string
  summary: string
}

export function runbookList(alerts: readonly Listed[], { prefix }: Links): string {
  const rows = alerts
    .toSorted((a, b) => (a.alert < b.alert ? -1 : 1))
    .map(
      ({ alert, severity, summary }) => markup`<tr>
      <th scope="row"><a href="${prefix}/runbooks/${alert}">${alert}</a></th>
      <td class="${severity}">${severity === 'own' ? 'drill' : severity}</td>
      <td>${summary}</td>
    </tr>`,
    )
  return innerPage(
    'Runbooks',
    markup`<table class="rows stacked named">
      ${headRow(['alert', 'severity', 'what it says'])}
      <tbody>${rows}</tbody>
    </table>`,
    { path: `${prefix}/`, name: 'Status' },
  )
}

/** What a paged operator needs first; sections of other names keep their place after these. */
const order = ['Diagnosis', 'Mitigation', 'Impact', 'Safe to ignore', 'Meaning']

/** `values` are labels of the alert: they replace what the commands of the runbook leave open. */
export function runbookPage(
  alert: string,
  text: string,
  { prefix }: Links,
  values: Readonly<Record<string, unknown>>,
): string {
  const [head = '', ...sections] = text.split(/^(?=## )/m)
  const rank = (section: string) => {
    const at = order.findIndex((title) => section.startsWith(`## ${title}`))
    return at < 0 ? order.length : at
  }
  const introduction = head.replace(/^# .*\n/, '')
  const sorted = sections.toSorted((a, b) => rank(a) - rank(b))
  const html = marked.parse([introduction, ...sorted].join('\n'), { async: false })
  return innerPage(alert, markup`<div class="runbook">${trusted(filled(linked(html, prefix), values))}</div>`, {
    path: `${prefix}/runbooks`,
    name: 'Runbooks',
  })
}

/** Links to other runbooks stay here; other documents are not served. */
const linked = (html: string, prefix: string) =>
  html
    .replaceAll(/href="(Stakewatch\w+)\.md"/g, `href="${prefix}/runbooks/$1"`)
    .replaceAll(/<a href="\.\.\/[^"]*">(.*?)<\/a>/g, '$1')

/** `NETWORK`, `NODE_ID` and the like, and `source="…"`. */
function filled(html: string, values: Readonly<Record<string, unknown>>): string {
  let text = html
  for (const [name, value] of Object.entries(values)) {
    if (!/^[a-z_]+$/.test(name) || typeof value !== 'string' || value === '') continue
    const shown = written(value.slice(0, 200))
    text = text
      .replaceAll(new RegExp(`\\b${name.toUpperCase()}\\b`, 'g'), () => shown)
      .replaceAll(`${name}=&quot;…&quot;`, () => `${name}=&quot;${shown}&quot;`)
  }
  return text
}
