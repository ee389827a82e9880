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

/** `path` is that of the metrics. */
export function daemonAt(http: Http, target: Target, path: string, isGiven: boolean) {
  const page = isGiven ? { ...target, hints: { ...target.hints, 404: elsewhere } } : target
  return {
    /** Without what may be secret. */
    shown: shownOf(target),
    /** Whether the operator gave the address. Others may not be reachable from here. */
    isGiven,
    async ready(): Promise<Ready> {
      const before = Date.now()
      const answer = await exchangeWith(http, target, { path: '/-/ready' })
      const { status, headers, text } = answer
      if (status !== 200 && status !== 503) throw statusError(target, answer)
      if (!/stakewatch/i.test(text)) {
        throw new BaseError('bad_response', `${shownOf(target)} does not answer like stakewatch: is this its URL?`)
      }
      const its = Date.parse(String(headers['date']))
      const clock = Number.isNaN(its) ? undefined : { its, ours: (before + Date.now()) / 2 }
      return { isReady: status === 200, text: printableLines(text.trim()), clock }
    },
    samples: async () => samplesOf(await askTarget(http, page, { path })),
  }
}
