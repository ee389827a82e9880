// admin.loadVMs: plugins that wait are loaded, or fail; neither waits any longer.

import { loadVMs } from '../../operations/node/admin.loadVMs.ts'
import { handles, nodeOf } from '../serve.ts'

export const handleLoadVMs = handles(loadVMs, (place) => {
  const { plugins } = nodeOf(place)
  const newVMs: Record<string, string[]> = {}
  const failedVMs: Record<string, string> = {}
  for (const [id, plugin] of plugins) {
    if ('failure' in plugin) failedVMs[id] = plugin.failure
    else newVMs[id] = plugin.aliases
  }
  plugins.clear()
  return Object.keys(failedVMs).length > 0 ? { newVMs, failedVMs } : { newVMs }
})
