// The first file of the daemon's second thread.

import { systemClock } from '../process/system-clock.ts'
import { pollInWorker } from './worker.ts'

pollInWorker(systemClock, Math.random)
