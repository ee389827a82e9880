// A node in a thread of its own, so that what it sends costs the test no time. A test sets how it answers.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

const VALIDATORS = 100_000
const MEGABYTE = 1_000_000

const validator = (at: number) =>
  `{"nodeID":"NodeID-${at}","txID":"${'t'.repeat(50)}","startTime":"1700000000","endTime":"1900000000","weight":"2000000000000","uptime":"99.5","connected":true,"delegationFee":"2.0000","potentialReward":"1","delegatorCount":"0","delegatorWeight":"0","validationRewardOwner":{"locktime":"0","threshold":"1","addresses":["${'P'.repeat(45)}"]}}`

/** What stands where the result of a call belongs. */
const results: Readonly<Record<string, () => string>> = {
  small: () => '{"validators":[]}',
  'a hundred thousand validators': () =>
    `{"validators":[${Array.from({ length: VALIDATORS }, (_, at) => validator(at)).join(',')}]}`,
  'half a million bad items': () => `{"validators":[${'1,'.repeat(499_999)}1]}`,
  'thirty million bad items': () => `{"validators":[${'1,'.repeat(30 * MEGABYTE - 1)}1]}`,
  'lists in lists': () => '['.repeat(60 * MEGABYTE),
  'a failure of 60 MB': () => 'x'.repeat(60 * MEGABYTE),
}

let mode = 'small'
let result = Buffer.from(results[mode]!())
parentPort!.on('message', (next: string) => {
  mode = next
  result = Buffer.from(results[next]!())
  parentPort!.postMessage('ready')
})

const server = createServer((request, response) => {
  let body = ''
  response.on('error', () => {})
  request.on('data', (piece) => (body += String(piece)))
  request.on('end', () => {
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    const isHeavy = method === 'platform.getCurrentValidators' && request.headers.host!.startsWith('127.0.0.1')
    response.writeHead(isHeavy && mode.startsWith('a failure') ? 500 : 200)
    response.write(`{"jsonrpc":"2.0","id":${id},"result":`)
    response.write(isHeavy ? result : '{"supply":"1","height":"1"}')
    response.end('}')
  })
})
server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port))
