// Setups of Alertmanager that are broken, what doctor finds in each, and its advice as a pattern: what it takes from the text of
// the advice is what the repair uses.

import { postJson } from '../../support/post.ts'
import { type AlertmanagerFile, alertsAt, type Chain, type Route } from './doctor.ts'
import type { Case } from './doctor-prometheus.ts'
import { eventually } from './scrape.ts'

type Written = Omit<Case, 'break' | 'repair'>

/** Breaks the healthy file. `repaired` takes values from the advice. */
function filed(
  written: Written,
  edit: (file: AlertmanagerFile, chain: Chain) => void,
  repaired?: (file: AlertmanagerFile, advice: RegExpExecArray) => void,
): Case {
  return {
    ...written,
    async break(chain) {
      const file = chain.healthySender()
      edit(file, chain)
      await chain.loadSender(file)
    },
    ...(repaired && {
      async repair(chain: Chain, advice: RegExpExecArray) {
        const file = chain.healthySender()
        edit(file, chain)
        repaired(file, advice)
        await chain.loadSender(file)
      },
    }),
  }
}

/** The child of the first route whose receiver is this. */
const routeTo = ({ route }: AlertmanagerFile, receiver: string): Route =>
  route.routes!.find((one) => one.receiver === receiver)!
const receiver = ({ receivers }: AlertmanagerFile, name: string) => receivers.find((one) => one.name === name)!

function silenced(written: Written, matchers: readonly object[]): Case {
  return {
    ...written,
    async break(chain) {
      await postJson(`${chain.alertmanager.url}/api/v2/alerts`, [
        {
          labels: {
            alertname: 'StakewatchWalletLow',
            severity: 'critical',
            job: 'stakewatch',
            network: 'fuji',
            address: 'doctor',
          },
        },
      ])
      await eventually('the alert is there', async () =>
        (await alertsAt(chain.alertmanager)).includes('StakewatchWalletLow'),
      )
      const now = Date.now()
      await postJson(`${chain.alertmanager.url}/api/v2/silences`, {
        matchers,
        startsAt: new Date(now).toISOString(),
        endsAt: new Date(now + 3_600_000).toISOString(),
        createdBy: 'a colleague',
        comment: 'too loud',
      })
      await eventually('the silence is in effect', async () =>
        /"silencedBy":\["/.test(await textAt(chain, '/api/v2/alerts')),
      )
    },
    async repair(chain, [, id]) {
      const answer = await fetch(`${chain.alertmanager.url}/api/v2/silence/${id}`, { method: 'DELETE' })
      if (!answer.ok) throw new Error(`no such silence: ${id}`)
    },
  }
}

const textAt = async ({ alertmanager }: Chain, path: string) => (await fetch(`${alertmanager.url}${path}`)).text()

const watchdog = { check: 'alertmanager/watchdog', level: 'failed' } as const
const asExample = /route StakewatchWatchdog to a service outside, as alertmanager\.example\.yml does/

export const alertmanagerCases: readonly Case[] = [
  filed(
    {
      what: 'critical alerts go to a receiver without an address',
      check: 'alertmanager/critical',
      level: 'failed',
      found: /^critical alerts go to the receiver pager, which has no address$/,
      fix: /give the receiver (\w+) one, such as pagerduty_configs/,
    },
    (file) => delete receiver(file, 'pager')['pagerduty_configs'],
  ),
  filed(
    {
      what: 'some critical alerts go to a receiver without an address',
      check: 'alertmanager/critical',
      level: 'failed',
      found: /^StakewatchWalletLow may go to the receiver dashboard-only, which has no address$/,
      fix: /route severity="critical" to a receiver that has/,
    },
    ({ route }) => route.routes!.unshift({ receiver: 'dashboard-only', matchers: ['alertname = StakewatchWalletLow'] }),
  ),
  filed(
    {
      what: 'critical alerts of one network may go to a receiver without an address',
      check: 'alertmanager/critical',
      level: 'failed',
      found: /^critical alerts go to the receiver dashboard-only, which has no address$/,
      fix: /route severity="critical" to a receiver that has/,
    },
    ({ route }) => route.routes!.unshift({ receiver: 'dashboard-only', matchers: ['network = fuji'] }),
  ),
  filed(
    {
      what: 'warnings go to a receiver without an address',
      check: 'alertmanager/warnings',
      level: 'warning',
      found: /^warning alerts go to the receiver team, which has no address$/,
      fix: /give the receiver (\w+) one/,
    },
    (file) => delete receiver(file, 'team')['slack_configs'],
  ),
  filed(
    {
      what: 'an address is that of the example',
      check: 'alertmanager/warnings',
      level: 'warning',
      found: /^the receiver team still has the placeholder on-call@example\.org$/,
      fix: /write your own address in its place$/,
    },
    (file) =>
      Object.assign(receiver(file, 'team'), {
        slack_configs: undefined,
        email_configs: [{ to: 'on-call@example.org', from: 'alerts@mail.internal', smarthost: '127.0.0.1:1' }],
      }),
  ),
  filed(
    {
      what: 'an inhibition swallows pages',
      check: 'alertmanager/inhibition',
      level: 'failed',
      found:
        /^an inhibition may suppress every page: source_matchers \[alertname="StakewatchNodesDown"\], target_matchers \[job="stakewatch"\]$/,
      fix: /remove it from inhibit_rules, or add (severity!="critical") to its target_matchers/,
    },
    ({ inhibit_rules }) => {
      inhibit_rules.push({
        source_matchers: ['alertname = StakewatchNodesDown'],
        target_matchers: ['job = stakewatch'],
        equal: ['network'],
      })
    },
    ({ inhibit_rules }, [, matcher]) => (inhibit_rules.at(-1)!['target_matchers'] as string[]).push(matcher!),
  ),
  filed(
    {
      what: 'an inhibition in the old form swallows one page',
      check: 'alertmanager/inhibition',
      level: 'failed',
      found: /^an inhibition may suppress StakewatchWalletLow: /,
      fix: /remove it from inhibit_rules/,
    },
    ({ inhibit_rules }) => {
      inhibit_rules.push({
        source_match: { alertname: 'StakewatchDataServiceBehind' },
        target_match_re: { alertname: 'StakewatchWallet(Low|Unknown)' },
        equal: ['network'],
      })
    },
  ),
  filed(
    {
      what: 'two validators are one group',
      check: 'alertmanager/grouping',
      level: 'warning',
      found: /^the receiver pager gets pages about different things as one group: group_by lacks /,
      fix: /add to group_by of the route to pager: ([\w, ]+) \(as in alertmanager\.example\.yml\)$/,
    },
    (file) => (routeTo(file, 'pager')['group_by'] = ['job', 'alertname', 'network', 'subnet']),
    (file, [, labels]) => (routeTo(file, 'pager')['group_by'] as string[]).push(...labels!.split(', ')),
  ),
  filed(
    {
      what: 'pages wait',
      check: 'alertmanager/delay',
      level: 'warning',
      found: /^the route to pager waits 10m before it sends a page$/,
      fix: /set group_wait: (\w+) in the route to pager$/,
    },
    (file) => (routeTo(file, 'pager')['group_wait'] = '10m'),
    (file, [, time]) => (routeTo(file, 'pager')['group_wait'] = time),
  ),
  filed(
    {
      what: 'no pages at the weekend',
      check: 'alertmanager/delay',
      level: 'warning',
      found: /^the route to pager sends no pages at some times: weekend$/,
      fix: /remove mute_time_intervals and active_time_intervals from the route to pager$/,
    },
    (file) => {
      file['time_intervals'] = [{ name: 'weekend', time_intervals: [{ weekdays: ['saturday', 'sunday'] }] }]
      routeTo(file, 'pager')['mute_time_intervals'] = ['weekend']
    },
  ),
  filed(
    {
      ...watchdog,
      what: 'the watchdog goes to a receiver without an address',
      found: /^the watchdog goes to the receiver dashboard-only, which has no address$/,
      fix: asExample,
    },
    (file) => (routeTo(file, 'dead-mans-switch').receiver = 'dashboard-only'),
  ),
  filed(
    {
      ...watchdog,
      what: 'the watchdog goes to the pager',
      found: /^the watchdog goes to pager, which gets the pages$/,
      fix: asExample,
    },
    (file) => (routeTo(file, 'dead-mans-switch').receiver = 'pager'),
  ),
  filed(
    {
      ...watchdog,
      level: 'warning',
      what: 'the watchdog goes to a service on the same machine',
      found: /^the watchdog goes to localhost, which may fail together with Alertmanager$/,
      fix: asExample,
    },
    (file, { receivers }) =>
      (receiver(file, 'dead-mans-switch')['webhook_configs'] = [
        { url: `http://localhost:${receivers.address.split(':')[1]}/`, send_resolved: false },
      ]),
  ),
  filed(
    {
      ...watchdog,
      what: 'the address of the watchdog is that of the example',
      found: /^the receiver dead-mans-switch still has the placeholder https:\/\/hc-ping\.com\/UUID$/,
      fix: asExample,
    },
    (file, { receivers }) =>
      (receiver(file, 'dead-mans-switch')['webhook_configs'] = [
        { url: 'https://hc-ping.com/UUID', http_config: { proxy_url: `http://${receivers.address}` } },
      ]),
  ),
  filed(
    {
      ...watchdog,
      level: 'warning',
      what: 'the watchdog is sent once in four hours',
      found: /^the watchdog is sent every 4h: /,
      fix: /set group_interval: (\w+) and repeat_interval: (\w+) in the route to dead-mans-switch$/,
    },
    (file) => Object.assign(routeTo(file, 'dead-mans-switch'), { group_interval: '5m', repeat_interval: '4h' }),
    (file, [, group_interval, repeat_interval]) =>
      Object.assign(routeTo(file, 'dead-mans-switch'), { group_interval, repeat_interval }),
  ),
  {
    what: 'a receiver refuses what it is sent',
    check: 'alertmanager/notifications',
    level: 'failed',
    found: /^\d+ of \d+ requests? to webhook failed since its configuration was loaded$/,
    fix: /correct the address or key of webhook, and reload/,
    async break(chain) {
      const file = chain.healthySender()
      // Under its old name it was notified a moment ago.
      routeTo(file, 'dead-mans-switch').receiver = 'other-switch'
      file.receivers.push({
        name: 'other-switch',
        webhook_configs: [
          { url: 'http://hc-ping.com/gone', http_config: { proxy_url: `http://${chain.receivers.address}` } },
        ],
      })
      chain.receivers.statuses.set('http://hc-ping.com/gone', 500)
      await chain.loadSender(file)
      const before = await failedAt(chain)
      await eventually('Prometheus has seen it fail, and it has failed again', async () => {
        const seen = await seenBy(chain)
        return seen > before && (await failedAt(chain)) > seen
      })
    },
    repair: (chain) => chain.loadSender(chain.healthySender()),
  },
  silenced(
    {
      what: 'a silence hides a page',
      check: 'alertmanager/silences',
      level: 'warning',
      found:
        /^the silence \S+ \(by a colleague, until \S+: too loud\) hides a critical alert now: StakewatchWalletLow$/,
      fix: /expire it: amtool silence expire (\S+)$/,
    },
    [{ name: 'address', value: 'doctor', isRegex: false, isEqual: true }],
  ),
  silenced(
    {
      what: 'a silence hides every page',
      check: 'alertmanager/silences',
      level: 'failed',
      found: /^the silence \S+ \(by a colleague, until \S+: too loud\) hides every page$/,
      fix: /expire it: amtool silence expire (\S+)$/,
    },
    [{ name: 'severity', value: 'critical|warning', isRegex: true, isEqual: true }],
  ),
  {
    what: 'Alertmanager refused its configuration',
    check: 'alertmanager/reload',
    level: 'failed',
    found: /^Alertmanager refused its changed configuration$/,
    fix: /correct it \(amtool check-config\), and reload/,
    async break({ alertmanager }) {
      if ((await alertmanager.reload({ 'alertmanager.yml': 'route: {}' })).isAccepted)
        throw new Error('it takes no route')
    },
    repair: (chain) => chain.loadSender(chain.healthySender()),
  },
]

const FAILED = 'alertmanager_notification_requests_failed_total'

async function failedAt(chain: Chain): Promise<number> {
  return Number(new RegExp(`${FAILED}\\{integration="webhook"\\} (\\d+)`).exec(await textAt(chain, '/metrics'))?.[1])
}

async function seenBy({ prometheus }: Chain): Promise<number> {
  const query = new URLSearchParams({ query: `${FAILED}{integration="webhook"}` })
  const answer = (await (await fetch(`${prometheus.url}/api/v1/query?${String(query)}`)).json()) as {
    data: { result: { value: [number, string] }[] }
  }
  return Number(answer.data.result[0]?.value[1])
}
