// Paths of the endpoints about the daemon itself.

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

export type Endpoint = (typeof endpoints)[number]
export type PublicEndpoint = (typeof publicEndpoints)[number]
