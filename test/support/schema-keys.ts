// Every key that a schema knows, as paths: names as an operator writes them, 0 for any entry of a list. And a
// configuration in which any of them can be given any value.

import type { z } from 'zod'
import { itemOf, keysOf } from '../../src/config/file/keys.ts'

export type KeyPath = readonly (string | 0)[]

export function keyPaths(schema: z.ZodType, at: KeyPath = []): KeyPath[] {
  const item = itemOf(schema)
  if (item) return keyPaths(item, [...at, 0])
  return [...(keysOf(schema) ?? [])].flatMap(([written, key]) => {
    const path = [...at, written]
    return key.file ? [path] : [path, ...keyPaths(key.schema, path)]
  })
}

/** Valid as it stands; every list has an entry, and every map that may be left out is there. */
export const plainConfig = () => ({
  networks: [
    {
      name: 'fuji',
      nodes: [{ name: 'node-a', url: 'https://10.0.0.5:9650', tls_config: {} }],
      data_api: { url: 'https://data.example', network: 'fuji', budget: {}, tls_config: {} },
      metrics_api: { url: 'https://metrics.example', budget: {}, tls_config: {} },
      validators: [{ node_id: 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu', expect: {} }],
      subnets: [{ id: '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof' }],
      chains: [{ id: 'c-chain', expect: {} }],
      addresses: [{ name: 'relayer', addresses: ['P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'], expect: {} }],
      l1_fee: {},
      delegation: {},
      icm: { routes: [{ name: 'there', from: '43113', to: '99999' }] },
      signature_probes: [{ name: 'probe', message: '00' }],
      maintenance: [{ name: 'night', schedule: '@daily', for: '1h' }],
    },
  ],
  public: { validators: [{ validator: 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu' }] },
  defaults: {},
  collectors: { uptime: {}, supply: {} },
})

/** The collectors that `plainConfig` names. */
export const plainCollectors = ['uptime', 'supply']

export function withValue(path: KeyPath, value: unknown): object {
  const config: object = plainConfig()
  let parent = config as Record<string, unknown>
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<string, unknown>
  const last = String(path.at(-1))
  // A value and its file at once would be another mistake.
  delete parent[last.replace(/_file$/, '')]
  parent[last] = value
  return config
}
