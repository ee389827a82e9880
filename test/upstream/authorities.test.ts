// Which authorities a connection trusts, in processes of their own: the environment names the system's authorities.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { authority } from '../support/certificates.ts'
import { createTlsUpstream } from '../support/tls-upstream.ts'

const http = new URL('../../src/upstream/http.ts', import.meta.url).href
const secrets = new URL('../../src/lib/secret.ts', import.meta.url).href
const program = `
  const { createHttp } = await import(${JSON.stringify(http)})
  const { secret } = await import(${JSON.stringify(secrets)})
  const [url, ca] = process.argv.slice(1)
  const http = createHttp({ userAgent: 'test', random: () => 0, now: Date.now })
  const link = ca === undefined ? {} : { tls: { ca: secret(ca) } }
  const asked = { method: 'GET', url, headers: {}, signal: AbortSignal.timeout(20_000), retry: false, maxBytes: 99, link }
  const { status } = await http.send(asked).catch(({ message }) => ({ status: message }))
  console.log(status)
  await http.close()
`

/** What a new process gets that trusts the system's authorities of this text. */
async function asked(url: string, system: string, ...own: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'system.pem'), system)
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  const args = ['--input-type=module', '--eval', program, url, ...own]
  const places = { SSL_CERT_FILE: join(folder, 'system.pem'), SSL_CERT_DIR: join(folder, 'none') }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...env, ...places } })
  return stdout.trim()
}

describe('an upstream whose certificate an authority signed', () => {
  const UNKNOWN = /its certificate is of an unknown authority: give the authority in ca_file$/

  test('that the system trusts', async () => {
    const { url, ca } = await createTlsUpstream()
    expect(await asked(url, `${authority('another one').cert}${ca}`)).toBe('200')
  })

  test('that no one trusts', async () => {
    const { url } = await createTlsUpstream()
    expect(await asked(url, '')).toMatch(UNKNOWN)
    expect(await asked(url, authority('another one').cert)).toMatch(UNKNOWN)
  })

  test('that the system trusts, where the configuration trusts another one alone', async () => {
    const { url, ca } = await createTlsUpstream()
    expect(await asked(url, ca, authority('another one').cert)).toMatch(UNKNOWN)
    expect(await asked(url, authority('another one').cert, ca)).toBe('200')
  })
})
