// The requests beyond the two documents that were recorded from a real node, put to the simulator in its live form. The
// network of the recording went through outages, which are ordered of the simulated one.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { replay } from './asking.ts'
import { differingBeyond } from './differing-beyond.ts'
import { beyond, poolOf, type Recorded, recorded, replayed } from './recorded.ts'
import { begin, type Beyond, end, startBeyond, translatedBeyond } from './simulated-beyond.ts'

let network: Beyond
beforeAll(async () => {
  network = await startBeyond()
  // On a busy machine a network takes a while.
})
afterAll(() => network.stop())

/** The first recorded node did not track the L1; all others were alike. */
function replayedCase(one: Recorded): Promise<string[]> {
  const { url, body, method = 'POST', headers = {} } = one.request
  const { port, pathname, search } = new URL(url)
  const node = port === '9650' ? 'node-b' : 'node-a'
  const asking = {
    node,
    path: translatedBeyond(network, one, pathname + search),
    method,
    headers,
    body: translatedBeyond(network, one, body),
    event: [() => begin(network, one, node), () => end(network, node)] as const,
  }
  return replay(network, one, asking, poolOf(one.of, [...recorded, ...beyond]))
}

const isListed = (one: Recorded) => differingBeyond.some(({ of, case: name }) => of === one.of && name === one.case)

for (const one of replayed) {
  test(`${one.of}: ${one.case}${isListed(one) ? ' differs, as listed' : ''}`, async () => {
    const found = await replayedCase(one)
    const isAsListed = isListed(one) && found.length > 0
    expect({ isAsListed, differences: isAsListed ? [] : found }).toEqual({ isAsListed: isListed(one), differences: [] })
  })
}

test('three in four of them are replayed, each that is listed is one of those, and at most one in twenty is', () => {
  expect(beyond).toHaveLength(443)
  expect(replayed.length).toBeGreaterThan((beyond.length * 3) / 4)
  expect(
    differingBeyond.filter(({ of, case: name }) => !replayed.some((one) => one.of === of && one.case === name)),
  ).toEqual([])
  expect(differingBeyond.length).toBeLessThanOrEqual(replayed.length / 20)
})
