// The way of an answer into stakewatch: text, JSON, envelope, definition. It is the client's own but for the network.

import { BaseError } from '../../src/errors.ts'
import { secret, secretUrl } from '../../src/lib/secret.ts'
import { type Operation, parseAnswer, type Wire } from '../../src/operations/define.ts'
import { createJsonRpc } from '../../src/upstream/json-rpc.ts'
import { createRedactor } from '../../src/upstream/redact.ts'
import { createRest } from '../../src/upstream/rest.ts'
import type { Admission, Source } from '../../src/upstream/source.ts'
import { z } from 'zod'

/** What the network gave. `ID` in the text stands for the id of the request. */
export interface Canned {
  status: number
  headers: Readonly<Record<string, string | string[]>>
  text: string
  /** What the first request gets instead: the path without a route, before an operation has moved. */
  first?: { status: number; text: string }
  /** Asked twice: what was learned by the first answer counts for the second. */
  isTwice?: boolean
  /** Without a key, without a user, with a query in the address, and through a proxy. */
  isPlain?: boolean
}

export const ID = '"@id@"'
/** Stands in the address and in a header: no error may hold it. */
export const SECRET = 'k3y-of-the-source'

const never = new AbortController().signal
const admission: Admission = { open: async () => never, unsent: never, mayRetry: () => false, ended: () => {} }

export function sourceOf({ service }: Pick<Operation, 'service'>, isPlain = false): Source {
  if (isPlain)
    return { service, network: 'fuji', name: 'one', url: secretUrl(`http://10.0.0.5:9650/a/?k=${SECRET}&%zz`) }
  const url = secretUrl(`http://user:${SECRET}@10.0.0.5:9650/`)
  const source: Source = { service, network: 'fuji', name: 'one', url }
  return service === 'data' ? { ...source, key: { header: 'x-data-api-key', value: secret(SECRET) } } : source
}

/** Throws BaseError. */
export async function answerOf<O extends Operation>(operation: O, wire: Wire, canned: Canned) {
  const source = sourceOf(operation, canned.isPlain)
  let asked = 0
  const http = {
    send: ({ body }: { body?: string }) => {
      const { id } = Object(body === undefined ? {} : JSON.parse(body)) as { id?: unknown }
      asked += 1
      const { status, text } = asked === 1 && canned.first ? canned.first : canned
      const proxy = canned.isPlain && { proxy: secretUrl(`http://user:${SECRET}@10.0.0.9:3128`) }
      return Promise.resolve({ status, headers: canned.headers, text: text.replaceAll(ID, String(id)), ...proxy })
    },
    close: () => Promise.resolve(),
  }
  const ask = operation.service === 'node' ? createJsonRpc(http, { after: () => () => {} }) : createRest(http)
  try {
    if (canned.isTwice) await ask(source, operation, wire, admission)
    const { raw } = await ask(source, operation, wire, admission)
    return { ...parsed(operation, raw), raw }
  } catch (thrown) {
    if (!(thrown instanceof BaseError) || thrown.code === 'bug') throw thrown
    // It takes longer than all the rest.
    throw canned.text.includes(SECRET) ? createRedactor().redacted(thrown, source) : thrown
  }
}

function parsed<O extends Operation>(operation: O, raw: unknown) {
  try {
    return parseAnswer(operation, raw)
  } catch (thrown) {
    if (thrown instanceof z.ZodError) throw new BaseError('bad_response', 'the form', { details: thrown.message })
    throw thrown
  }
}
