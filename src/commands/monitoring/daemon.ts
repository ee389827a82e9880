// A running stakewatch, by what it serves about itself.

import { BaseError } from '../../errors.ts'
import { printableLines } from '../../lib/printable.ts'
import type { Http } from '../../upstream/http.ts'
import { askTarget, exchangeWith, shownOf, statusError, type Target } from '../http-target.ts'
import { samplesOf } from './foreign.ts'

export interface Ready {
  isReady: boolean
  /** Lines for people. */
  text: string
  /** What its clock says, and ours meanwhile (milliseconds since the epoch). */
  clock: { its: number; ours: number } | undefined
}

export type Daemon = ReturnType<typeof daemonAt>

/** For the page of metrics of a daemon that the operator names: its path is not known. */
const elsewhere =
  ': is the path prefix missing in --url, or does the daemon have a --web.telemetry-path other than /metrics?'

/** Any exporter may claim to have a path without end. */
const MOST_PREFIXES = 8

/** What may be the prefix of all paths of a daemon of which only the path of its metrics is known, the longest first. */
function prefixesOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/')).slice(0, MOST_PREFIXES)
}

/** `path` is that of the metrics, below `target`. */
export function daemonAt(http: Http, target: Target, path: string, isGiven: boolean) {
  async function askReady([prefix = '', ...shorter]: readonly string[]) {
    const before = Date.now()
    const answer = await exchangeWith(http, target, { path: `${prefix}/-/ready` })
    if (answer.status === 404 && shorter.length > 0) return askReady(shorter)
    return { answer, ours: (before + Date.now()) / 2 }
  }
  const page = isGiven ? { ...target, hints: { ...target.hints, 404: elsewhere } } : target
  return {
    /** Without what may be secret. */
    shown: shownOf(target),
    /** Whether the operator gave the address. Others may not be reachable from here. */
    isGiven,
    async ready(): Promise<Ready> {
      const { answer, ours } = await askReady(isGiven ? [''] : prefixesOf(path))
      const { status, headers, text } = answer
      if (status !== 200 && status !== 503) throw statusError(target, answer)
      if (!/stakewatch/i.test(text)) {
        throw new BaseError('bad_response', `${shownOf(target)} does not answer like stakewatch: is this its URL?`)
      }
      const its = Date.parse(String(headers['date']))
      const clock = Number.isNaN(its) ? undefined : { its, ours }
      return { isReady: status === 200, text: printableLines(text.trim()), clock }
    },
    samples: async () => samplesOf(await askTarget(http, page, { path })),
  }
}
