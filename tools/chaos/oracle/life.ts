// What the process says of its life, and what it takes of the machine.

import type { Violation } from './define.ts'

const limits = {
  rss: 900 * 1024 ** 2,
  handles: 1_500,
  /** Milliseconds of the machine for a scrape, without those in which others had the processor. */
  scrape: 1_000,
} as const

export function checkResources({ rss, handles }: { rss: number; handles: number }): Violation[] {
  const violations: Violation[] = []
  const megabytes = Math.round(rss / 1024 ** 2)
  if (rss > limits.rss) violations.push({ rule: 'memory', subject: 'the process', says: `uses ${megabytes} MB` })
  if (handles > limits.handles)
    violations.push({ rule: 'handles', subject: 'the process', says: `has ${handles} handles` })
  return violations
}

export function checkLatency(took: number): Violation[] {
  if (took <= limits.scrape) return []
  return [{ rule: 'latency', subject: 'a scrape', says: `took ${Math.round(took)} ms` }]
}

interface Pages {
  /** Statuses; undefined where there was no answer. */
  healthy: number | undefined
  ready: number | undefined
  /** Whether a scrape that was made after that has any data of any network. */
  hasData: boolean
  /** Milliseconds of the run since the process or its clock was disturbed. */
  calm: number
  /** How long it may take until both are well again. */
  patience: number
}

/** One network at least is healthy always: once all is calm there is data, and both pages say so. */
export function checkPages({ healthy, ready, hasData, calm, patience }: Pages): Violation[] {
  const violations: Violation[] = []
  if (healthy !== 200 && calm > patience) {
    violations.push({ rule: 'healthy', subject: '/-/healthy', says: `has status ${healthy} while the process works` })
  }
  if (ready !== 200 && calm > patience) {
    violations.push({ rule: 'ready', subject: '/-/ready', says: `has status ${ready} while a network has data` })
  }
  if (ready === 200 && !hasData) {
    violations.push({ rule: 'ready', subject: '/-/ready', says: 'is 200 while there is no data at all' })
  }
  return violations
}
