// Ids that a text leads to, with the checksums that the network writes.

import { hash } from 'node:crypto'
import { nodeIdOf as idOfCertificate, toCb58 } from '../../lib/ids.ts'
import { bytesOf } from './bytes.ts'

/** Bytes that follow the beginning of a certificate. */
const CERTIFICATE = 272

/** What a node shows as its certificate: as in DER, a sequence with a length of two bytes. */
export function certificateOf(text: string): Buffer {
  return Buffer.from(
    `3082${CERTIFICATE.toString(16).padStart(4, '0')}${bytesOf(`certificate ${text}`, CERTIFICATE)}`,
    'hex',
  )
}

/** The id of the node with that certificate. */
export function nodeIdOf(text: string): string {
  return idOfCertificate(certificateOf(text))
}

/** An id of 32 bytes. */
export function idOf(text: string): string {
  return toCb58(hash('sha256', text, 'buffer'))
}
