// Certificates and private keys in PEM form.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'

export const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g

export const EXPECTED_CERTIFICATE = 'expected a certificate in PEM form'

/** All certificates of a text, and what is wrong with it. */
export function readCertificates(text: string): { certificates: X509Certificate[]; problems: string[] } {
  const blocks = text.match(CERTIFICATE) ?? []
  const problems = blocks.length === 0 ? [EXPECTED_CERTIFICATE] : []
  // An authority or a link of the chain that is not all there would be missing from what counts.
  const begun = text.match(/-----BEGIN/g)?.length ?? 0
  if (blocks.length > 0 && begun > blocks.length) {
    problems.push(`holds ${begun} certificates, of which ${blocks.length} are complete: it looks cut off`)
  }
  const certificates = blocks.flatMap((block, at) => {
    try {
      return [new X509Certificate(block)]
    } catch {
      problems.push(`certificate ${at + 1} of ${blocks.length} cannot be read: its PEM form is damaged`)
      return []
    }
  })
  return { certificates, problems }
}

export const EXPECTED_KEY = 'expected a private key in PEM form, without a password'

export function readPrivateKey(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text)
  } catch {
    return undefined
  }
}

export const OTHER_KEY = 'this key is not that of the certificate'
