// A bare node:http server that sends the bytes of two files from memory: plain, or compressed for those who take that.

import { readFileSync } from 'node:fs'
import { serve } from '../process.ts'

const [, , plain, compressed] = process.argv as [string, string, string, string]
const bodies = { plain: readFileSync(plain), compressed: readFileSync(compressed) }
const type = 'text/plain; version=0.0.4; charset=utf-8'

serve((request, response) => {
  const isCompressed = request.headers['accept-encoding']?.includes('gzip') ?? false
  const body = isCompressed ? bodies.compressed : bodies.plain
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.length,
    ...(isCompressed && { 'content-encoding': 'gzip' }),
  })
  response.end(body)
})
