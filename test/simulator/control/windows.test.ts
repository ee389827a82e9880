import { expect, type TestContext, test } from 'vitest'
import { type OrderedWindow, withWindow } from '../../../src/simulator/control/control.ts'
import { configFrom } from '../../support/poll.ts'
import { EPOCH, post, startNetwork } from '../network.ts'

async function network({ onTestFinished }: TestContext, openWindow?: (window: OrderedWindow) => void) {
  const simulator = await startNetwork({ openWindow })
  onTestFinished(() => simulator.stop())
  const order = async (action: object) => {
    const { status } = await post(`${simulator.controlUrl}/actions`, { kind: 'open-window', ...action })
    return status
  }
  return { simulator, order }
}

test('a window opens in the configuration of the demo, next to its own', async (context) => {
  let text = ''
  const { simulator, order } = await network(context, (window) => {
    // Half a second later, which is cut off.
    const next = withWindow(text, window, EPOCH * 1_000 + 500)
    configFrom(next)
    text = next
  })
  text = simulator.config(['uptime'])
  expect(await order({ name: 'move', seconds: 600, nodes: ['node-a'] })).toBe(200)
  expect(configFrom(text).networks[0]!.maintenance).toMatchObject([
    { name: 'kernel-update' },
    { name: 'weekly' },
    { name: 'move', from: EPOCH * 1_000, to: (EPOCH + 600) * 1_000, nodes: ['node-a'] },
  ])
  // The loader knows no such node, and names are given once.
  expect(await order({ name: 'other', seconds: 600, nodes: ['node-z'] })).toBe(400)
  expect(await order({ name: 'move', seconds: 600 })).toBe(400)
})

test('a network without a daemon opens none', async (context) => {
  const { order } = await network(context)
  expect(await order({ name: 'move', seconds: 600 })).toBe(400)
})
