// The daemon behind a firewall: it reaches its upstreams through a proxy with a password, and one of them wants a certificate.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { valueOf } from '../support/exposition.ts'
import { authority } from '../support/certificates.ts'
import { createProxyServer } from '../support/proxy-server.ts'
import { createTlsUpstream } from '../support/tls-upstream.ts'
import { start, temporaryFolder } from './support/processes.ts'
import { program } from './support/release.ts'
import { eventually } from './support/scrape.ts'
import { startSmallNetwork } from './support/small-network.ts'

const PASSWORD = 'hunter2hunter2'

test('it reaches all upstreams through proxies, and says nothing of their passwords', async () => {
  const endings: (() => Promise<unknown>)[] = []
  onTestFinished(async () => {
    for (const end of endings.toReversed()) await end()
  })
  const folder = await temporaryFolder()
  endings.push(folder.remove)
  const inFolder = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
  const network = await startSmallNetwork(endings)
  const [node] = network.nodes as [(typeof network.nodes)[number]]
  const [ofEnvironment, ofService] = [
    await createProxyServer({ user: `user:${PASSWORD}` }),
    await createProxyServer({ user: `user:${PASSWORD}` }),
  ]
  const service = await createTlsUpstream({ asksClients: true, behind: network.dataUrl })
  inFolder('cert.pem', service.client.cert)
  inFolder('key.pem', service.client.key)
  inFolder('ca.pem', authority('another').cert)
  inFolder('proxy', `${ofService.url(`user:${PASSWORD}`)}\n`)
  inFolder(
    'stakewatch.yml',
    `
networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "${node.url}" }
    data_api:
      url: ${service.url}
      proxy_file: proxy
      tls_config: { ca_file: ca.pem, cert_file: cert.pem, key_file: key.pem }
    chains: [{ id: p-chain }]
defaults: { timeout: 5s }
collectors: { primary-blocks: { every: 1s } }
`,
  )
  const daemon = start(
    process.execPath,
    [program, `--config.file=${join(folder.path, 'stakewatch.yml')}`, '--web.listen-address=127.0.0.1:0'],
    { http_proxy: ofEnvironment.url(`user:${PASSWORD}`), no_proxy: '', NO_PROXY: '' },
  )
  endings.push(daemon.end)
  const address = await daemon.said(/address=(127\.0\.0\.1:\d+)/)
  const read = async (path: string) => (await fetch(`http://${address}${path}`)).text()
  const isUp = async (source: string) => valueOf(await read('/metrics'), 'stakewatch_upstream_up', { source })

  await eventually('the node answers', async () => (await isUp('node-a')) === 1)
  await daemon.said(/source=data-api code=network reason="(the connection failed through the proxy \S+ .*ca_file)"/)
  await eventually('the exposition says so', async () => (await isUp('data-api')) === 0)
  inFolder('ca.pem', service.ca)
  daemon.signal('SIGHUP')
  await eventually('the service answers', async () => (await isUp('data-api')) === 1)

  expect(new Set(service.clients)).toEqual(new Set(['the daemon']))
  expect(new Set(ofService.asked)).toEqual(new Set([`CONNECT ${new URL(service.url).host}`]))
  expect(ofEnvironment.asked.every((one) => one.startsWith(`POST ${node.url}/`))).toBe(true)
  const config = await read('/config')
  expect(config).toContain(`proxy: http://<secret>@${ofService.host}\n`)
  for (const text of [config, await read('/'), await read('/metrics'), daemon.stderr(), daemon.stdout()]) {
    expect(text).not.toContain(PASSWORD)
    expect(text).not.toContain('PRIVATE KEY')
  }
})
