// info.getNodeVersion: which software the asked node runs.

import { z } from 'zod'
import { count, optional, word } from '../fields.ts'
import { defineMethod } from './method.ts'

export const getNodeVersion = defineMethod({
  name: 'info.getNodeVersion',
  answer: z.object({
    version: word.describe('name and version, such as avalanchego/1.14.2'),
    databaseVersion: optional(word),
    rpcProtocolVersion: optional(count).describe('of the protocol between the node and the virtual machines of L1s'),
    gitCommit: optional(word),
    vmVersions: optional(z.record(z.string(), z.string())).describe('by alias or id of the virtual machine'),
  }),
})
