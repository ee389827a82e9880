// The health check of the image, as a process against servers that are healthy and such that are not.

import { spawn } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { certificate } from './support/certificates.ts'

const program = fileURLToPath(new URL('../bin/healthcheck.cjs', import.meta.url))
const BASIC = `Basic ${btoa('health:hunter2')}`

/** As a daemon answers whose scheduler stands still, that asks for a password, and that has a prefix. */
const answers: RequestListener = ({ url, headers }, response) => {
  const paths: Readonly<Record<string, number>> = { '/-/healthy': 200, '/stalled/-/healthy': 503, '/-/ready': 503 }
  const isKnown = url?.startsWith('/secured') ? headers.authorization === BASIC : true
  response.writeHead(isKnown ? (paths[url!.replace('/secured', '')] ?? 404) : 401).end('text')
}

async function listening(host: string, isTls = true): Promise<number> {
  const made = certificate('stakewatch', { names: { dns: 'stakewatch.example.org' } })
  const server = isTls ? createTlsServer(made, answers) : createServer(answers)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

async function check(url: string, ...words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], { env: { STAKEWATCH_HEALTH_URL: url } })
  const [code, stdout, stderr] = await Promise.all([
    new Promise<number | null>((resolve) => child.on('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ])
  expect([stdout, stderr.includes('hunter2')]).toEqual(['', false])
  return `${code} ${stderr}`.trim()
}

test.each([
  ['http', '/-/healthy', '0'],
  ['http', '/stalled/-/healthy', '1 HTTP 503'],
  ['http', '/elsewhere', '1 HTTP 404'],
  ['http', '/secured/-/healthy', '1 HTTP 401'],
  ['http://health:hunter2@', '/secured/-/healthy', '0'],
  ['http://health:hunter2x@', '/secured/-/healthy', '1 HTTP 401'],
  // The certificate is that of another name, and signed by itself.
  ['https', '/-/healthy', '0'],
  ['https://health:hunter2@', '/secured/-/healthy', '0'],
])('%s, %s: %s', async (start, path, expected) => {
  const port = await listening('127.0.0.1', start.startsWith('https'))
  const before = start.includes('://') ? start : `${start}://`
  expect(await check(`${before}127.0.0.1:${port}${path}`)).toBe(expected)
})

test.each(['4711/hunter2', '4711?hunter2', '4711#hunter2', String.raw`4711\hunter2`])(
  'a password that would become the host is not sent: %s',
  async (password) => {
    expect(await check(`http://health:${password}@127.0.0.1:1/-/healthy`)).toBe(
      '1 STAKEWATCH_HEALTH_URL: percent-encode the password: / is %2F, ? is %3F, # is %23',
    )
  },
)

// The path of the URL up to its last word, and user and password, are those of the URL.
test.each([
  ['healthy', '0'],
  ['ready', '1 HTTP 503'],
])('with the word %s: %s', async (word, expected) => {
  const port = await listening('127.0.0.1')
  expect(await check(`https://health:hunter2@127.0.0.1:${port}/secured/-/healthy`, word)).toBe(expected)
})

test('a certificate of a host that is not its own is looked at', async () => {
  const port = await listening('127.0.0.2')
  expect(await check(`https://health:hunter2@127.0.0.2:${port}/secured/-/healthy`)).toBe(
    '1 DEPTH_ZERO_SELF_SIGNED_CERT',
  )
})

test('where no server listens, and where the URL is none', async () => {
  expect(await check('http://127.0.0.1:1/-/healthy')).toBe('1 ECONNREFUSED')
  const refused = '1 STAKEWATCH_HEALTH_URL is no URL such as https://127.0.0.1:19650/-/healthy'
  expect(await check('health:hunter2')).toBe(refused)
  expect(await check('127.0.0.1:19650')).toBe(refused)
})
