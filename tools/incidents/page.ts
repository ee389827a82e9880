// docs/incidents.md: what happens in each incident, and what fires because of it. The incidents themselves prove it.

import { MINUTES } from './incident.ts'
import type { Expected, Incident } from './incident.ts'
import { incidents } from './scripts/index.ts'

const minutesText = (count: number) => (count >= 2_880 ? `${Math.round(count / 144) / 10} d` : `${count} min`)

function expectedText({ alert, severity, of = [{}], at = 0, until }: Expected): string {
  const times = of.length === 1 ? '' : ` × ${of.length}`
  const window = until === undefined ? `from ${at} min on` : `from ${at} to about ${until} min`
  return `${alert.replace(/^Stakewatch/, '')}${times} (${severity}, ${window})`
}

const row = ({ name, minutes = MINUTES, alerts }: Incident) =>
  `| ${[name, minutesText(minutes), alerts.map(expectedText).join(', ') || 'silent'].join(' | ')} |`

export function incidentsPage(generated: string): string {
  return `# Incidents

<!-- ${generated} -->

Each of these is played by \`npm run incidents\`: a simulated network, the real daemon that watches it, and the alert rules as
promtool evaluates them. Every minute is compared: an alert must fire within 10 minutes of the time given (30 for a
warning), go on without a gap, and end when its cause has ended and its hold of ten minutes is over. Nothing else may fire, no
collector may fail unexpectedly, and the status page must show what fires. \`npm run incidents -- --mutants\` leaves out each
alert, doubles and halves each limit, and names the incident that notices.

| what happens | watched for | what fires |
| --- | --- | --- |
${incidents.map(row).join('\n')}
`
}
