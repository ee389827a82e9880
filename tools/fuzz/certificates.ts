// Certificates and keys as files, right and wrong ones, for configurations that name them.

import { authority, certificate } from '../../test/support/certificates.ts'

const ours = authority('ours')
const server = certificate('stakewatch', { by: ours })

/** By path. Texts of cases name them, as keys differ from run to run. */
export const pemFiles: Readonly<Record<string, string>> = {
  'server.crt': server.cert + ours.cert,
  'server.key': server.key,
  'other.key': certificate('another', { by: ours }).key,
  'ca.crt': ours.cert,
  'damaged.crt': server.cert.replace(/\n.{20}/, '\n'),
  'cut.crt': (server.cert + ours.cert).slice(0, -30),
  'none.crt': 'no certificate\n',
}
export const pemPaths = Object.keys(pemFiles)
