// Maintenance windows that the control endpoint opens. They belong to the configuration of the daemon, not to the network: only
// a demo, which has both, can open one.

import { z } from 'zod'

const names = z.array(z.string().min(1)).optional()

export const windowAction = z.strictObject({
  kind: z.literal('open-window'),
  name: z.string().min(1),
  /** How long it is open, from now on. */
  seconds: z.int().positive(),
  validators: names,
  nodes: names,
  chains: names,
  subnets: names,
  wallets: names,
})

export type OrderedWindow = z.output<typeof windowAction>

/** The configuration with the window: `now` is in milliseconds. The demo's configuration ends its network with the windows. */
export function withWindow(config: string, { kind: _, name, seconds, ...covers }: OrderedWindow, now: number): string {
  const [from, to] = [now, now + seconds * 1_000].map((time) => `${new Date(time).toISOString().slice(0, 19)}Z`)
  return config.replace(
    '\ncollectors:',
    () => `\n      - ${JSON.stringify({ name, from, to, ...covers })}\ncollectors:`,
  )
}
