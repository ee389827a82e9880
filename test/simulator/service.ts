// The data service of a world without the network in between, and lists read page by page.

import { handlers } from '../../src/simulator/handlers/index.ts'
import { createPaging } from '../../src/simulator/services/paging.ts'
import { answerRest } from '../../src/simulator/services/rest-server.ts'
import type { Dialect } from '../../src/simulator/handler.ts'
import type { World } from '../../src/simulator/world/world.ts'

/** Asks for a path and gives the body; throws where the answer is not 200. */
export type Read = (path: string) => Record<string, unknown>

export function serviceOf(world: World, dialect: Dialect = 'document'): Read {
  const place = { world, paging: createPaging(1), dialect }
  return (path) => {
    const asked = { method: 'GET', url: path, host: '', contentType: undefined, key: undefined, body: '' }
    const { reply } = answerRest('data', handlers, place, asked)
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`)
    return JSON.parse(reply.text) as Record<string, unknown>
  }
}

/** Every page of a list to its end; `between` happens before each page but the first. */
export function pagesOf<T>(read: Read, path: string, items: string, between: () => void = () => {}): T[][] {
  const pages: T[][] = []
  for (let token: string | undefined = ''; token !== undefined;) {
    if (pages.length > 0) between()
    const body = read(`${path}${path.includes('?') ? '&' : '?'}${token === '' ? '' : `pageToken=${token}`}`)
    pages.push(body[items] as T[])
    token = body['nextPageToken'] as string | undefined
  }
  return pages
}
