// Alertmanager by its API v2: https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml

import { z } from 'zod'
import { entryOf } from '../../lib/entry.ts'
import type { Http } from '../../upstream/http.ts'
import { type Asked, askTarget, shownOf, type Target } from '../http-target.ts'
import { readAs, samplesOf, timeText } from './foreign.ts'

/** Who made a silence: those of others are left alone. */
const CREATOR = 'stakewatch'

const matcher = z.object({
  name: z.string(),
  value: z.string(),
  isRegex: z.boolean(),
  isEqual: z.boolean().default(true),
})
export type Matcher = z.output<typeof matcher>

/** `node_id="NodeID-a", source=~"node-a|node-b"`. */
export function matchersText(matchers: readonly Matcher[]): string {
  const operatorOf = ({ isRegex, isEqual }: Matcher) => `${isEqual ? '=' : '!'}${isRegex ? '~' : isEqual ? '' : '='}`
  return matchers.map((one) => `${one.name}${operatorOf(one)}"${one.value}"`).join(', ')
}

/** A UUID today. */
const silenceId = z.string().regex(/^[\w.-]{1,100}$/)

const silence = z.object({
  id: silenceId,
  status: z.object({ state: z.enum(['active', 'pending', 'expired']) }),
  matchers: z.array(matcher),
  startsAt: timeText,
  endsAt: timeText,
  createdBy: z.string(),
  comment: z.string(),
})
export type Silence = z.output<typeof silence>

interface NewSilence extends Pick<Silence, 'matchers' | 'startsAt' | 'endsAt' | 'comment'> {}

const alert = z.object({
  fingerprint: z.string(),
  labels: z.record(z.string(), z.string()),
  receivers: z.array(z.object({ name: z.string() })),
  status: z.object({
    state: z.enum(['active', 'suppressed', 'unprocessed']),
    silencedBy: z.array(z.string()),
    inhibitedBy: z.array(z.string()),
  }),
})
export type SentAlert = z.output<typeof alert>

/** Requests to receivers since it started. */
export interface Sent {
  integration: string
  /** Counted by Alertmanager 0.27 or later with `--enable-feature=receiver-name-in-metrics`. */
  receiver: string | undefined
  requests: number
  failed: number
}

const counters = new Map<string, 'requests' | 'failed'>([
  ['alertmanager_notification_requests_total', 'requests'],
  ['alertmanager_notification_requests_failed_total', 'failed'],
])

/** To the second: 2026-12-08T21:00:00Z. */
export const isoOf = (time: number) => new Date(time).toISOString().replace(/\.\d+/, '')

/** The base address of an Alertmanager of which Prometheus says where it sends alerts. */
export const baseOf = (url: string) => url.replace(/\/api\/v\d\/alerts$/, '')

export type Alertmanager = ReturnType<typeof alertmanagerAt>

export function alertmanagerAt(http: Http, target: Target) {
  const ask = async <T>(asked: Asked, form: z.ZodType<T>) =>
    readAs(form, await askTarget(http, target, asked), target, 'Alertmanager')
  const get = <T>(path: string, form: z.ZodType<T>) => ask({ path }, form)
  /** Those that are not over, of all users. */
  const silences = async () => {
    const all = await get('/api/v2/silences', z.array(silence))
    return all.filter(({ status }) => status.state !== 'expired')
  }
  /** What it says about itself on its page of metrics. */
  const metrics = async () => samplesOf(await askTarget(http, target, { path: '/metrics' }))
  return {
    /** Without what may be secret. */
    shown: shownOf(target),
    /** The loaded configuration as YAML, with its defaults. */
    async config() {
      const status = z.object({ config: z.object({ original: z.string() }) })
      return (await get('/api/v2/status', status)).config.original
    },
    /** Those that it has now, also those that it does not send on. */
    alerts: () => get('/api/v2/alerts', z.array(alert)),
    /** What it sends as one message, with the alerts that it holds back. What has ended is not among them. */
    groups: () => get('/api/v2/alerts/groups', z.array(z.object({ alerts: z.array(alert) }))),
    silences,
    /** Those of stakewatch that are not over, the first to end first. */
    async ownSilences() {
      const all = await silences()
      return all.filter(({ createdBy }) => createdBy === CREATOR).toSorted((a, b) => a.endsAt - b.endsAt)
    },
    /** Returns its id. */
    async createSilence({ startsAt, endsAt, ...rest }: NewSilence) {
      const body = { ...rest, startsAt: isoOf(startsAt), endsAt: isoOf(endsAt), createdBy: CREATOR }
      const made = z.object({ silenceID: silenceId })
      return (await ask({ method: 'POST', path: '/api/v2/silences', body }, made)).silenceID
    },
    expireSilence: (id: string) =>
      askTarget(http, target, { method: 'DELETE', path: `/api/v2/silence/${encodeURIComponent(id)}` }),
    metrics,
    async sent(): Promise<readonly Sent[]> {
      const sent = new Map<string, Sent>()
      for (const { name, labels, value } of await metrics()) {
        const key = counters.get(name)
        if (!key) continue
        const { integration = '', receiver_name: receiver } = labels
        const none = { integration, receiver, requests: 0, failed: 0 }
        entryOf(sent, `${integration} ${receiver}`, () => none)[key] += value
      }
      return [...sent.values()]
    },
  }
}
