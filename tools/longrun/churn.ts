// What happens to the network of the long run: validators come and go, a subnet becomes an L1, nodes restart, lose their
// keys and their interfaces, and upstreams fail for a while.

export interface Order {
  path: 'actions' | 'faults'
  method: 'POST' | 'DELETE'
  body?: object
}

const action = (body: object): Order => ({ path: 'actions', method: 'POST', body })
const fault = (body: object): Order => ({ path: 'faults', method: 'POST', body })
const repaired: Order = { path: 'faults', method: 'DELETE' }

/** Ids of nodes that occur nowhere else. */
const NEWCOMERS = [
  'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
  'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
  'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
] as const
const BALANCE = 512 * 86_400

/** The subnet is permissioned for three hours, then it is an L1. */
const begins: Readonly<Record<number, readonly Order[]>> = {
  0: [action({ kind: 'add-to-subnet', subnet: 'elm', nodeId: NEWCOMERS[0], weight: 20, duration: 5 * 86_400 })],
  1: [action({ kind: 'create-chain', subnet: 'elm', secondsPerBlock: 10 })],
  2: [action({ kind: 'remove-from-subnet', subnet: 'elm', nodeId: NEWCOMERS[0] })],
  3: [
    action({
      kind: 'convert',
      subnet: 'elm',
      validators: [{ nodeId: NEWCOMERS[0], weight: 50, balance: 90 * BALANCE }],
    }),
  ],
}

/** Of each day, by the hour; `ids` are those that the two nodes have now. */
const daily: Readonly<Record<number, (day: number, ids: readonly string[]) => readonly Order[]>> = {
  1: (day) => [
    action({
      kind: 'stake',
      nodeId: NEWCOMERS[1 + (day % 3)],
      amount: 2_000_000_000_000,
      reward: 1_000_000_000,
      fee: 2,
      duration: 2 * 86_400,
    }),
  ],
  4: (_, [, b = '']) => [action({ kind: 'disconnect', nodeId: b })],
  5: (_, [, b = '']) => [action({ kind: 'reconnect', nodeId: b })],
  6: (day) => [
    action({ kind: 'register', subnet: 'elm', nodeId: NEWCOMERS[1 + (day % 3)], weight: 30, balance: BALANCE }),
  ],
  7: () => [action({ kind: 'start', node: 'node-b' })],
  8: () => [action({ kind: 'bootstrap', node: 'node-b' })],
  9: () => [action({ kind: 'bootstrapped', node: 'node-b' })],
  10: (_, [a = '']) => [action({ kind: 'restore', nodeId: a, behind: 7_200, pace: 10 })],
  11: (day, [, b = '']) => [
    action({ kind: 'restore', nodeId: b, behind: 7_200, pace: 10, name: `NodeID-upgraded${day}` }),
  ],
  13: () => [fault({ server: 'data', fault: { kind: 'status', status: 503 } })],
  14: () => [repaired],
  15: () => [fault({ server: 'node-a', fault: { kind: 'reset' } })],
  16: () => [repaired],
  17: () => [action({ kind: 'disable', node: 'node-a', api: 'admin' })],
  18: () => [action({ kind: 'enable', node: 'node-a', api: 'admin' })],
  20: (day) => [action({ kind: 'set-weight', subnet: 'elm', nodeId: NEWCOMERS[1 + (day % 3)], weight: 0 })],
}

/** What is ordered at the beginning of an hour, counted from the beginning of the run. */
export function ordersAt(hour: number, ids: readonly string[]): readonly Order[] {
  const ofDay = daily[hour % 24]?.(Math.floor(hour / 24), ids) ?? []
  return [...(begins[hour] ?? []), ...ofDay]
}
