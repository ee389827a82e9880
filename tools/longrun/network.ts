// The simulated network of the long run, in a process of its own. Its parent sets its time, and asks what it holds.

import { collectors } from '../../src/collectors/index.ts'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { type Held, measure, warnings } from './measure.ts'

export type ToNetwork = { time: number } | 'measure' | 'end'

export interface FromNetwork {
  config?: string
  controlUrl?: string
  now?: number
  held?: Held
}

/** Days that the network has behind it when the run begins. */
const BEFORE = Number(process.argv[2])
const EPOCH = 1_780_000_000 - BEFORE * 86_400

const time = { now: 0 }
const simulator = await startSimulator({
  seed: 1,
  epoch: EPOCH,
  clock: () => time.now,
  validators: 60,
  delegations: 600,
  dialect: 'live',
  metricsDialect: 'document',
})
time.now = BEFORE * 86_400
simulator.world.advance(EPOCH + time.now)
simulator.world.take({ kind: 'create-subnet', subnet: 'elm', evmChainId: 50_001 })

const send = (message: FromNetwork) => process.send!(message)
process.on('message', (message: ToNetwork) => {
  if (message === 'end') {
    void simulator.stop().then(() => process.disconnect())
  } else if (message === 'measure') send({ held: measure(warnings()) })
  else {
    time.now = BEFORE * 86_400 + message.time
    send({})
  }
})
send({
  config: simulator.config(collectors.map(({ name }) => name)),
  controlUrl: simulator.controlUrl,
  now: EPOCH + time.now,
})
