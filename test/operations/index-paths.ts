// What each method of the index interface must do with its path (document 2): five indexes exist, others do not.

import { containersOf } from '../../src/simulator/handlers/container.ts'
import type { Place } from '../../src/simulator/handler.ts'
import type { World } from '../../src/simulator/world/world.ts'
import type { Cases, Texts } from './cases.ts'

/** The method, asked of each index; `body` is what must arrive in addition to the encoding. */
export function onEachIndex(params: Texts, body: object): Cases['asks'] {
  const sent = { ...body, encoding: 'hex' }
  return [
    { params: { ...params, chain: 'C', kind: 'block' }, request: 'POST /ext/index/C/block', body: sent },
    { params: { ...params, chain: 'P', kind: 'block' }, request: 'POST /ext/index/P/block', body: sent },
    { params: { ...params, chain: 'X', kind: 'tx' }, request: 'POST /ext/index/X/tx', body: sent },
    { params: { ...params, chain: 'X', kind: 'block' }, request: 'POST /ext/index/X/block', body: sent },
    {
      params: { ...params, chain: 'X', kind: 'vtx', encoding: 'hex' },
      request: 'POST /ext/index/X/vtx',
      body: sent,
    },
  ]
}

const ONLY_BLOCKS = 'only the X-Chain has an index of transactions and of vertices'

/** The method, asked of an index that does not exist, and for another encoding. */
export function onNoIndex(params: Texts): Cases['refuses'] {
  return [
    [{ ...params, chain: 'P', kind: 'tx' }, ONLY_BLOCKS],
    [{ ...params, chain: 'C', kind: 'vtx' }, ONLY_BLOCKS],
    [{ ...params, chain: 'Q', kind: 'block' }, 'expected one of "P"|"X"|"C"'],
    [{ ...params, chain: 'X', kind: 'blocks' }, 'expected one of "block"|"tx"|"vtx"'],
    [{ ...params, kind: 'block' }, 'chain'],
    [{ ...params, chain: 'P' }, 'kind'],
    [{ ...params, chain: 'X', kind: 'block', encoding: 'json' }, 'expected "hex"'],
  ]
}

/** The id of the first container that a simulated index holds; `path` names the index. */
export function firstIn(world: World, path: Texts): string {
  const place = { world, dialect: 'document' } as Place
  return containersOf(place, path as unknown as Parameters<typeof containersOf>[1]).at(0)!.id
}
