// Credentials go to the address that the operator names, and to no other.

import { expect, test } from 'vitest'
import { inPackage, runCommand } from '../support/command.ts'
import { bare } from '../support/bare-server.ts'

const success = (data: unknown) => ({ body: JSON.stringify({ status: 'success', data }) })

const files = {
  ...inPackage,
  readFile: (path: string) => (path === '/secret' ? 'secret\n' : inPackage.readFile(path)),
}

/** With a password in its address, as other programs may report one. */
const withUser = (url: string) => url.replace('//', '//reported:password@')

/** A Prometheus to which another job exports our metric, an Alertmanager that it names, and that job's target. */
async function createTrap() {
  const target = await bare(() => ({ body: 'stakewatch_build_info 1\n' }))
  const alertmanager = await bare(() => ({ status: 401, body: '' }))
  const prometheus = await bare(({ url }) => {
    const labels = { job: 'other', instance: 'trap' }
    if (url.includes('/alertmanagers')) {
      return success({ activeAlertmanagers: [{ url: `${withUser(alertmanager.url)}/api/v2/alerts` }] })
    }
    if (url.includes('/targets')) {
      const scrapeUrl = `${withUser(target.url)}/metrics`
      return success({ activeTargets: [{ labels, scrapePool: 'other', scrapeUrl, lastError: '', health: 'up' }] })
    }
    if (url.includes('/rules')) return success({ groups: [] })
    if (url.includes('time()')) return success({ resultType: 'scalar', result: [0, '0'] })
    return success({ resultType: 'vector', result: [{ metric: labels, value: [0, '1'] }] })
  })
  const grafana = await bare(({ url }) => {
    const datasources = { p: { type: 'prometheus', name: 'p', jsonData: { directUrl: withUser(prometheus.url) } } }
    return { body: JSON.stringify(url.includes('settings') ? { appUrl: '', datasources } : { database: 'ok' }) }
  })
  return { target, alertmanager, prometheus, grafana }
}

type Trap = Awaited<ReturnType<typeof createTrap>>
type Server = keyof Trap

const all = ['target', 'alertmanager', 'prometheus', 'grafana'] as const

test.each<[string, string, readonly Server[], readonly Server[]]>([
  ['doctor, with what Prometheus names', 'doctor', ['prometheus'], ['target', 'alertmanager', 'prometheus']],
  ['doctor, with what Grafana names', 'doctor', ['grafana'], all],
  ['drill, with the Alertmanager that Prometheus names', 'drill', ['prometheus'], ['alertmanager', 'prometheus']],
  ['doctor, with addresses that are all given', 'doctor', all, all],
])('%s', async (_, command, trusted, asked) => {
  const trap = await createTrap()
  const flags = trusted.flatMap((name) =>
    name === 'target'
      ? [`--url=${trap.target.url}`, '--user=me', '--password-file=/secret']
      : [`--${name}=${trap[name].url}`, `--${name}.token-file=/secret`],
  )
  await runCommand([command, ...flags, '--header=X-Scope-OrgID: tenant'], files)
  const servers = Object.entries(trap)
  const names = (isSuch: (server: Trap[Server]) => boolean) =>
    servers.flatMap(([name, server]) => (isSuch(server) ? [name] : []))
  expect({
    asked: names((server) => server.asked.length > 0),
    trusted: names((server) => server.asked.some(({ headers }) => headers.authorization !== undefined)),
    // A tenant is no credential of the daemon's.
    tenants: names((server) => server.asked.some(({ headers }) => headers['x-scope-orgid'] === 'tenant')),
  }).toEqual({ asked, trusted, tenants: trusted.filter((name) => name !== 'target') })
})

test.each([
  ['doctor', '--prometheus.user', '--prometheus.user=me'],
  ['doctor', '--grafana.token-file', '--grafana.token-file=/secret'],
  ['drill', '--alertmanager.password-file', '--alertmanager.password-file=/secret'],
  ['silence', '--alertmanager.token-file', '--alertmanager.token-file=/secret'],
])('%s refuses %s without the address that it is for', async (command, named, flag) => {
  const prometheus = await bare(() => ({ status: 404, body: '' }))
  const more = command === 'drill' ? [`--prometheus=${prometheus.url}`] : []
  const { code, stderr } = await runCommand([command, flag, ...more], files)
  const server = /--(\w+)/.exec(flag)![1]
  expect([code, stderr]).toEqual([
    1,
    `${named}: give its address as --${server} too, because credentials go nowhere else`,
  ])
})

test.each(['--prometheus.user=me', '--prometheus.password-file=/secret'])(
  'a token is refused together with %s',
  async (flag) => {
    const flags = ['--prometheus=http://127.0.0.1:1', '--prometheus.token-file=/secret', flag]
    expect(await runCommand(['doctor', ...flags], files)).toMatchObject({
      code: 1,
      stderr: '--prometheus.token-file: a token is instead of a user: leave out one of the two',
    })
  },
)

test.each(['?key=SECRET', '#SECRET'])('an address with %s is refused, as what is asked would lack it', async (more) => {
  const { code, stderr } = await runCommand(['top', '--once', `--url=http://127.0.0.1:1/${more}`])
  expect(code).toBe(1)
  expect(stderr).toContain('Expected a base address without a query and a fragment')
  expect(stderr).not.toContain('SECRET')
})

test('doctor refuses a password for daemons that Prometheus names', async () => {
  const { prometheus } = await createTrap()
  const flags = [`--prometheus=${prometheus.url}`, '--user=me', '--password-file=/secret']
  expect(await runCommand(['doctor', ...flags], files)).toMatchObject({
    code: 1,
    stderr: '--user and --password-file go only to a daemon that you name: give its --url as well',
  })
})

test('a path that a daemon reports does not become a host', async () => {
  const elsewhere = await bare(() => ({ body: '' }))
  const telemetry_path = `@${new URL(elsewhere.url).host}/`
  const daemon = await bare(() => ({ body: JSON.stringify({ began: '1', seconds: 300, telemetry_path }) }))
  const prometheus = await bare(() =>
    success({ activeAlertmanagers: [], activeTargets: [], groups: [], resultType: 'vector', result: [] }),
  )
  const flags = [`--prometheus=${prometheus.url}`, `--url=${daemon.url}`, '--user=me', '--password-file=/secret']
  const { code } = await runCommand(['drill', ...flags], files)
  expect([code, elsewhere.asked]).toEqual([6, []])
})

test.each([
  ['no name', 'tenant'],
  ['a line end', 'X-Scope-OrgID: a\nAuthorization: b'],
  ['a name that is none', 'X Scope: a'],
  ['no value', 'X-Scope-OrgID: '],
  ['a header of the client', 'Host: elsewhere'],
])('a header is refused with %s, and its value is not shown', async (_, header) => {
  const { code, stderr } = await runCommand(['report', '--prometheus=http://127.0.0.1:1', `--header=${header}`], files)
  expect(code).toBe(1)
  expect(stderr).toMatch(/Expected a header|is set by stakewatch/)
})
