// The configuration in force as a file that could be read again but for its secrets.

import { effectiveDocument } from './effective.ts'
import type { Config } from '../schema.ts'

export function shownConfig(config: Config): string {
  return effectiveDocument(config).toString({ lineWidth: 0 })
}
