// Who may import whom in src, and who may use which library and global: one table, from which oxlint.config.ts makes rules of the
// linter. Paths are relative to src.

import { roomNames, shared } from './rooms.ts'

/** A path ending in a slash means all files below it; '' means every file. */
type Paths = readonly string[]

const BASE = ['lib/', 'errors.ts']
/** What a collector may import in addition to its own room. */
const COLLECTING = [...BASE, 'operations/', 'judgements/', 'turns/', 'metrics/define.ts', 'collectors/define.ts']
const SHARED = Object.keys(shared).map((folder) => `collectors/${folder}/`)
const NONE: Paths = []
const TIMERS = [
  'process/system-clock.ts',
  'main.ts',
  'daemon/serving.ts',
  'daemon/judging.ts',
  'upstream/',
  'server/',
  'simulator/control/faults.ts',
]
const POLLING = [
  ...BASE,
  'logger.ts',
  'operations/',
  'upstream/',
  'config/',
  'metrics/',
  'judgements/',
  'maintenance/',
  'collectors/',
  'scheduler/',
  'self/',
  'run/',
  'budget/',
  'storage/',
  'conditions/',
]

/** Which of our files a layer may import in addition to its own. The first that fits a file is its layer. */
export const layers: Readonly<Record<string, { sees: Paths; types?: Paths }>> = {
  'lib/': { sees: [] },
  'errors.ts': { sees: ['lib/'] },
  'logger.ts': { sees: ['lib/'] },
  'operations/': { sees: BASE },
  'upstream/': { sees: [...BASE, 'operations/'] },
  'maintenance/': { sees: ['lib/', 'metrics/define.ts', 'config/forms.ts', 'config/times.ts'], types: ['config/'] },
  'config/': { sees: [...BASE, 'maintenance/window.ts', 'alerts/limit.ts', 'alerts/names.ts', 'alerts/thresholds.ts'] },
  // Generated from the definitions of the collectors, so that they are known without loading these.
  'metrics/': { sees: [...BASE, '../catalogue.json'] },
  'judgements/': { sees: BASE },
  'turns/': { sees: BASE },
  ...Object.fromEntries(SHARED.map((folder) => [folder, { sees: [...COLLECTING, ...SHARED], types: ['config/'] }])),
  ...Object.fromEntries(
    roomNames.map((room) => [`collectors/${room}/`, { sees: [...COLLECTING, ...SHARED], types: ['config/'] }]),
  ),
  'conditions/': { sees: [...BASE, 'alerts/', 'judgements/', 'metrics/', 'self/judge-metrics.ts'] },
  'alerts/': { sees: ['lib/', 'metrics/catalogue.ts', 'conditions/', 'self/judge-metrics.ts'] },
  'collectors/define.ts': { sees: COLLECTING, types: ['config/'] },
  'collectors/index.ts': { sees: ['collectors/'] },
  'scheduler/': { sees: [...BASE, 'collectors/', 'upstream/', 'metrics/'], types: ['config/'] },
  'self/': {
    sees: [...BASE, 'collectors/subjects/', 'maintenance/metrics.ts', 'metrics/', 'upstream/source.ts'],
    types: ['config/', 'logger.ts', 'operations/', 'scheduler/', 'upstream/client.ts'],
  },
  'run/': {
    sees: [...BASE, 'metrics/', 'operations/', 'self/', 'upstream/'],
    types: ['collectors/', 'config/', 'logger.ts', 'scheduler/'],
  },
  'budget/': {
    sees: [...BASE, 'metrics/', 'self/request-metrics.ts', 'upstream/'],
    types: ['config/', 'logger.ts', 'run/', 'scheduler/'],
  },
  'status/': {
    sees: [
      ...BASE,
      'alerts/',
      'collectors/index.ts',
      'config/presets.ts',
      'config/public-validators.ts',
      'config/file/effective.ts',
      'metrics/read-exposition.ts',
      'maintenance/',
      'scheduler/plan.ts',
      'scheduler/shard.ts',
    ],
    types: ['conditions/', 'config/', 'metrics/', 'server/routes.ts', 'upstream/source.ts'],
  },
  'server/': { sees: BASE, types: ['config/', 'metrics/', 'self/instance.ts'] },
  'simulator/': { sees: [...BASE, 'operations/'] },
  'storage/': { sees: [...BASE, 'metrics/'], types: ['logger.ts'] },
  'process/system-clock.ts': { sees: ['lib/'] },
  'daemon/judge-inbox.ts': { sees: ['lib/'], types: ['conditions/', 'metrics/'] },
  'daemon/judge-memory.ts': { sees: BASE, types: ['conditions/', 'config/'] },
  'daemon/judging.ts': {
    sees: [
      ...BASE,
      'alerts/',
      'conditions/',
      'metrics/',
      'config/alerting.ts',
      'daemon/judge-inbox.ts',
      'daemon/judge-memory.ts',
      'status/value/metric-names.ts',
    ],
    types: ['config/', 'logger.ts', 'status/value/readings.ts'],
  },
  'daemon/poller.ts': { sees: [...POLLING, 'daemon/judging.ts'] },
  'daemon/serving.ts': {
    sees: [
      ...BASE,
      'alerts/rules.ts',
      'metrics/',
      'daemon/bind.ts',
      'daemon/drills.ts',
      'daemon/readiness.ts',
      'self/',
      'server/',
      'status/',
      'storage/storage-metrics.ts',
    ],
    types: ['config/', 'logger.ts', 'daemon/judging.ts'],
  },
  'daemon/bind.ts': { sees: ['errors.ts'], types: ['server/'] },
  'daemon/drills.ts': { sees: ['lib/', 'metrics/', 'self/daemon-metrics.ts'], types: ['logger.ts', 'server/'] },
  'daemon/readiness.ts': { sees: ['lib/'], types: ['metrics/', 'server/'] },
  'daemon/reload.ts': { sees: BASE, types: ['config/', 'logger.ts', 'daemon/poller.ts'] },
  'daemon/daemon.ts': {
    sees: ['daemon/judging.ts', 'daemon/poller.ts', 'daemon/reload.ts', 'daemon/serving.ts'],
    types: ['lib/', 'config/', 'logger.ts', 'metrics/', 'scheduler/', 'storage/'],
  },
  'commands/serve/read-aside-entry.ts': {
    sees: [...BASE, 'config/', 'process/read-file.ts', 'commands/serve/watched-files.ts'],
    types: ['commands/serve/read-aside.ts'],
  },
  'commands/': {
    sees: [
      ...BASE,
      'alerts/',
      'conditions/',
      'daemon/daemon.ts',
      'process/system-clock.ts',
      'daemon/reload.ts',
      'config/',
      'simulator/',
      'logger.ts',
      'operations/',
      'upstream/',
      'scheduler/plan.ts',
      'budget/cost.ts',
      'budget/accounts.ts',
      'scheduler/expected.ts',
      'self/',
      'maintenance/',
      'scheduler/shard.ts',
      'collectors/index.ts',
      'judgements/reward.ts',
      'judgements/upgrades.ts',
      'metrics/',
      'server/',
      'status/page/words.ts',
      'status/page/maintenance.ts',
      'status/value/alerts.ts',
      'status/value/metric-names.ts',
      'status/value/readings.ts',
      'status/value/status-schema.ts',
      'status/page/markup.ts',
      'status/page/style.ts',
      'storage/keeper-thread.ts',
      'storage/storage.ts',
      'storage/storage-metrics.ts',
    ],
    types: [],
  },
  'process/': { sees: [] },
  'main.ts': {
    sees: ['commands/', 'errors.ts', 'process/', 'upstream/http.ts'],
    types: ['logger.ts'],
  },
}

/** Who may import a library, or a module of Node's that does I/O or uses time. */
export const libraries: Readonly<Record<string, Paths>> = {
  '@lezer/common': ['commands/doctor/'],
  '@noble/hashes/legacy.js': ['lib/'],
  '@noble/hashes/sha3.js': ['lib/'],
  '@node-rs/bcrypt': ['server/basic-auth.ts'],
  '@prometheus-io/lezer-promql': ['commands/doctor/'],
  '@scure/base': ['lib/'],
  marked: ['status/page/runbooks.ts'],
  commander: ['commands/', 'main.ts'],
  fastify: ['simulator/'],
  pino: ['logger.ts'],
  re2js: ['commands/monitoring/'],
  'prom-client': ['self/process-metrics.ts'],
  croner: ['lib/calendar.ts'],
  undici: ['upstream/connect.ts', 'upstream/dispatchers.ts', 'upstream/failures.ts'],
  yaml: ['config/', 'alerts/', 'commands/monitoring/'],
  zod: [''],
  'node:child_process': NONE,
  'node:dgram': NONE,
  'node:fs': ['main.ts', 'process/', 'storage/database.ts', 'storage/keeper.ts'],
  'node:http': ['server/listener.ts'],
  'node:http2': ['server/listener.ts'],
  'node:https': ['server/listener.ts'],
  'node:module': NONE,
  'node:net': ['server/', 'simulator/node/node-server.ts', 'upstream/connect.ts', 'upstream/lookup.ts'],
  'node:process': NONE,
  'node:readline': ['main.ts'],
  'node:readline/promises': NONE,
  'node:sqlite': NONE,
  'node:timers': NONE,
  'node:timers/promises': TIMERS,
  'node:tls': ['server/listener.ts', 'upstream/dispatchers.ts'],
  'node:worker_threads': [
    'commands/serve/read-aside.ts',
    'commands/serve/read-aside-entry.ts',
    'storage/keeper-thread.ts',
    'storage/keeper-entry.ts',
  ],
}

/** Who may use a global. */
export const globals: Readonly<Record<string, Paths>> = {
  // instance.ts reads process.version. database.ts gets SQLite from it,
  // listener.ts what only TLS needs. No thread starts in a folder that is gone, which keeper-thread.ts says.
  process: [
    'process/system-clock.ts',
    'process/thread-pool.ts',
    'main.ts',
    'self/instance.ts',
    'server/listener.ts',
    'storage/database.ts',
    'storage/keeper-thread.ts',
  ],
  fetch: NONE,
  globalThis: NONE,
  // It keeps deadlines of work that is over; see run/following.ts.
  'AbortSignal.any': NONE,
  // Elsewhere the clock and chance are passed in.
  'Date.now': ['process/system-clock.ts', 'commands/', 'logger.ts'],
  'Math.random': ['commands/'],
  performance: ['commands/'],
  setInterval: TIMERS,
  setTimeout: TIMERS,
}
