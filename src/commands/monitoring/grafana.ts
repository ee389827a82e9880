// Grafana by its HTTP API: https://grafana.com/docs/grafana/latest/developers/http_api/

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { printable } from '../../lib/printable.ts'
import type { Http } from '../../upstream/http.ts'
import { askTarget, exchangeWith, shownOf, statusError, type Target } from '../http-target.ts'
import { readAs } from './foreign.ts'
import { prometheusAt } from './prometheus.ts'

const health = z.object({ database: z.string() })

const dataSource = z.object({
  uid: z.string().default(''),
  type: z.string(),
  name: z.string(),
  isDefault: z.boolean().default(false),
  jsonData: z
    .object({
      /** Of Prometheus: how often it scrapes. */
      timeInterval: z.string().optional(),
      /** Of Prometheus: its own address, as Grafana reaches it. */
      directUrl: z.string().optional(),
    })
    .default({}),
})
export type DataSource = z.output<typeof dataSource>

/** What the pages of Grafana begin with: viewers may read it, and the list of data sources not. */
const settings = z.object({ appUrl: z.string(), datasources: z.record(z.string(), dataSource) })

const target = z.object({ expr: z.string().optional() })
const panel = z.object({
  title: z.string().default(''),
  targets: z.array(target).default([]),
  get panels() {
    return z.array(panel).optional()
  },
})
const variable = z.object({
  name: z.string(),
  type: z.string(),
  /** An object is compared as its text. */
  query: z.unknown().transform((query) => (typeof query === 'string' ? query : (JSON.stringify(query) ?? ''))),
  current: z.unknown().optional(),
})
const dashboard = z.object({
  uid: z.string(),
  panels: z.array(panel).default([]),
  templating: z.object({ list: z.array(variable).default([]) }).default({ list: [] }),
})
export type InstalledDashboard = z.output<typeof dashboard>
export type InstalledPanel = z.output<typeof panel>

export type Grafana = ReturnType<typeof grafanaAt>

export function grafanaAt(http: Http, server: Target) {
  const get = async <T>(path: string, form: z.ZodType<T>) =>
    readAs(form, await askTarget(http, server, { path }), server, 'Grafana')
  return {
    /** Throws where it is not healthy. */
    async health() {
      const { database } = await get('/api/health', health)
      if (database === 'ok') return database
      throw new BaseError('http_status', printable(`${shownOf(server)}: the database of Grafana is ${database}`))
    },
    /** `appUrl` is the address under which it is shown. */
    async settings() {
      const { appUrl, datasources } = await get('/api/frontend/settings', settings)
      return { appUrl, dataSources: Object.values(datasources) }
    },
    /** Undefined if there is none of this uid. */
    async dashboard(uid: string) {
      const answer = await exchangeWith(http, server, { path: `/api/dashboards/uid/${uid}` })
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw statusError(server, answer)
      return readAs(z.object({ dashboard }), answer.text, server, 'Grafana').dashboard
    },
    /** Prometheus as Grafana reaches it. */
    through({ uid, name }: DataSource) {
      const url = `${server.url.replace(/\/$/, '')}/api/datasources/proxy/uid/${encodeURIComponent(uid)}`
      const hints = {
        400: `: is the data source ${name} right?`,
        404: `: is the URL of the data source ${name} right?`,
      }
      return prometheusAt(http, { ...server, url, hints: { ...server.hints, ...hints } })
    },
  }
}

/** A dashboard as in its file. */
export const readDashboard = (text: string): InstalledDashboard => dashboard.parse(JSON.parse(text))
