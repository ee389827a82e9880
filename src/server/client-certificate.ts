// Whether a client may stay after the handshake, judged by its certificate.

import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { TlsConfig } from '../config/web/web-tls.ts'

export function isClientAllowed(socket: TLSSocket, { policy, allowedSans }: TlsConfig): boolean {
  const certificate = socket.getPeerX509Certificate()
  switch (policy) {
    case 'VerifyClientCertIfGiven':
      return certificate === undefined || socket.authorized
    case 'RequireAnyClientCert':
      return certificate !== undefined && isNamed(certificate, allowedSans)
    case 'RequireAndVerifyClientCert':
      return certificate !== undefined && socket.authorized && isNamed(certificate, allowedSans)
    case 'NoClientCert':
    case 'RequestClientCert':
    default:
      return true
  }
}

function isNamed(certificate: X509Certificate, allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || namesOf(certificate).some((name) => allowed.includes(name))
}

/** The DNS names, IP addresses, mail addresses and URIs of the certificate, as they are usually written. */
function namesOf({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string[] {
  // Node quotes a name that has a comma or a quotation mark, so that one name cannot pass for two.
  const entries = subjectAltName.matchAll(/(DNS|IP Address|email|URI):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/gy)
  return entries
    .map(([, kind, value = '']) => {
      const name = value.startsWith('"') ? String(JSON.parse(value)) : value
      return kind === 'IP Address' && name.includes(':')
        ? (URL.parse(`http://[${name}]`)?.hostname.slice(1, -1) ?? name)
        : name
    })
    .toArray()
}
