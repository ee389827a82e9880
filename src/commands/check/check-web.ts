// Warnings of check about a valid web configuration with which handshakes would fail or nothing would be protected.

import type { WebConfig } from '../../config/web/web-config.ts'
import { readCertificates } from '../../config/pem.ts'
import { BaseError } from '../../errors.ts'

/** Warnings. Throws a BaseError when a certificate is not valid at this time. */
export function webWarnings({ tls }: WebConfig, file: string, now: Date): string[] {
  if (!tls) return []
  const invalid = [
    ...invalidIn('the certificate', tls.cert, now),
    ...(tls.clientCa === undefined ? [] : invalidIn('the authority of clients', tls.clientCa, now)),
  ]
  if (invalid.length > 0) {
    throw new BaseError('config', invalid.map((why) => `${file}: tls_server_config: ${why}`).join('\n'))
  }
  return tls.policy === 'RequireAnyClientCert'
    ? [
        `${file}: RequireAnyClientCert takes any certificate, also one that a client made itself; RequireAndVerifyClientCert protects`,
      ]
    : []
}

function invalidIn(what: string, pem: string, now: Date): string[] {
  return readCertificates(pem).certificates.flatMap(({ subject, validFromDate, validToDate }) => {
    const name = `${what} of ${subject.replaceAll('\n', ', ')}`
    if (now > validToDate) return [`${name} expired at ${validToDate.toISOString()}: renew it`]
    if (now < validFromDate) return [`${name} is valid only from ${validFromDate.toISOString()} on`]
    return []
  })
}
