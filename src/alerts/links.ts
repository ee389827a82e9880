// The links of an alert: its runbook, and the dashboard with the metrics of the rule, filtered by the labels of the alert.

export const RUNBOOKS = 'https://stakewatch.example/runbooks/'
/** The default address of Grafana, also in deploy/compose. */
export const DASHBOARDS = 'http://localhost:3000/'

/** The variables of each dashboard that match labels of alerts, outermost first. */
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
  'stakewatch-maintenance': 'validator',
  'stakewatch-upstreams': 'self',
  'stakewatch-self': 'self',
}

/** Alerts about validators that another dashboard than the validator page shows. */
const elsewhere: Readonly<Record<string, Page>> = {
  StakewatchValidatorUnobserved: 'fleet',
  StakewatchValidatorRemoved: 'fleet',
  // A node or a validator.
  StakewatchValidatorNotUpgraded: 'chains',
  StakewatchUpgradeNear: 'chains',
  StakewatchMaintenanceStallsL1: 'l1s',
}

/** A Prometheus template. A missing label sets no variable: an empty variable would match nothing. */
export function dashboardLink(base: string, group: string, alert: string): string {
  const page = elsewhere[alert] ?? ofGroup[group]
  if (page === undefined) throw new Error(`no dashboard for the alerts of ${group}`)
  const parameters = variables[page].map(
    (label, at) => `{{ with $labels.${label} }}${at === 0 ? '?' : '&'}var-${label}={{ . | urlquery }}{{ end }}`,
  )
  return `${base}d/stakewatch-${page}${parameters.join('')}`
}
