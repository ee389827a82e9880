// The form of the table of harms: what stakewatch watches, what can go wrong with it, what fills a cell, and what it says.

import type { Page } from '../../dashboards/src/links.ts'

/** The rows: what stakewatch watches, and stakewatch. */
export const things = {
  primary: 'Validator of the primary network',
  renewed: 'Auto-renewed validator',
  l1Validator: 'L1 validator',
  permissioned: 'Validator of a permissioned subnet',
  node: 'Node',
  pChain: 'P-Chain',
  xChain: 'X-Chain',
  cChain: 'C-Chain',
  evmChain: 'EVM chain of an L1',
  l1: 'L1',
  wallet: 'Wallet',
  route: 'Message route and signature probe',
  service: 'Data service and metrics service',
  self: 'stakewatch itself',
} as const

/** The columns, with what each means for whatever row it is in. */
export const harms = {
  offline: 'It does not answer, or is not connected.',
  flapping: 'It comes and goes, and no outage alone is long enough for a page.',
  eroding: 'It loses a little at a time: uptime, votes, weight.',
  stalled: 'It is there and makes no progress.',
  forked: 'It has another history than the network.',
  lagging: 'It makes progress and is behind the network, with its data or its software.',
  'wrong identity': 'It is not the one that is configured.',
  unhealthy: 'It answers and does not work as it should.',
  'running out': 'What it lives on is nearly used up: a budget, a balance, a quota.',
  ending: 'Its term ends.',
  leaving: 'It, or part of what it holds, goes away before its term ends.',
  changed: 'A person changed it, with or without a right to.',
  unreachable: 'It works, and some of those that need it do not reach it.',
  unknown: 'Nothing reports its state.',
  contradicted: 'Two sources report different states.',
} as const

export type Thing = keyof typeof things
export type Harm = keyof typeof harms

/** `page/title` of a panel. */
export type PanelPath = `${Page}/${string}`

/** The cells that an alert fills, by thing and harm, with what shows it. */
export type Fills = Readonly<Partial<Record<Thing, Readonly<Partial<Record<Harm, PanelPath | readonly PanelPath[]>>>>>>

/** That an alert fires for what a cell is about. */
export interface Filling {
  alert: string
  /** The name of an incident, or of a file in alerts/tests where no incident exists. The alert fires in it. */
  proof: string
  fills: Fills
}

interface Alerted {
  alerts: readonly string[]
  proofs: readonly string[]
  panels: readonly PanelPath[]
}

/** Alerts with what proves and what shows them, or why no alert is needed, in one sentence. */
export type Cell = Alerted | { none: string }

type Row = Readonly<Record<Harm, Cell>>
export type Table = Readonly<Record<Thing, Row>>

/** Of a thing: reasons for its empty cells, and cells that are as those of another thing. */
export type Rest = Readonly<Partial<Record<Harm, string | { like: Thing }>>>

export const thingNames = Object.keys(things) as Thing[]
export const harmNames = Object.keys(harms) as Harm[]
