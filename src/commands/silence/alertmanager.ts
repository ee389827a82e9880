// The silences of an Alertmanager, by its API v2: https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { secretUrl } from '../../lib/secret.ts'
import type { Http } from '../../upstream/http.ts'
import { askTarget, jsonOf, type Target } from '../http-target.ts'

/** Who made a silence: those of others are left alone. */
const CREATOR = 'stakewatch'

const matcher = z.object({
  name: z.string(),
  value: z.string(),
  isRegex: z.boolean(),
  isEqual: z.boolean().default(true),
})
export type Matcher = z.output<typeof matcher>

const time = z.string().transform((text) => Date.parse(text))

const silence = z.object({
  id: z.string(),
  status: z.object({ state: z.enum(['active', 'pending', 'expired']) }),
  matchers: z.array(matcher),
  startsAt: time,
  endsAt: time,
  createdBy: z.string(),
  comment: z.string(),
})
export type Silence = z.output<typeof silence>

export interface NewSilence extends Pick<Silence, 'matchers' | 'startsAt' | 'endsAt' | 'comment'> {}

export const alertmanagerHints: Target['hints'] = {
  400: ': if it speaks TLS, give --alertmanager=https://HOST:PORT',
  401: ': give --alertmanager.user and --alertmanager.password-file, or --alertmanager.token-file',
  403: ': this user may not change silences',
  404: ': is the path prefix missing in --alertmanager?',
}

/** Returns its id. */
export async function createSilence(http: Http, target: Target, made: NewSilence): Promise<string> {
  const { startsAt, endsAt, ...rest } = made
  const body = { ...rest, startsAt: isoOf(startsAt), endsAt: isoOf(endsAt), createdBy: CREATOR }
  const answer = await askTarget(http, target, { method: 'POST', path: '/api/v2/silences', body })
  return readAs(z.object({ silenceID: z.string() }), answer, target).silenceID
}

/** Those of stakewatch that are not over, the first to end first. */
export async function ownSilences(http: Http, target: Target): Promise<Silence[]> {
  const all = readAs(z.array(silence), await askTarget(http, target, { path: '/api/v2/silences' }), target)
  return all
    .filter(({ createdBy, status }) => createdBy === CREATOR && status.state !== 'expired')
    .toSorted((a, b) => a.endsAt - b.endsAt)
}

export async function expireSilence(http: Http, target: Target, id: string): Promise<void> {
  await askTarget(http, target, { method: 'DELETE', path: `/api/v2/silence/${encodeURIComponent(id)}` })
}

/** To the second: 2026-12-08T21:00:00Z. */
export const isoOf = (time: number) => new Date(time).toISOString().replace(/\.\d+/, '')

function readAs<T>(form: z.ZodType<T>, text: string, { url }: Target): T {
  const parsed = form.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw new BaseError('bad_response', `${String(secretUrl(url))} does not answer like Alertmanager: is this its URL?`)
}
