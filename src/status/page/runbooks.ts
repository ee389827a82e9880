// The runbooks as pages: they are there even when only the daemon is reachable.

import { documentOf } from './document.ts'
import { type Html, markup } from './markup.ts'
import type { Links } from './parts.ts'

export function runbookList(alerts: readonly string[], { prefix }: Links): string {
  const items = alerts.toSorted().map((alert) => markup`<li><a href="${prefix}/runbooks/${alert}">${alert}</a></li>`)
  return frame(
    'Runbooks',
    markup`<ul>
      ${items}
    </ul>`,
    `${prefix}/`,
    'Status',
  )
}

/** The Markdown source, unrendered: it reads well as it is. */
export function runbookPage(alert: string, text: string, { prefix }: Links): string {
  return frame(alert, markup`<pre class="runbook">${text}</pre>`, `${prefix}/runbooks`, 'Runbooks')
}

function frame(title: string, content: Html, back: string, to: string): string {
  return documentOf(
    `${title} - stakewatch`,
    markup`<header>
            <nav aria-label="Back"><a href="${back}">${to}</a></nav>
            <h1>${title}</h1>
          </header>
          <main>${content}</main>`,
  )
}
