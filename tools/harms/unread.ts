// Metrics that no rule reads, with why: what they report is no harm, or another metric reports it to a rule.

interface Excused {
  because: string
  metrics: readonly string[]
}

const excused = (because: string, names: string): Excused => ({
  because,
  metrics: names.trim().split(/\s+/).map((name) => `stakewatch_${name}`),
})

export const unread: readonly Excused[] = [
]
