// Which alerts doctor says that Prometheus drops, or strips of labels, before it sends them.

import { expect, test } from 'vitest'
import { prometheusServer } from '../../../src/commands/doctor/checks/prometheus-server.ts'
import { thresholds } from '../../../src/alerts/thresholds.ts'

const { judge } = prometheusServer.find(({ name }) => name === 'prometheus/alert-relabelling')!

const DEFAULTS = { action: 'replace', source_labels: [], separator: ';', regex: '(.*)' }

const found = (...rules: readonly object[]) => {
  const config = {
    global: { external_labels: { site: 'a' } },
    alerting: { alert_relabel_configs: rules.map((rule) => ({ ...DEFAULTS, ...rule })) },
  }
  return judge({ config }, { limits: thresholds } as Parameters<typeof judge>[1]).map(({ level, found }) => [
    level,
    found,
  ])
}

test.each([
  ['no rule', [], []],
  ['another severity', [{ action: 'drop', source_labels: ['severity'], regex: 'info' }], 'ok'],
  ['a label that is not known', [{ action: 'drop', source_labels: ['subnet'], regex: '.+' }], 'ok'],
  ['a replica', [{ action: 'labeldrop', regex: 'replica' }], 'ok'],
  [
    'pages',
    [{ action: 'drop', source_labels: ['severity'], regex: 'critical' }],
    'drops every page: action drop source_labels [severity] regex critical',
  ],
  [
    'what is not kept',
    [{ action: 'keep', source_labels: ['severity', 'site'], separator: '/', regex: 'critical/b' }],
    'drops every page: action keep source_labels [severity, site] regex critical/b',
  ],
  [
    'one page',
    [{ action: 'drop', source_labels: ['alertname'], regex: 'StakewatchNodesDown' }],
    'drops StakewatchNodesDown: action drop source_labels [alertname] regex StakewatchNodesDown',
  ],
  [
    'a label by which alerts are routed',
    [{ action: 'labeldrop', regex: 'sev.*|node_id' }],
    'drops the labels severity and node_id of alerts: action labeldrop regex sev.*|node_id',
  ],
  [
    'labels that are not kept',
    [{ action: 'labelkeep', regex: 'alertname|severity|network|subnet|node_id|validator|source|chain' }],
    'drops the label address of alerts: action labelkeep regex alertname|severity|network|subnet|node_id|validator|source|chain',
  ],
] as const)('alert_relabel_configs: %s', (_, rules, said) => {
  const expected =
    typeof said === 'object' ? [] : [said === 'ok' ? ['ok', 'no rule drops a page'] : ['failed', `Prometheus ${said}`]]
  expect(found(...rules)).toEqual(expected)
})
