// A small Grafana: the part of its HTTP API that doctor asks for. Every shape names the page of Grafana's documentation, or the
// source file, that it is from.

import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../../src/alerts/links.ts'
import { startSink } from '../../support/sink.ts'

/** A data source as pages of Grafana get it: DataSourceDTO in pkg/plugins/models.go. */
export interface DataSource {
  uid: string
  type: string
  name: string
  isDefault: boolean
  access: 'proxy'
  /** The path of the proxy. */
  url: string
  jsonData: { httpMethod?: string; timeInterval?: string; directUrl: string }
}

interface Dashboard extends Record<string, unknown> {
  panels: { title: string; targets?: { expr: string }[]; panels?: Dashboard['panels'] }[]
  templating: { list: { name: string; type: string; query?: string; current?: unknown }[] }
}

export interface Grafana {
  url: string
  dataSources: DataSource[]
  /** By uid. */
  dashboards: Map<string, Dashboard>
  /** What its root_url says. */
  root: { url: string }
  /** Undoes every change. */
  repair(): void
  end(): Promise<void>
}

const folder = new URL('../../../dashboards/', import.meta.url)

export const dataSourceOf = (uid: string, directUrl: string): DataSource => ({
  uid,
  type: 'prometheus',
  name: uid,
  isDefault: false,
  access: 'proxy',
  url: `/api/datasources/proxy/uid/${uid}`,
  // frontendsettings.go adds directUrl for Prometheus; timeInterval is of deploy/compose/grafana/datasource.yml.
  jsonData: { httpMethod: 'POST', timeInterval: '30s', directUrl },
})

/** It has our dashboards, and `prometheus` as its data source. */
export async function startGrafana(prometheus: string): Promise<Grafana> {
  const server = await startSink((request, body, response) => void answer(grafana, request, body, response))
  const grafana: Grafana = {
    url: server.url,
    dataSources: [],
    dashboards: new Map(),
    root: { url: 'http://localhost:3000/' },
    repair() {
      grafana.dataSources = [{ ...dataSourceOf('Prometheus', prometheus), isDefault: true }]
      grafana.dashboards = new Map(
        pages.map((page) => [
          `stakewatch-${page}`,
          JSON.parse(readFileSync(new URL(`${page}.json`, folder), 'utf8')) as Dashboard,
        ]),
      )
      grafana.root.url = 'http://localhost:3000/'
    },
    end: server.end,
  }
  grafana.repair()
  return grafana
}

async function answer(
  grafana: Grafana,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '' } = request
  const say = (status: number, said: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  // "Health API" of developers/http_api/other.
  if (url === '/api/health') return void say(200, { commit: '087143285', database: 'ok', version: '12.1.1' })
  // "Frontend Settings API" of developers/http_api/other; its fields are in pkg/api/dtos/frontend_settings.go.
  if (url === '/api/frontend/settings') {
    const datasources = Object.fromEntries(grafana.dataSources.map((one) => [one.name, one]))
    const defaultDatasource = grafana.dataSources.find(({ isDefault }) => isDefault)?.name ?? ''
    return void say(200, { appUrl: grafana.root.url, appSubUrl: '', defaultDatasource, datasources })
  }
  // "Get dashboard by uid" of developers/http_api/dashboard: Grafana adds an id and a version.
  const [, uid] = /^\/api\/dashboards\/uid\/([\w-]+)$/.exec(url) ?? []
  if (uid !== undefined) {
    const dashboard = grafana.dashboards.get(uid)
    if (!dashboard) return void say(404, { message: 'Dashboard not found' })
    return void say(200, {
      dashboard: { id: 1, version: 0, ...dashboard },
      meta: { isStarred: false, url: `/d/${uid}/x`, folderUid: 'l3KqBxCMz' },
    })
  }
  // "Data source proxy calls" of developers/http_api/data_source.
  const [, source, path] = /^\/api\/datasources\/proxy\/uid\/([^/]+)(\/.*)$/.exec(url) ?? []
  const { directUrl } = grafana.dataSources.find((one) => one.uid === source)?.jsonData ?? {}
  if (directUrl === undefined) return void say(404, { message: 'Not found' })
  try {
    const type = request.headers['content-type']
    const proxied = await fetch(`${directUrl}${path}`, {
      method,
      ...(method === 'POST' && { body, headers: { ...(type !== undefined && { 'content-type': type }) } }),
    })
    response.writeHead(proxied.status, { 'content-type': 'application/json' }).end(await proxied.text())
  } catch {
    // As the reverse proxy of Grafana answers where nothing listens.
    response.writeHead(502).end()
  }
}
