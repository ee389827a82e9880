// The programs of the chain: those that the operator names, and those that they name to each other.

import { BaseError } from '../../errors.ts'
import type { Http } from '../../upstream/http.ts'
import {
  type DaemonFlags,
  daemonOf,
  foundAt,
  type Server,
  type ServerFlags,
  serverOf,
  type Target,
} from '../http-target.ts'
import { DEFAULT_PORT, type Io } from '../io.ts'
import { httpUrlText } from '../monitoring/foreign.ts'
import { alertmanagerAt } from '../monitoring/alertmanager.ts'
import { type Daemon, daemonAt } from '../monitoring/daemon.ts'
import { type Grafana, grafanaAt } from '../monitoring/grafana.ts'
import { type Prometheus, prometheusAt } from '../monitoring/prometheus.ts'
import type { Chain, Given, Program } from './check.ts'
import { answers, instances, targetOf, targets, targetsOf } from './facts.ts'

export interface ProgramFlags extends Omit<DaemonFlags, 'url'>, ServerFlags {
  url?: string
}

export async function findPrograms(flags: ProgramFlags, io: Io, http: Http): Promise<Chain> {
  const found = new Set<Program>()
  const at = <Client>(name: Server, named: string | undefined, client: (http: Http, target: Target) => Client) => {
    const given = serverOf(flags, name, io)
    if (given) return client(http, given)
    if (named === undefined) return undefined
    found.add(name)
    return client(http, foundAt(named, name))
  }
  const grafana = at('grafana', undefined, grafanaAt)
  const prometheus = at('prometheus', await orNothing(prometheusOf(grafana)), prometheusAt)
  // One that does not answer is asked nothing more.
  const isUp = prometheus && (await orNothing(answers(prometheus).then(() => true)))
  const [sender] = (isUp && (await orNothing(prometheus.alertmanagers()))) || []
  const alertmanager = at('alertmanager', sender?.replace(/\/api\/v\d\/alerts$/, ''), alertmanagerAt)
  const daemon = await daemonsFor(flags, io, http, prometheus, isUp)
  return { given: { daemon, prometheus, alertmanager, grafana }, found }
}

async function prometheusOf(grafana: Grafana | undefined): Promise<string | undefined> {
  const { dataSources = [] } = (await grafana?.settings()) ?? {}
  const ours = dataSources.filter(({ type }) => type === 'prometheus')
  const named = (ours.find(({ isDefault }) => isDefault) ?? ours[0])?.jsonData.directUrl
  return httpUrlText.safeParse(named).data
}

/** Found ones: any exporter may claim to be many. */
const MOST_DAEMONS = 100
const LOCAL = `http://127.0.0.1:${DEFAULT_PORT}`

async function daemonsFor(
  flags: ProgramFlags,
  io: Io,
  http: Http,
  prometheus: Prometheus | undefined,
  isUp: boolean | undefined,
): Promise<readonly Daemon[] | undefined> {
  const { url = prometheus === undefined ? LOCAL : undefined } = flags
  if (url !== undefined) return [daemonAt(http, daemonOf({ ...flags, url }, io), '/metrics', true)]
  if (prometheus === undefined) return undefined
  if (flags.user !== undefined || flags.passwordFile !== undefined) {
    throw new BaseError(
      'config',
      '--user and --password-file go only to a daemon that you name: give its --url as well',
    )
  }
  if (!isUp) return undefined
  const addresses = await orNothing(
    addressesIn({ daemon: undefined, prometheus, alertmanager: undefined, grafana: undefined }),
  )
  if (addresses === undefined || addresses.length === 0) return undefined
  return addresses.slice(0, MOST_DAEMONS).map((one) => daemonAt(http, foundAt(one.url, 'url'), one.path, false))
}

/** The scrape URL of each instance, in its base and its path. */
async function addressesIn(given: Given) {
  const [all = [], ours = []] = await Promise.all([targets.ask(given), instances.ask(given)])
  const known = targetsOf(ours)
  return all
    .filter(({ labels }) => known.has(targetOf(labels)))
    .map(({ scrapeUrl }) => {
      const { origin, pathname } = new URL(scrapeUrl)
      const at = pathname.lastIndexOf('/')
      return { url: `${origin}${pathname.slice(0, at)}`, path: pathname.slice(at) }
    })
}

/** What goes wrong here is a finding of the check that asks for the same. */
async function orNothing<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof BaseError) return undefined
    throw error
  })
}
