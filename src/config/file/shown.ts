// The effective configuration as a valid file, except that secrets are masked.

import { effectiveDocument } from './effective.ts'
import type { Config } from '../schema.ts'

export function shownConfig(config: Config): string {
  return effectiveDocument(config).toString({ lineWidth: 0 })
}
