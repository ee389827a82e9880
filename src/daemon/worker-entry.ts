// First file of the worker that polls.

import { systemClock } from '../process/system-clock.ts'
import { pollInWorker } from './worker.ts'

pollInWorker(systemClock, Math.random)
