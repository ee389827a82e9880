// admin.loadVMs: plugins that wait are loaded, or fail; neither waits any longer. A file whose name is no id stops it all.

import { readId } from '../../lib/ids.ts'
import { loadVMs } from '../../operations/node/admin.ts'
import { refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleLoadVMs = handles(loadVMs, (place) => {
  const { plugins } = nodeOf(place)
  const misnamed = [...plugins.keys()].find((name) => readId(name).wrong !== undefined)
  if (misnamed !== undefined) throw refusal(`invalid vmID: "${misnamed}"`)
  const newVMs: Record<string, string[]> = {}
  const failedVMs: Record<string, string> = {}
  for (const [id, plugin] of plugins) {
    if ('failure' in plugin) failedVMs[id] = plugin.failure
    else newVMs[id] = plugin.aliases
  }
  plugins.clear()
  return Object.keys(failedVMs).length > 0 ? { newVMs, failedVMs } : { newVMs }
})
