// Paths of the endpoints about the daemon itself.

export const endpoints = ['/', '/api/v1/status', '/config', '/sd', '/runbooks', '/runbooks/:name'] as const

export type Endpoint = (typeof endpoints)[number]
