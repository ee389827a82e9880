// Each receiver of the example configuration as the pager: amtool accepts it, and a real Alertmanager sends what the service
// expects to a local server in its place.

import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startSink } from '../support/sink.ts'
import { postJson } from '../support/post.ts'
import { exampleText } from './support/alertmanager.ts'
import { start, temporaryFolder } from './support/processes.ts'
import { eventually } from './support/scrape.ts'

const SERVICES = ['pagerduty', 'opsgenie', 'telegram', 'slack', 'discord', 'mail'] as const
type Service = (typeof SERVICES)[number]
/** What a webhook gets is Alertmanager's own form, without our texts around the annotations. */
type Pager = Service | 'webhook'

/** The one line that chooses the pager. */
const PAGER = /^( +- <<: \*)\w+( # who wakes .*)$/m
const withPager = (service: Pager) => exampleText.replace(PAGER, `$1${service}$2`)

const KEY = 'key-for-tests'
/** Where each service finds who sends. */
const CREDENTIALS: Readonly<Record<Service, string>> = {
  pagerduty: `"routing_key":"${KEY}"`,
  opsgenie: `GenieKey ${KEY}`,
  telegram: '/botTOKEN/sendMessage',
  slack: `/slack/${KEY}`,
  discord: '/discord/api/webhooks/ID/TOKEN',
  mail: `alertmanager@example.org\0${KEY}`,
}
const ALERT = {
  labels: {
    alertname: 'StakewatchValidatorDisconnected',
    severity: 'critical',
    job: 'stakewatch',
    network: 'fuji',
    subnet: 'primary',
    node_id: 'NodeID-a',
    validator: 'val_1',
  },
  annotations: {
    title: 'val_1 disconnected',
    action: 'Start the node of val_1.',
    summary: 'Most of the nodes are not connected to it.',
    description: 'val_1 (NodeID-a) of fuji/primary is disconnected.',
    runbook_url: 'https://wiki.example.org/StakewatchValidatorDisconnected.md',
    dashboard_url: 'https://grafana.example.org/d/stakewatch-validator?var-validator=val_1',
  },
}

interface Sent {
  path: string
  headers: Record<string, unknown>
  body: string
}

/** What these tests read of the form that Alertmanager sends to a webhook. */
interface WebhookMessage {
  status: string
  alerts: { annotations: unknown }[]
  truncatedAlerts: number
}

/** Ended in reverse. */
let endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.toReversed()) await end()
  endings = []
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return (server.address() as AddressInfo).port
}

/** Accepts every request as each of the services would. */
async function httpSink(sent: Sent[]): Promise<number> {
  const sink = await startSink(({ url, headers }, body, response) => {
    sent.push({ path: url!, headers, body })
    response.writeHead(url === '/pagerduty' || url!.startsWith('/v2/') ? 202 : 200)
    response.end(url!.includes('/bot') ? '{"ok":true,"result":{"message_id":1,"chat":{"id":-1}}}' : 'ok')
  })
  endings.push(sink.end)
  return sink.port
}

/** A mail server that accepts every mail. */
function mailSink(sent: Sent[]): Promise<number> {
  const server = createServer((socket) => {
    let pending = ''
    let mail: string | undefined
    const onLine = (line: string) => {
      if (mail === undefined) {
        if (line === 'DATA') mail = ''
        if (line.startsWith('EHLO')) socket.write('250-localhost\r\n250 AUTH PLAIN\r\n')
        else if (line.startsWith('AUTH')) {
          sent.push({ path: 'AUTH', headers: {}, body: Buffer.from(line.split(' ')[2]!, 'base64').toString() })
          socket.write('235 ok\r\n')
        } else socket.write(line === 'DATA' ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
      } else if (line === '.') {
        // Quoted-printable, with a soft break at the end of long lines.
        const body = mail
          .replaceAll('=\r\n', '')
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        sent.push({ path: 'DATA', headers: {}, body })
        mail = undefined
        socket.write('250 ok\r\n')
      } else mail += `${line}\r\n`
    }
    socket.write('220 localhost\r\n')
    socket.on('error', () => socket.destroy())
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      pending += chunk
      const lines = pending.split('\r\n')
      pending = lines.pop()!
      for (const line of lines) onLine(line)
    })
  })
  return listening(server)
}

/** The example with local addresses in place of those of the services, and no time to wait. */
function local(config: string, folder: string, http: number, smtp: number): string {
  const base = `http://127.0.0.1:${http}`
  const globals = [
    `pagerduty_url: ${base}/pagerduty`,
    `opsgenie_api_url: ${base}/`,
    `telegram_api_url: ${base}`,
    'smtp_require_tls: false',
  ]
  return config
    .replace('global:\n', `global:\n${globals.map((line) => `  ${line}\n`).join('')}`)
    .replaceAll('/etc/alertmanager/', `${folder}/keys/`)
    .replace('https://discord.com/', `${base}/discord/`)
    .replace('https://hooks.example.org/', `${base}/hooks/`)
    .replace('smtp.example.org:587', `localhost:${smtp}`)
    .replaceAll(/group_wait: \w+/g, 'group_wait: 0s')
    .replaceAll(/group_interval: \w+/g, 'group_interval: 1s')
}

async function startWith(service: Pager): Promise<{ sent: Sent[]; post: (...alerts: object[]) => Promise<string> }> {
  const sent: Sent[] = []
  const folder = await temporaryFolder()
  endings.push(folder.remove)
  const http = await httpSink(sent)
  await mkdir(join(folder.path, 'keys'))
  for (const name of ['pagerduty-key', 'opsgenie-key', 'mail-password']) {
    await writeFile(join(folder.path, 'keys', name), KEY)
  }
  await writeFile(join(folder.path, 'keys/slack-url'), `http://127.0.0.1:${http}/slack/${KEY}`)
  const file = join(folder.path, 'alertmanager.yml')
  await writeFile(file, local(withPager(service), folder.path, http, await mailSink(sent)))
  const alertmanager = start('prometheus-alertmanager', [
    `--config.file=${file}`,
    `--storage.path=${join(folder.path, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
    '--cluster.listen-address=',
  ])
  endings.push(alertmanager.end)
  const address = await alertmanager.said(/msg="Listening on" address=(\S+)/)
  return { sent, post: (...alerts) => postJson(`http://${address}/api/v2/alerts`, alerts) }
}

/** The first message with these words, as a reader sees it. */
async function saidBy(sent: readonly Sent[], service: Service, words: string): Promise<string> {
  const plain = ({ body }: Sent) => {
    const text = body.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\u0026`, '&')
    // Telegram takes forms; a mail has its title in a header.
    return service === 'telegram' && !text.startsWith('{') ? decodeURIComponent(text.replaceAll('+', ' ')) : text
  }
  const carrier = await eventually(`the page to ${service}`, async () =>
    sent.find((one) => one.path !== 'AUTH' && plain(one).includes(words)),
  )
  return plain(carrier)
}

describe.each([...SERVICES, 'webhook'] as const)('%s', (service) => {
  test('is a pager that amtool accepts, by the change of one line', async () => {
    const folder = await temporaryFolder()
    endings.push(folder.remove)
    const file = join(folder.path, 'alertmanager.yml')
    await writeFile(file, withPager(service))
    expect(exampleText.match(new RegExp(PAGER, 'gm'))).toHaveLength(1)
    expect(execFileSync('amtool', ['check-config', file], { encoding: 'utf8', stdio: 'pipe' })).toContain('SUCCESS')
  })
})

test('a webhook gets the annotations of five alerts, how many more there are, and the end', async () => {
  const { sent, post } = await startWith('webhook')
  const alerts = Array.from({ length: 7 }, (_, at) => ({ ...ALERT, labels: { ...ALERT.labels, window: `w-${at}` } }))
  await post(...alerts)
  // The first message may go out before Alertmanager has put all seven into the group; the next one has them all.
  const said = await eventually('all seven at the webhook', async () =>
    sent
      .map(({ path, body }) => ({ path, ...(JSON.parse(body) as WebhookMessage) }))
      .find((message) => message.alerts.length + message.truncatedAlerts === alerts.length),
  )
  expect([said.path, said.status, said.truncatedAlerts]).toEqual(['/hooks/alertmanager', 'firing', 2])
  expect(said.alerts.map(({ annotations }) => annotations)).toEqual(Array.from({ length: 5 }, () => ALERT.annotations))
  await post(...alerts.map((one) => ({ ...one, endsAt: new Date().toISOString() })))
  await eventually('the end at the webhook', async () => sent.find(({ body }) => body.includes('"status":"resolved"')))
})

describe.each(SERVICES)('%s', (service) => {
  test('gets how urgent it is, the title, the description, the action and both links, and the end', async () => {
    const { sent, post } = await startWith(service)
    await post(ALERT)
    const said = await saidBy(sent, service, 'CRITICAL')
    const { summary: _, title, action, ...others } = ALERT.annotations
    for (const part of [`CRITICAL ${title}`, `First: ${action}`, ...Object.values(others)]) expect(said).toContain(part)
    expect(said).not.toMatch(/<no value>|\{\{/)
    const all = sent.map((one) => `${one.path} ${String(one.headers['authorization'])} ${one.body}`).join('\n')
    expect(all).toContain(CREDENTIALS[service])

    await post({ ...ALERT, endsAt: new Date().toISOString() })
    await eventually(`the end to ${service}`, async () =>
      sent.find(({ path, body: end }) => /RESOLVED|"event_action":"resolve"/.test(end) || /close/.test(path)),
    )
  })

  test('gets no more of two hundred alerts than fits, with the action and the links whole', async () => {
    const { sent, post } = await startWith(service)
    const { labels, annotations } = ALERT
    const alerts = Array.from({ length: 200 }, (_, at) => ({
      labels: { ...labels, window: `window-${at}` },
      annotations: { ...annotations, description: `Window ${at}: ${'long '.repeat(300)}.` },
    }))
    await post(...alerts)
    const said = await saidBy(sent, service, 'and 195 more')
    expect(said).toContain('CRITICAL val_1 disconnected and 199 more')
    expect(said.match(/Window \d+: /g)).toHaveLength(5)
    for (const part of [`First: ${annotations.action}`, annotations.dashboard_url, annotations.runbook_url]) {
      expect(said).toContain(part)
    }
    // The limit of Discord and Telegram, with what surrounds the text.
    expect(said.length).toBeLessThanOrEqual(4_096)

    await post({ ...alerts[0], endsAt: new Date().toISOString() })
    const left = await saidBy(sent, service, 'CRITICAL val_1 disconnected and 198 more')
    expect(left).toContain('RESOLVED val_1 disconnected')
    expect(left.length).toBeLessThanOrEqual(4_096)
  })
})
