// The endpoints about the daemon itself, by path.

import { groupsOf } from '../alerts/rules.ts'
import type { Config } from '../config/schema.ts'
import { shownConfig } from '../config/file/effective.ts'
import type { Answer, Asked } from '../server/pages.ts'
import { ofHtml, ofJson, ofText, once } from './answers.ts'
import { discovered } from './discovery.ts'
import { statusPage } from './page/page.ts'
import type { Endpoint } from './paths.ts'
import type { Links } from './page/parts.ts'
import { runbookList, runbookPage } from './page/runbooks.ts'
import type { Status } from './value/status-schema.ts'

export interface EndpointOptions {
  links: Links
  status: () => Status
  config: () => Config
  /** The text of a runbook; undefined if this installation has none. */
  runbook: (alert: string) => string | undefined
}

const alerts: ReadonlySet<string> = new Set(groupsOf().flatMap(({ rules }) => rules.map(({ alert }) => alert)))

type Endpoints = Readonly<Record<Endpoint, (asked: Asked) => Answer>>

export function endpointsOf({ links, status, config, runbook }: EndpointOptions): Endpoints {
  const page = once((one: Status) => ofHtml(statusPage(one, links)))
  const refreshing = once((one: Status) => ofHtml(statusPage(one, links, true)))
  const json = once<Status>(ofJson)
  return {
    '/': ({ query }) => ('refresh' in query ? refreshing : page)(status()),
    '/api/v1/status': () => json(status()),
    '/config': () => ofText(200, shownConfig(config())),
    '/sd': () => ofJson(discovered(config())),
    '/runbooks': () => ofHtml(runbookList([...alerts], links)),
    '/runbooks/:name'({ name }) {
      // The links of the rules end in .md, as the files do.
      const alert = name.replace(/\.md$/, '')
      // Only known names lead to a file.
      const text = alerts.has(alert) ? runbook(alert) : undefined
      return text === undefined
        ? ofText(404, 'There is no such runbook here.\n')
        : ofHtml(runbookPage(alert, text, links))
    },
  }
}
