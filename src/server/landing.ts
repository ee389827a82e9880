// The page at `/`: what this is, where things are, and how the tasks are doing.

import { createHash } from 'node:crypto'
import type { TaskStatus } from '../metrics/snapshot.ts'

export interface Landing {
  version: string
  /** In front of every path. */
  prefix: string
  telemetryPath: string
  tasks: readonly TaskStatus[]
  now: number
}

const style = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1b1f24; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #d0d7de; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
td:last-child { white-space: nowrap; }
tr.failure td:nth-child(2) { color: #b42318; font-weight: 600; }
`

/** The page runs nothing, loads nothing and is shown in no frame. */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

export function landingPage({ version, prefix, telemetryPath, tasks, now }: Landing): string {
  // Who opens this page looks for what fails.
  const failing = tasks.filter(({ result }) => result === 'failure')
  const others = tasks.filter(({ result }) => result !== 'failure')
  const rows = [...failing.toSorted(byKey), ...others.toSorted(byKey)].map(
    ({ key, result, reason, source, finishedAt }) => {
      const cells = [key, result, reason, source, `${Math.max(0, Math.round((now - finishedAt) / 1_000))} s ago`]
      return `<tr class="${result}">${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`
    },
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>stakewatch</title>
<style>${style}</style>
</head>
<body>
<h1>stakewatch</h1>
<p>Prometheus exporter for validators and chains. Version ${escapeHtml(version)}.</p>
<ul>
<li><a href="${escapeHtml(prefix + telemetryPath)}">Metrics</a></li>
<li><a href="${escapeHtml(prefix)}/-/healthy">Healthy</a></li>
<li><a href="${escapeHtml(prefix)}/-/ready">Ready</a></li>
</ul>
<h2>Tasks</h2>
<p>${tasks.length} attempted, ${failing.length} of them failing.</p>
<table>
<thead><tr><th>task</th><th>last result</th><th>reason</th><th>answered by</th><th>ended</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`
}

function byKey(a: TaskStatus, b: TaskStatus): number {
  return a.key < b.key ? -1 : 1
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
