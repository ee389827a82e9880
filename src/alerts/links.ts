// Where an alert leads: its runbook, and the dashboard that shows what the rule reads, narrowed to the alert's object.

export const RUNBOOKS = 'https://stakewatch.example/runbooks/'
/** Grafana of deploy/compose, which is also where Grafana listens by default. */
export const DASHBOARDS = 'http://localhost:3000/'

/** The variables of each dashboard that alerts have labels for, outermost first. */
const variables = {
  fleet: ['network', 'subnet', 'validator'],
  validator: ['network', 'subnet', 'validator'],
  l1s: ['network', 'subnet', 'validator'],
  chains: ['network', 'chain', 'source'],
  wallets: ['network', 'address'],
  messages: ['network'],
  self: ['network'],
} as const

type Page = keyof typeof variables

const ofGroup: Readonly<Record<string, Page>> = {
  'stakewatch-validators': 'validator',
  'stakewatch-subnets': 'l1s',
  'stakewatch-chains': 'chains',
  'stakewatch-nodes': 'chains',
  'stakewatch-wallets': 'wallets',
  'stakewatch-messages': 'messages',
  'stakewatch-expectations': 'fleet',
  'stakewatch-upstreams': 'self',
  'stakewatch-self': 'self',
}

/** Alerts about validators whose page does not show what the rule reads. */
const elsewhere: Readonly<Record<string, Page>> = {
  StakewatchValidatorUnobserved: 'fleet',
  StakewatchValidatorRemoved: 'fleet',
  // A node or a validator.
  StakewatchValidatorNotUpgraded: 'chains',
  StakewatchUpgradeNear: 'chains',
}

/** A template of Prometheus. A label that the alert lacks sets no variable: an empty one would match nothing. */
export function dashboardLink(base: string, group: string, alert: string): string {
  const page = elsewhere[alert] ?? ofGroup[group]
  if (page === undefined) throw new Error(`no dashboard for the alerts of ${group}`)
  const parameters = variables[page].map(
    (label, at) => `{{ with $labels.${label} }}${at === 0 ? '?' : '&'}var-${label}={{ . | urlquery }}{{ end }}`,
  )
  return `${base}d/stakewatch-${page}${parameters.join('')}`
}
