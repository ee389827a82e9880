// A bare node:http server that sends the bytes of two files from memory: plain, or compressed for those who take that.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from '../process.ts'

const [, , plain, compressed] = process.argv as [string, string, string, string]
const bodies = { plain: readFileSync(plain), compressed: readFileSync(compressed) }
const type = 'text/plain; version=0.0.4; charset=utf-8'

const server = createServer((request, response) => {
  const isCompressed = request.headers['accept-encoding']?.includes('gzip') ?? false
  const body = isCompressed ? bodies.compressed : bodies.plain
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.length,
    ...(isCompressed && { 'content-encoding': 'gzip' }),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  answer({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics` }, {})
})
