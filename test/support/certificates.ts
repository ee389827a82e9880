// Certificates for tests, written byte by byte (RFC 5280), so that no tool has to be there and none of them ever ends.

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const tlv = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents)
  const length = content.length.toString(16)
  const long = Buffer.from(length.padStart(length.length + (length.length % 2), '0'), 'hex')
  const size = content.length < 128 ? Buffer.of(content.length) : Buffer.concat([Buffer.of(0x80 + long.length), long])
  return Buffer.concat([Buffer.of(tag), size, content])
}
const sequence = (...items: Uint8Array[]) => tlv(0x30, ...items)
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'))
const octets = (content: Uint8Array) => tlv(0x04, content)
const bits = (content: Uint8Array) => tlv(0x03, Buffer.of(0), content)
const time = (year: number) => tlv(0x18, Buffer.from(`${year}0101000000Z`))
const name = (common: string) => sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(common)))))
const extension = (id: string, content: Uint8Array, isCritical = false) =>
  sequence(oid(id), ...(isCritical ? [tlv(0x01, Buffer.of(0xff))] : []), octets(content))

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), tlv(0x05))

/** What a certificate is for, each written as the tag of a general name and its bytes. */
const kinds = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const
type Names = Partial<Record<keyof typeof kinds, string>>

export interface Made {
  cert: string
  key: string
}

interface Wanted {
  /** Signed by itself without one. */
  by?: Authority | undefined
  names?: Names
  /** In the year 2000 its time was over. */
  isOver?: boolean
  type?: 'ec' | 'rsa'
}

export interface Authority extends Made {
  common: string
  private: KeyObject
  isRsa: boolean
}

export function authority(common: string): Authority {
  const made = make(common, { isAuthority: true })
  return { ...made, common }
}

export function certificate(common: string, wanted: Wanted = {}): Made {
  return make(common, wanted)
}

function make(common: string, wanted: Wanted & { isAuthority?: boolean }) {
  const { by, names = {}, isOver = false, type = 'ec', isAuthority = false } = wanted
  const { publicKey, privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const general = Object.entries(names).map(([kind, text]) => tlv(kinds[kind as keyof Names], bytesOf(kind, text)))
  const extensions = [
    ...(isAuthority ? [extension('551d13', sequence(tlv(0x01, Buffer.of(0xff))), true)] : []),
    ...(general.length > 0 ? [extension('551d11', sequence(...general))] : []),
  ]
  const algorithm = (by?.isRsa ?? type === 'rsa') ? SHA256_WITH_RSA : ECDSA_WITH_SHA256
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    name(by?.common ?? common),
    sequence(time(1999), time(isOver ? 2000 : 2999)),
    name(common),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [tlv(0xa3, sequence(...extensions))] : []),
  )
  const der = sequence(body, algorithm, bits(sign('sha256', body, by?.private ?? privateKey)))
  const cert = `-----BEGIN CERTIFICATE-----\n${der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END CERTIFICATE-----\n`
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { cert, key, private: privateKey, isRsa: type === 'rsa' }
}

/** An address of IPv6 is given as sixteen bytes in hexadecimal. */
function bytesOf(kind: string, text: string): Buffer {
  if (kind !== 'ip') return Buffer.from(text)
  return text.includes('.') ? Buffer.from(text.split('.').map(Number)) : Buffer.from(text, 'hex')
}
