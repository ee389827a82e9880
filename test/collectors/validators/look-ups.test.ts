import { expect, test } from 'vitest'
import type { AnyCollector } from '../../../src/collectors/define.ts'
import { l1Validators } from '../../../src/collectors/validators/l1-validators.ts'
import { uptime } from '../../../src/collectors/validators/uptime.ts'
import { validators } from '../../../src/collectors/validators/validators.ts'
import { withNodeTime } from '../../support/node-time.ts'
import { createPoller } from '../../support/poll.ts'

const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const TRACKED = 500
const id = (at: number) => `validator ${at}`

/** The configuration as if it named many validators; how often a run looks at one of their ids. */
function counted(collector: AnyCollector, subnet: string) {
  const poller = createPoller(
    `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    subnets: [{ id: ${L1}, name: my-l1 }]
    validators: [{ node_id: NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu, subnet: ${subnet} }]
`,
    collector,
    0,
  )
  const count = { looks: 0 }
  const tracked = Array.from({ length: TRACKED }, (_, at) => ({
    name: id(at),
    subnet,
    expect: { min_stake: 1 },
    get node_id() {
      count.looks += 1
      return id(at)
    },
  }))
  for (const task of poller.tasks) {
    const subject = task.subject as { subnets?: { tracked: unknown }[]; tracked?: unknown }
    for (const one of subject.subnets ?? [subject]) one.tracked = tracked
  }
  return { poller, count }
}

test.each<[string, AnyCollector, string]>([
  ['validators', validators, 'primary'],
  ['uptime', uptime, 'primary'],
  ['l1-validators', l1Validators, 'my-l1'],
])('%s reads each tracked validator a few times, not once per record', async (_, collector, subnet) => {
  const { poller, count } = counted(collector, subnet)
  const records = Array.from({ length: TRACKED }, (_, at) => ({
    nodeID: id(at),
    weight: '1',
    startTime: '0',
    endTime: '1000000',
    uptime: '100',
    connected: true,
    balance: '1',
  }))
  await poller.poll(withNodeTime(() => ({ validators: records })))
  expect(poller.lines(/^stakewatch_(l1_)?validator/).length).toBeGreaterThan(TRACKED)
  expect(count.looks / TRACKED).toBeLessThan(12)
})
