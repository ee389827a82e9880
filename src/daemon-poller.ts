// The first file of the daemon's second thread.

import { systemClock } from './clock.ts'
import { pollInThread } from './poller-thread.ts'

pollInThread(systemClock, Math.random)
