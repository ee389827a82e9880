// A thread that says that it is there, and then takes all the memory that it can get.

import { parentPort } from 'node:worker_threads'

parentPort!.postMessage({ kind: 'log', line: 'there\n' })
const all: unknown[] = []
parentPort!.once('message', () => {})
setTimeout(() => {
  for (;;) all.push(Array(1_000_000).fill(1.5))
}, 100)
