// The requests beyond the two documents that were recorded from a real node, put to the simulator in its live form: those of
// the methods that it serves. The network of the recording went through outages, which the simulated one is told to have.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Event, order, replay } from './asking.ts'
import { differingBeyond, replayed } from './differing-beyond.ts'
import { beyond, poolOf, type Recorded, recorded } from './recorded.ts'
import {
  chainOfHamlet,
  createTranslationBeyond,
  type Network,
  registerNewest,
  removeNewest,
  startBeyond,
} from './simulated.ts'

let network: Network
let translated: (text: string) => string
beforeAll(async () => {
  network = await startBeyond()
  translated = createTranslationBeyond(network)
  // On a busy machine a network takes a while.
}, 60_000)
afterAll(() => network.stop())

/** What happens to the asked node or around it for the time of the request. */
function eventOf({ of, case: name, status }: Recorded, node: string): Event | undefined {
  const ordered = (before: object, after: object): Event => [() => order(network, before), () => order(network, after)]
  const running = { kind: 'bootstrapped', node }
  // While a node started it was asked again and again: the status says how far it was.
  if (name.startsWith('node start') && status === 404) return ordered({ kind: 'start', node }, running)
  const isBootstrapping = status === 503 || (of === 'info.uptime' && name.includes('cannot bootstrap'))
  if (isBootstrapping) return ordered({ kind: 'bootstrap', node }, running)
  if (name.includes('plugin died')) {
    const of = { node, blockchainId: chainOfHamlet(network) }
    return ordered({ kind: 'kill-chain', ...of }, { kind: 'revive-chain', ...of })
  }
  // So it was when the frozen node was asked about as well.
  const isNewest =
    name.includes('registered under a minute ago') || (of.startsWith('validators.') && name.includes('benched'))
  return isNewest ? [async () => registerNewest(network), async () => removeNewest(network)] : undefined
}

/** The first recorded node did not track the L1; all others were alike. */
function replayedCase(one: Recorded): Promise<string[]> {
  const { url, body, method = 'POST', headers = {} } = one.request
  const { port, pathname } = new URL(url)
  const node = port === '9650' ? 'node-b' : 'node-a'
  const asking = {
    node,
    path: translated(pathname),
    method,
    headers,
    body: translated(body),
    event: eventOf(one, node),
  }
  return replay(network, one, asking, poolOf(one.of, [...recorded, ...beyond]))
}

const isListed = (one: Recorded) => differingBeyond.some(({ of, case: name }) => of === one.of && name === one.case)
const cases = beyond.filter(({ of }) => replayed.includes(of))

for (const one of cases) {
  test(`${one.of}: ${one.case}${isListed(one) ? ' differs, as listed' : ''}`, async () => {
    const found = await replayedCase(one)
    const isAsListed = isListed(one) && found.length > 0
    expect({ isAsListed, differences: isAsListed ? [] : found }).toEqual({ isAsListed: isListed(one), differences: [] })
  })
}

test('there are 443 of them, and each that is listed is one of them', () => {
  expect(beyond).toHaveLength(443)
  expect(replayed.filter((name) => !beyond.some(({ of }) => of === name))).toEqual([])
  expect(
    differingBeyond.filter(({ of, case: name }) => !cases.some((one) => one.of === of && one.case === name)),
  ).toEqual([])
})
