// A thread that never lets its own events be heard: it does not stop when it is asked to.

import { parentPort } from 'node:worker_threads'

parentPort!.postMessage({ kind: 'log', line: 'there\n' })
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
