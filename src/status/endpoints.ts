// The endpoints about the daemon itself, by path.

import { limitsOf } from '../alerts/limit.ts'
import { rulesOf } from '../alerts/rules.ts'
import type { Config } from '../config/schema.ts'
import { shownConfig } from '../config/file/effective.ts'
import type { Answer, Asked } from '../server/routes.ts'
import { contentSecurityPolicy, innerPage } from './page/document.ts'
import { statusPage } from './page/page.ts'
import { taskSection, upstreamSection } from './page/polling.ts'
import { validatorSection } from './page/validator-section.ts'
import { type DayOf, filterOf } from './page/validator-table.ts'
import { watchedSections } from './page/watched.ts'
import type { Part } from './page/markup.ts'
import type { Links } from './page/parts.ts'
import { runbookList, runbookPage } from './page/runbooks.ts'
import type { Status } from './value/status-schema.ts'
import { isPublicNode } from '../config/presets.ts'
import { entryOf } from '../lib/entry.ts'
import { pageOfPublic, publicPage } from './page/public-page.ts'
import type { PublicStatus } from './value/public.ts'

export interface EndpointOptions {
  links: Links
  status: () => Status
  config: () => Config
  /** The text of a runbook; undefined if this installation has none. */
  runbook: (alert: string) => string | undefined
  connectedDay: DayOf
}

const rules = rulesOf()
const alerts: ReadonlySet<string> = new Set(rules.map(({ alert }) => alert))

export function endpointsOf({ links, status, config, runbook, connectedDay }: EndpointOptions) {
  const back = { path: `${links.prefix}/`, name: 'Status' }
  const pageOf = (one: Status, query: Asked['query']) =>
    ofHtml(
      statusPage({
        status: one,
        links,
        filter: filterOf(query),
        connectedDay,
        limits: limitsOf(config()),
      }),
    )
  const plain = once((one: Status) => pageOf(one, {}))
  const detail = (title: string, contentOf: (status: Status) => Part) =>
    once((one: Status) => ofHtml(innerPage(title, contentOf(one), back)))
  const watched = detail('What else is watched', (one) => watchedSections(one, links, limitsOf(config())))
  const upstreams = detail('Upstreams', (one) => upstreamSection(one, links))
  const tasks = detail('Tasks', (one) => taskSection(one, links))
  const json = once<Status>(ofJson)
  return {
    '/': ({ query }: Asked) => (Object.keys(query).length === 0 ? plain(status()) : pageOf(status(), query)),
    '/validators/:name'({ name }: Asked) {
      const content = validatorSection(status(), name, links, limitsOf(config()))
      return content === undefined
        ? ofText(404, 'There is no validator of this name here.\n')
        : ofHtml(innerPage(name, content, back))
    },
    '/watched': () => watched(status()),
    '/upstreams': () => upstreams(status()),
    '/tasks': () => tasks(status()),
    '/api/v1/status': () => json(status()),
    '/config': () => ofText(200, shownConfig(config())),
    '/sd': () => ofJson(discovered(config())),
    '/runbooks': () => ofHtml(runbookList(rules, links)),
    '/runbooks/:name'({ name, query }: Asked) {
      // The links of the rules end in .md, as the files do.
      const alert = name.replace(/\.md$/, '')
      // Only known names lead to a file.
      const text = alerts.has(alert) ? runbook(alert) : undefined
      return text === undefined
        ? ofText(404, 'There is no such runbook here.\n')
        : ofHtml(runbookPage(alert, text, links, query))
    },
  }
}

interface Group {
  targets: [string]
  labels: Record<string, string>
}

/**
 * Omits nodes whose URL has more than host and port: the rest may be secret, and Prometheus could not reach the node without it.
 * Omits the public nodes of presets as well.
 */
export function discovered({ networks }: Config): Group[] {
  return networks.flatMap(({ name: network, nodes }) =>
    nodes.flatMap(({ name: node, url, node_id }): Group[] => {
      const { protocol, hostname, port, pathname, search, username, password } = new URL(url.reveal())
      const isPlain = pathname === '/' && search === '' && username === '' && password === ''
      if (!isPlain || isPublicNode(url.reveal())) return []
      const scheme = protocol.slice(0, -1)
      const labels = {
        __scheme__: scheme,
        __metrics_path__: '/ext/metrics',
        network,
        node,
        ...(node_id && { node_id }),
      }
      return [{ targets: [`${hostname}:${port || (scheme === 'https' ? '443' : '80')}`], labels }]
    }),
  )
}

/** Makes one answer for each status, however many clients ask for it. */
function once<S extends object>(make: (status: S) => Answer): (status: S) => Answer {
  const made = new WeakMap<S, Answer>()
  return (status) => entryOf(made, status, () => make(status))
}

function ofHtml(body: string): Answer {
  const headers = {
    'content-security-policy': contentSecurityPolicy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  }
  return { type: 'text/html; charset=utf-8', headers, body }
}

function ofJson(value: unknown): Answer {
  return { type: 'application/json', body: `${JSON.stringify(value)}\n` }
}

function ofText(code: number, body: string): Answer {
  return { code, type: 'text/plain; charset=utf-8', body }
}

type Query = Pick<Asked, 'query'>

export function publicEndpointsOf(status: () => PublicStatus | undefined) {
  const answer =
    (answerOf: (status: PublicStatus, query: Asked['query']) => Answer) =>
    ({ query }: Query) => {
      const current = status()
      return current ? answerOf(current, query) : ofText(404, 'There is no public page.\n')
    }
  const pages = new WeakMap<PublicStatus, Map<number, Answer>>()
  const json = once<PublicStatus>(ofJson)
  return {
    // Anyone may ask: however many do, each page that there is is made once.
    '/public': answer((one, query) => {
      const page = pageOfPublic(one, query['page'])
      return entryOf(
        entryOf(pages, one, () => new Map()),
        page,
        () => ofHtml(publicPage(one, page)),
      )
    }),
    '/public.json': answer((one) => json(one)),
  }
}
