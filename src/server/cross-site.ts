// Requests that a page of another site makes a browser send. They carry what the browser knows, such as passwords, and come from
// inside the network, so they must not change anything.

import type { IncomingHttpHeaders } from 'node:http'
import { type Reply, textReply } from './routes.ts'

const REMEDY =
  'This request comes from a page of another site, which must not change anything here. Send it with a program such as curl.'

/** What a user typed, and our own pages. Programs such as curl send neither header. */
const OWN = ['same-origin', 'none']

export function refuseCrossSite(headers: IncomingHttpHeaders): Reply | undefined {
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn = site === undefined ? origin === undefined || hostOf(origin) === hostAsked(headers) : isOneOf(site)
  return isOwn ? undefined : textReply(403, REMEDY)
}

function isOneOf(site: string | string[]): boolean {
  return typeof site === 'string' && OWN.includes(site)
}

/** Browsers say `null` where they keep the origin to themselves. */
function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host || undefined
}

/** HTTP/2 has a name of its own for it. */
function hostAsked({ host, ':authority': authority }: IncomingHttpHeaders): string | undefined {
  const asked = host ?? (typeof authority === 'string' ? authority : undefined)
  // A URL leaves out the port that its scheme presets.
  return asked?.toLowerCase()
}
