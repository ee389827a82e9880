// A server whose answers are written in the test: it knows nothing of our definitions.

import { createHostileServer } from './hostile-server.ts'

type Asked = Awaited<ReturnType<typeof createHostileServer>>['received'][number]

/** Lives as long as the test. */
export async function bare(answer: (asked: Asked, number: number) => { status?: number; body: string }) {
  const { url, received } = await createHostileServer((response, request, number) => {
    const { status = 200, body } = answer(request, number)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  return { url, asked: received }
}

/** A node that answers each method with this result, or with this error. */
export async function bareNode(answer: (method: string, params: unknown) => { result: string } | { error: string }) {
  const { url, asked } = await bare(({ body }) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown }
    const said = answer(method, params)
    const member =
      'result' in said ? `"result":${said.result}` : `"error":{"code":-32000,"message":${JSON.stringify(said.error)}}`
    return { body: `{"jsonrpc":"2.0",${member},"id":${id}}` }
  })
  const calls = () => asked.map(({ body }) => JSON.parse(body) as { method: string; params: unknown })
  return { url, asked, calls }
}
