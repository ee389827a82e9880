// How the daemon refuses a drill, and what the command says then.

import { expect, onTestFinished, test } from 'vitest'
import { begin, type Chain } from '../../../src/commands/drill/chain.ts'
import { daemonOf } from '../../../src/commands/http-target.ts'
import type { Io } from '../../../src/commands/io.ts'
import { runCommand } from '../../support/command.ts'
import { closedPort } from '../../support/hostile-server.ts'
import { startSink } from '../../support/sink.ts'
import { NOT_OVER_TLS } from '../../../src/server/server.ts'

const daemon = daemonOf({ url: 'http://localhost:19650' }, {} as Io)

test.each([
  [
    400,
    NOT_OVER_TLS.split('\r\n\r\n')[1]!,
    'localhost:19650 answers with HTTP 400: if it speaks TLS, give --url=https://HOST:PORT, and --tls.ca-file if its authority is your own',
  ],
  [400, 'Unknown severity. Expected critical.', 'localhost:19650: Unknown severity. Expected critical.'],
  [403, 'Drills are off.', 'localhost:19650: Drills are off.'],
  [409, 'A drill goes on.', 'localhost:19650: A drill goes on.'],
  [401, 'Unauthorized', 'localhost:19650 answers with HTTP 401: give --user and --password-file'],
])('%i, %s', async (status, text, message) => {
  const http = { send: async () => ({ status, text, headers: {} }) } as unknown as Chain['http']
  await expect(begin({ http, daemon } as Chain, new URLSearchParams())).rejects.toThrow(message)
})

test('a password that is wrong is not asked for', async () => {
  const http = { send: async () => ({ status: 401, text: 'Unauthorized', headers: {} }) } as unknown as Chain['http']
  const known = daemonOf({ url: 'http://ops:guess@localhost:19650' }, {} as Io)
  await expect(begin({ http, daemon: known } as Chain, new URLSearchParams())).rejects.toThrow(
    /HTTP 401: the user, password or token is wrong$/,
  )
})

test.each([
  ['its severity', ['--label=severity=warning'], 'give it as --severity'],
  ['its time', ['--label=for=15m'], 'give it as --for'],
  ['a label twice', ['--label=network=fuji', '--label=network=mainnet'], 'The label network is given twice.'],
])('a label does not replace %s', async (_, flags, message) => {
  const { code, stderr } = await runCommand(['drill', '--prometheus=http://127.0.0.1:1', ...flags])
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})

/** A Prometheus without rules, targets and Alertmanagers. */
async function emptyPrometheus(): Promise<string> {
  const data = { resultType: 'vector', result: [], activeTargets: [], groups: [], activeAlertmanagers: [] }
  const { url, end } = await startSink((request, _, response) => {
    response.end(request.url === '/metrics' ? '' : JSON.stringify({ status: 'success', data }))
  })
  onTestFinished(end)
  return url
}

test.each([
  ['Prometheus', 'scraped', async () => [`--prometheus=${await closedPort()}`]],
  ['the daemon', 'exposed', async () => [`--prometheus=${await emptyPrometheus()}`, `--url=${await closedPort()}`]],
])('%s that does not answer is a step that is unknown', async (_, step, flags) => {
  const words = ['drill', ...(await flags())]
  const { code, stdout } = await runCommand([...words, '--json'])
  const found = expect.stringMatching(/^127\.0\.0\.1:\d+: the connection failed \(ECONNREFUSED\)/) as unknown
  expect([code, JSON.parse(stdout)]).toEqual([
    10,
    {
      worst: 'unknown',
      steps: [
        { step, level: 'unknown', seconds: expect.any(Number), found, fix: 'make it answer, and begin another drill' },
      ],
    },
  ])
  expect((await runCommand(words)).stdout).toMatch(
    new RegExp(`^ +\\d+\\.\\d s  NOT ${step} .*\\n +fix: make it answer`),
  )
})

test.each([
  ['before it begins', 'query=stakewatch_build_info', []],
  ['while it goes on', 'query=stakewatch_drill', ['POST', 'DELETE']],
])('one that is stopped %s ends at once though Prometheus hangs', async (_, query, expected) => {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const data = { resultType: 'vector', result: [], activeTargets: [], groups: [], activeAlertmanagers: [] }
  const methods: string[] = []
  const { url, end } = await startSink(({ method = '', url: path }, body, response) => {
    if (path?.startsWith('/-/drill')) methods.push(method)
    if (path?.startsWith('/-/drill')) return response.end('{"began":"1","seconds":60,"telemetry_path":"/drills"}')
    if (path === '/drills') return response.end('stakewatch_drill{began="1"} 1\n')
    if (decodeURIComponent(body).startsWith(query)) return stop()
    return response.end(path === '/metrics' ? '' : JSON.stringify({ status: 'success', data }))
  })
  onTestFinished(end)
  const { code, stderr } = await runCommand(['drill', `--prometheus=${url}`, `--url=${url}`], { stopped })
  expect({ code, stderr, methods }).toEqual({
    code: 9,
    stderr: expect.stringContaining('stopped: the drill has ended') as unknown,
    methods: expected,
  })
})
