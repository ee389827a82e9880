// Which operation a request asks for, as seen from between daemon and upstream.

import { pathOf, type Operation } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import type { Upstream } from './setting.ts'

export interface Named {
  operation: Operation | undefined
  /** Of the JSON-RPC call. */
  id: number | undefined
  /** The question without what differs from one call to the next. */
  question: string
}

const byName = new Map(operations.map((one) => [one.name, one]))
const routes = operations
  .filter(({ via }) => !('rpc' in via))
  .flatMap((operation) => {
    const { via } = operation
    const moved = 'get' in via && via.moved ? [via.moved.get] : []
    return [pathOf(operation), ...moved].map((path) => ({
      operation,
      method: 'post' in via ? 'POST' : 'GET',
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
  })

export function nameOf({ service }: Pick<Upstream, 'service'>, method: string, url: string, body: string): Named {
  if (service === 'node') {
    const { id, method: called = '', params } = JSON.parse(body) as { id?: number; method?: string; params?: unknown }
    return { operation: byName.get(called), id, question: `${url} ${called} ${JSON.stringify(params)}` }
  }
  const [path = ''] = url.split('?')
  const found = routes.find((route) => route.method === method && route.pattern.test(path))
  return { operation: found?.operation, id: undefined, question: `${method} ${url} ${body}` }
}
