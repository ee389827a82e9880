// The configured nodes as scrape targets for HTTP service discovery: Prometheus scrapes the nodes' own metrics.

import type { Config } from '../config/schema.ts'
import { isPublicNode } from '../config/presets.ts'

interface Group {
  targets: [string]
  labels: Record<string, string>
}

/**
 * Omits nodes whose URL has more than host and port: the rest may be secret, and Prometheus could not reach the node without it.
 * Omits the public nodes of presets as well.
 */
export function discovered({ networks }: Config): Group[] {
  return networks.flatMap(({ name: network, nodes }) =>
    nodes.flatMap(({ name: node, url, node_id }): Group[] => {
      const { protocol, hostname, port, pathname, search, username, password } = new URL(url.reveal())
      const isPlain = pathname === '/' && search === '' && username === '' && password === ''
      if (!isPlain || isPublicNode(url.reveal())) return []
      const scheme = protocol.slice(0, -1)
      const labels = {
        __scheme__: scheme,
        __metrics_path__: '/ext/metrics',
        network,
        node,
        ...(node_id && { node_id }),
      }
      return [{ targets: [`${hostname}:${port || (scheme === 'https' ? '443' : '80')}`], labels }]
    }),
  )
}
