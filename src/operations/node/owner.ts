// Who may spend what a P-Chain record names, as nodes give it.

import { z } from 'zod'
import { optional, unsigned } from '../fields.ts'

export const owner = z.object({
  locktime: optional(unsigned),
  threshold: optional(unsigned),
  addresses: optional(z.array(z.string())),
})
