// The lists of docs/alerting.md, from the rules in src/alerts; and files with some of the rules.

import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { metricsOf } from '../src/alerts/rule.ts'
import { duration, groupsOf } from '../src/alerts/rules.ts'
import { type Thresholds, thresholds } from '../src/alerts/thresholds.ts'
import type { Rule } from '../src/alerts/rule.ts'
import { formatDuration } from '../src/lib/duration.ts'
import { sentWithin } from './time-to-page.ts'

/** Metrics that the line of a runbook names at most. */
const MOST_NAMED = 4

/** Two times where some of what shows the problem is polled less often. */
function sentText(rule: Rule): string {
  const times = sentWithin(rule)
  if (times === undefined) return ''
  const [least, most] = times.map((time) => formatDuration(time * 1_000))
  return `, sent within ${least}${most === least ? '' : ` to ${most}`}`
}

/** A list for each severity, the most urgent first. */
export function alertsList(): string {
  const rules = groupsOf().flatMap((group) => group.rules)
  const ordered = ['critical', 'warning', 'info', 'none', 'own'] as const
  const lists = ordered.map((severity) => {
    const items = rules
      .filter((rule) => rule.severity === severity)
      .map((rule) => {
        const { alert, for: waits, summary } = rule
        const after = waits > 0 ? duration(waits) : 'at once'
        return `- [${alert}](runbooks/${alert}.md), ${after}${sentText(rule)}: ${summary}`
      })
    return `### ${severity === 'own' ? 'that of the drill' : severity}\n\n${items.join('\n')}`
  })
  return lists.join('\n\n')
}

/** A runbook with the generated line about its rule below the title. */
export function withFacts(page: string): string {
  const [title = ''] = page.split('\n', 1)
  const rule = groupsOf()
    .flatMap(({ rules }) => rules)
    .find(({ alert }) => title === `# ${alert}`)
  if (rule === undefined) throw new Error(`a runbook has the title of no alert: ${title}`)
  const { severity, for: waits } = rule
  const metrics = [...new Set(metricsOf(rule))].map((name) => `\`${name}\``)
  const when = waits > 0 ? `after ${duration(waits)}` : 'at once'
  const [shown, more] = [metrics.slice(0, MOST_NAMED).join(', '), metrics.length - MOST_NAMED]
  const reads = metrics.length === 0 ? '' : `, reads ${shown}${more > 0 ? ` and ${more} more` : ''}`
  const level = severity === 'own' ? 'that of the drill' : `\`${severity}\``
  const line = `Severity ${level}, fires ${when}${sentText(rule)}${reads}.`
  const rest = page
    .slice(title.length)
    .replace(/^\n+Severity .*, fires .*\n/, '')
    .replace(/^\n+/, '')
  return `${title}\n\n${line}\n\n${rest}`
}

/** Every limit with its reason, which is the comment above it; several limits may share one. */
export function limitsList(): string {
  const source = readFileSync(new URL('../src/alerts/thresholds.ts', import.meta.url), 'utf8')
  const reasons = [...source.matchAll(/^ {2}\/\*\*([^]*?)\*\/\n((?: {2}\w+: .*\n)+)/gm)]
  const items = reasons.map(([, comment = '', lines = '']) => {
    const reason = comment.replace(/\s*\n\s*\*/g, '').trim()
    const names = [...lines.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name as keyof Thresholds)
    return `- ${names.map(written).join(', ')}: ${reason}`
  })
  return items.join('\n')
}

function written(name: keyof Thresholds): string {
  const value = thresholds[name]
  return `\`${name}\` ${value >= 60 ? `${value} (${duration(value)})` : value}`
}

interface Read {
  alert?: string
}

/** A file of rules with these alerts alone, and the recording rule that they read. Groups that are left empty stay. */
export function onlyAlerts(rules: string, alerts: ReadonlySet<string>): string {
  const { groups } = parse(rules) as { groups: { name: string; rules: Read[] }[] }
  const isLeft = ({ alert }: Read) => alert === undefined || alerts.has(alert)
  return stringify({ groups: groups.map((group) => ({ ...group, rules: group.rules.filter(isLeft) })) })
}
