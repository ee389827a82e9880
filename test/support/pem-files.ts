// Certificates and keys as files, right and wrong ones, for configurations that name them.

import { authority, certificate } from './certificates.ts'

const ours = authority('ours')
const server = certificate('stakewatch', { by: ours })

/** By path: a test or a case names them, as keys differ from run to run. */
export const pemFiles = {
  'server.crt': server.cert + ours.cert,
  'server.key': server.key,
  'other.key': certificate('another', { by: ours }).key,
  'ca.crt': ours.cert,
  'damaged.crt': server.cert.replace(/\n.{20}/, '\n'),
  'none.crt': 'marker-secret\n',
  'empty.pem': '',
  'cut.crt': (server.cert + ours.cert).slice(0, -30),
  'cut-in-a-mark.crt': `${server.cert}-----BEG`,
  'cut-mark.crt': server.cert.replace('CERTIFICATE-----', 'CERTIFICATE----'),
  'cut-in-front.crt': server.cert.slice(40),
  'cut-and-whole.crt': server.cert.replace(/-----END.*\n/, '') + ours.cert,
}
export const pemPaths = Object.keys(pemFiles) as (keyof typeof pemFiles)[]

/** Throws where there is no such file. */
export function readPem(path: string): string {
  if (!Object.hasOwn(pemFiles, path)) throw Object.assign(new Error(path), { code: 'ENOENT' })
  return pemFiles[path as keyof typeof pemFiles]
}
