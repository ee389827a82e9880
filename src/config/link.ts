// How an upstream is reached: through which proxy, and with which certificates.

import { z } from 'zod'
import type { Secret } from '../lib/secret.ts'
import * as form from './forms.ts'
import { isKeyOf, OTHER_KEY } from './pem.ts'

/** Until everything in it is as expected, values are not what they will be. */
export const whenFine = { when: ({ issues }: z.core.ParsePayload) => issues.length === 0 }

const tlsConfig = z
  .strictObject({
    ca: form.certificates
      .optional()
      .describe('the authorities to trust instead of those of the system and of Node.js (ca_file)'),
    cert: form.certificates.optional().describe('the client certificate and its chain (cert_file)'),
    key: form.privateKey.optional().describe('the key of the client certificate (key_file)'),
    server_name: form.serverName.optional().describe('the name in the certificate; default: the host of the url'),
  })
  .superRefine(({ cert, key }, context) => {
    const report = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (cert && !key) report('cert', 'expected with its key: give key_file as well')
    if (key && !cert) report('key', 'expected with its certificate: give cert_file as well')
    if (cert && key && !isKeyOf(key.reveal(), cert.reveal())) report('key', OTHER_KEY)
  }, whenFine)

/** The keys of an upstream next to its url. */
const linkKeys = {
  proxy: form.proxy.optional().describe('HTTP proxy, or none; default: as HTTP_PROXY, HTTPS_PROXY and NO_PROXY say'),
  tls_config: tlsConfig.optional().describe('TLS of an https:// url'),
}

/** An upstream with the keys of `shape` and those of how it is reached. */
export function upstream<Shape extends { url: z.ZodType<Secret> }>(shape: Shape) {
  return z.strictObject({ ...shape, ...linkKeys }).superRefine((given, context) => {
    const { url, tls_config: tls = {} } = given as { url: Secret; tls_config?: object }
    // It would be ignored in silence.
    if (Object.keys(tls).length === 0 || /^https:/i.test(url.reveal())) return
    const message = 'expected with an https:// url alone: correct the url, or remove this'
    context.addIssue({ code: 'custom', path: ['tls_config'], message })
  }, whenFine)
}
