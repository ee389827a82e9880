// The endpoints about the daemon itself, loaded at the first request for one of them: a daemon that only Prometheus scrapes
// does not load the code of pages.

import type { Config } from '../config/schema.ts'
import type { Shard } from '../lib/shard.ts'
import type { Page } from '../server/routes.ts'
import type { EndpointOptions } from './endpoints.ts'
import type { LiveOptions } from './value/live.ts'

export const endpoints = [
  '/',
  '/validators/:name',
  '/watched',
  '/upstreams',
  '/tasks',
  '/api/v1/status',
  '/config',
  '/sd',
  '/runbooks',
  '/runbooks/:name',
] as const

/** What anyone may see, where the configuration has a public page. */
export const publicEndpoints = ['/public', '/public.json'] as const

export function pagesOf(options: LiveOptions & Omit<EndpointOptions, 'status'>): Page[] {
  return loadedWhenAsked(endpoints, async () => {
    const [{ endpointsOf }, { liveStatus }] = await Promise.all([import('./endpoints.ts'), import('./value/live.ts')])
    return endpointsOf({ ...options, status: liveStatus(options) })
  })
}

/** The public page alone. */
export function publicPagesOf(options: Omit<LiveOptions, 'version'>): Page[] {
  return loadedWhenAsked(publicEndpoints, async () => {
    const [{ publicEndpointsOf }, { livePublicStatus }] = await Promise.all([
      import('./endpoints.ts'),
      import('./value/public.ts'),
    ])
    return publicEndpointsOf(livePublicStatus(options))
  })
}

function loadedWhenAsked<Path extends string>(
  paths: readonly Path[],
  load: () => Promise<Readonly<Record<Path, Page['answer']>>>,
): Page[] {
  let loading: ReturnType<typeof load> | undefined
  return paths.map((path) => ({
    path,
    async answer(asked) {
      loading ??= load()
      return (await loading)[path](asked)
    },
  }))
}

/** There may be more shards than parts to divide. */
export async function isIdleShard(config: Config, shard: Shard): Promise<boolean> {
  const [{ collectors }, { planOf }] = await Promise.all([
    import('../collectors/index.ts'),
    import('../scheduler/shard.ts'),
  ])
  return planOf(config, collectors, shard).length === 0
}
