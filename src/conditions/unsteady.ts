// Upstreams that keep going down, and networks whose nodes all do at the same time.

import { MAINTENANCE_READS, nodeInMaintenance } from './maintenance.ts'
import { nodesOf } from './nodes.ts'
import { DAY, HOUR, MINUTE } from './time.ts'
import { falls, greatest, growth, mean, type Track } from './track.ts'
import { isLimitedWithin, isPaused, isRateLimited, isRefusing, UPSTREAM_READS, UPSTREAMS_REMEMBER } from './upstreams.ts'
import type { Remembered, View } from './view.ts'
