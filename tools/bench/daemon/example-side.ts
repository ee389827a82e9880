// The daemon with both threads on config.example.yaml, with other addresses of its upstreams.

import { systemClock } from '../../../src/process/system-clock.ts'
import { createLogger } from '../../../src/logger.ts'
import { createDaemon } from '../../../src/daemon/daemon.ts'
import { secretUrl } from '../../../src/lib/secret.ts'
import { example, loadAsExample } from '../../../test/support/example.ts'
import { answer } from '../process.ts'

const [, , node, data, metrics] = process.argv as [string, string, string, string, string]

const config = loadAsExample(example)
const networks = config.networks.map((network) => ({
  ...network,
  nodes: network.nodes.map((one) => ({ ...one, url: secretUrl(node) })),
  data_api: network.data_api && { ...network.data_api, url: secretUrl(data) },
  metrics_api: network.metrics_api && { ...network.metrics_api, url: secretUrl(metrics) },
}))
const daemon = createDaemon({
  config: { ...config, networks },
  version: 'bench',
  // The network of the example is another one: what it does not have is no news.
  log: createLogger({ level: 'error', format: 'logfmt', write: (line) => process.stderr.write(line) }),
  clock: systemClock,
  random: Math.random,
})
await daemon.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })

answer(
  {},
  {
    cpu() {
      const { user, system } = process.cpuUsage()
      return { seconds: (user + system) / 1e6 }
    },
  },
)
