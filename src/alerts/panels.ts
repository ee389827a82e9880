// Dashboards and panels, as links name them.

import { hash32 } from '../lib/hash.ts'

/** The variables of each dashboard that match labels of alerts, outermost first. */
export const variables = {
  fleet: ['network', 'subnet', 'validator'],
  validator: ['network', 'subnet', 'validator'],
  l1s: ['network', 'subnet', 'validator'],
  chains: ['network', 'chain', 'source'],
  wallets: ['network', 'address'],
  messages: ['network'],
  self: ['network'],
} as const

export type Page = keyof typeof variables

/** Ids of panels come from their titles, so that links survive when other panels come or go. */
export function panelId(title: string): number {
  return (hash32(title) % 1_000_000_000) + 1
}
