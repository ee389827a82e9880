// info.peers: the nodes that the asked node is connected to.

import { z } from 'zod'
import { count, optional, percent, orNone, timeOrNever, timestamp, word } from '../fields.ts'
import { defineMethod } from './method.ts'

const peer = z.object({
  nodeID: word.min(1),
  ip: optional(z.string()),
  publicIP: optional(z.string()),
  version: orNone(word),
  upgradeTime: orNone(timestamp).describe('when the newest upgrade that its software knows comes into force'),
  lastSent: optional(timeOrNever),
  lastReceived: optional(timeOrNever),
  observedUptime: orNone(percent).describe(
    'how much it has seen of the asked node, 0 to 100; 0 until about half a minute after one of the two has started',
  ),
  trackedSubnets: optional(z.array(z.string())),
  supportedACPs: optional(z.array(count)),
  objectedACPs: optional(z.array(count)),
  benched: orNone(z.array(z.string())).describe('chains for which the asked node sends it no requests for a while'),
})

/** A node does not list itself. Lists of validators show a peer that is benched on any chain as disconnected. */
export const peers = defineMethod({
  name: 'info.peers',
  params: z.object({
    nodeIDs: z.array(z.string().min(1)).optional().describe('only these nodes; default: all'),
  }),
  answer: z.object({ numPeers: count, peers: z.array(peer) }),
  items: 'peers',
})
