// admin.loadVMs: makes the node load the plugins of virtual machines that were installed since it started.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { optional } from '../fields.ts'

/** A plugin that fails to load does not make the call fail. */
export const loadVMs = defineOperation({
  name: 'admin.loadVMs',
  source: 'document 2, Admin interface',
  effect: 'change',
  via: { rpc: '/ext/admin' },
  answer: z.object({
    newVMs: z.record(z.string(), z.array(z.string())).describe('aliases by the id of the virtual machine'),
    failedVMs: optional(z.record(z.string(), z.string())).describe('why, by id; absent when none failed'),
  }),
})
