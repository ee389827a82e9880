// A bare server that sends the bytes of two files from memory: plain, or compressed for those who take that.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [, , plain, compressed] = process.argv as [string, string, string, string]
const bodies = { identity: readFileSync(plain), gzip: readFileSync(compressed) }

const server = createServer((request, response) => {
  const encoding = request.headers['accept-encoding'] === 'gzip' ? 'gzip' : 'identity'
  response.writeHead(200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'content-length': bodies[encoding].length,
    'content-encoding': encoding,
  })
  response.end(bodies[encoding])
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
