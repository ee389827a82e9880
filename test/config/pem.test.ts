// Certificates and keys as files have them: with other blocks next to them, and cut off anywhere.

import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { EXPECTED_CERTIFICATE, EXPECTED_KEY, readCertificates, readPrivateKey } from '../../src/config/pem.ts'
import { loadWebConfig } from '../../src/config/web/web-config.ts'
import { authority, certificate } from '../support/certificates.ts'
import { runCommand } from '../support/command.ts'

const ours = authority('ours')
const { cert, key } = certificate('stakewatch', { by: ours })

/** No one reads what is in it. */
const block = (kind: string) => `-----BEGIN ${kind}-----\nMAoCAQECAQI=\n-----END ${kind}-----\n`
const TEXT = 'Bag Attributes\n    friendlyName: stakewatch\n=====\nsubject=CN = stakewatch\n\n'
const sec1 = createPrivateKey(key).export({ type: 'sec1', format: 'pem' }).toString()
const rsa = certificate('stakewatch', { type: 'rsa' })
const pkcs1 = createPrivateKey(rsa.key).export({ type: 'pkcs1', format: 'pem' }).toString()
const locked = (type: 'pkcs8' | 'pkcs1') =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' })
    .toString()

describe('blocks of other kinds are skipped', () => {
  const others = [
    'PRIVATE KEY',
    'EC PRIVATE KEY',
    'DH PARAMETERS',
    'EC PARAMETERS',
    'X509 CRL',
    'CERTIFICATE REQUEST',
    'PUBLIC KEY',
    'PGP PUBLIC KEY BLOCK',
    // OpenSSL takes these two for certificates, Go does not.
    'TRUSTED CERTIFICATE',
    'X509 CERTIFICATE',
  ]
  test.each(others)('%s among certificates', (kind) => {
    for (const text of [
      block(kind) + cert + ours.cert,
      cert + block(kind) + ours.cert,
      cert + ours.cert + block(kind),
    ]) {
      expect(readCertificates(text)).toMatchObject({ pem: cert + ours.cert, problems: [] })
    }
    expect(readCertificates(block(kind)).problems).toEqual([EXPECTED_CERTIFICATE])
  })

  test.each(others.filter((kind) => !kind.endsWith('PRIVATE KEY')))('%s next to a key', (kind) => {
    expect(readPrivateKey(block(kind) + key)).toEqual({ pem: key, problems: [] })
    expect(readPrivateKey(key + block(kind))).toEqual({ pem: key, problems: [] })
    expect(readPrivateKey(block(kind)).problems).toEqual([EXPECTED_KEY])
  })

  test.each([
    ['text in front, between and behind', TEXT + key + TEXT + cert + TEXT],
    ['lines of Windows', (cert + key).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${cert}${key}`],
    ['a byte order mark and lines of Windows', `\uFEFF${cert}${key}`.replaceAll('\n', '\r\n')],
    ['blanks behind the marks', (cert + key).replaceAll('-----\n', '----- \t\n')],
    ['no line end at the end', (cert + key).trimEnd()],
    ['lines of dashes, as s_client prints them', `CONNECTED(00000003)\n---\n${cert}---\n${key}-----\nServer\n---\n`],
    ['a sentence about marks', `# Put it below -----BEGIN CERTIFICATE-----\n${cert}${key}`],
    ['a key in SEC 1 form with its parameters', block('EC PARAMETERS') + sec1 + cert],
    ['the second key of another kind', cert + key + pkcs1],
  ])('%s', (_, text) => {
    const read = [readCertificates(text), readPrivateKey(text)]
    expect(read.map(({ problems }) => problems)).toEqual([[], []])
    expect(() => createSecureContext({ cert: read[0]!.pem, key: read[1]!.pem, ca: read[0]!.pem })).not.toThrow()
  })

  test.each([
    ['PKCS #8', rsa.key],
    ['PKCS #1', pkcs1],
  ])('a key of RSA as %s', (_, pem) => {
    const read = [readCertificates(pem + rsa.cert), readPrivateKey(pem + rsa.cert)]
    expect(() => createSecureContext({ cert: read[0]!.pem, key: read[1]!.pem })).not.toThrow()
  })

  test.each([
    ['with a password', locked('pkcs8')],
    ['with a password, as OpenSSL once wrote it', locked('pkcs1')],
    ['that is damaged', block('PRIVATE KEY')],
    ['of SSH', block('OPENSSH PRIVATE KEY')],
  ])('a key %s is none', (_, text) => expect(readPrivateKey(text).problems).toEqual([EXPECTED_KEY]))
})

describe('a file that is cut off', () => {
  const pieces = [TEXT, cert, block('DH PARAMETERS'), TEXT, ours.cert, key, TEXT]
  const whole = pieces.join('')
  /** Where each block begins and ends; the line end behind it is no part of it. */
  const blocks = [1, 2, 4, 5].map((at) => {
    const from = pieces.slice(0, at).join('').length
    return { kind: at, from, to: from + pieces[at]!.length - 1 }
  })
  const cuts = Array.from({ length: whole.length + 1 }, (_, at) => at)
  const isInside = (at: number) => blocks.some(({ from, to }) => from < at && at < to)
  const CUT: unknown[] = [
    expect.stringMatching(/^is cut off: the block on line \d+ has no end; write the whole file again$/),
  ]

  test.each([
    ['behind its last lines', (at: number) => whole.slice(0, at)],
    ['and has lines of Windows', (at: number) => whole.slice(0, at).replaceAll('\n', '\r\n')],
  ])('%s is refused when that is inside a block, and else is what it is', (_, cutAt) => {
    for (const at of cuts) {
      const [certificates, privateKey] = [readCertificates(cutAt(at)), readPrivateKey(cutAt(at))]
      const has = (kind: number) => blocks.some((one) => one.kind === kind && one.to <= at)
      const count = isInside(at) ? 0 : [1, 4].filter(has).length
      const cut = isInside(at) ? CUT : undefined
      expect([at, certificates.certificates.length, certificates.problems, privateKey.problems]).toEqual([
        at,
        count,
        cut ?? (count === 0 ? [EXPECTED_CERTIFICATE] : []),
        cut ?? (has(5) ? [] : [EXPECTED_KEY]),
      ])
    }
    expect(cuts.filter(isInside).length).toBeGreaterThan(1_000)
  })

  test('in front of its first lines is refused when that is in the data of a block', () => {
    const data = blocks.flatMap(({ from, to }) => {
      const [begin, end] = [whole.indexOf('\n', from), whole.lastIndexOf('-----END', to)]
      return cuts.slice(begin, end + 1)
    })
    for (const at of data) {
      expect([at, readCertificates(whole.slice(at)).problems]).toEqual([
        at,
        [expect.stringContaining('has no beginning')],
      ])
    }
    expect(data.length).toBeGreaterThan(500)
  })

  test.each([
    ['a block that begins inside another', cert.split('\n').slice(0, 3).join('\n') + `\n${cert}`, 1, 'end'],
    ['a file behind one whose last line does not end', cert.trimEnd() + ours.cert, 1, 'end'],
    ['a block that ends as another kind', cert.replace('END CERTIFICATE', 'END PRIVATE KEY'), 1, 'end'],
    [
      'a mark with four dashes',
      `${cert}${cert.replace('CERTIFICATE-----', 'CERTIFICATE----')}`,
      cert.split('\n').length,
      'end',
    ],
    ['an end alone', `${cert}-----END CERTIFICATE-----\n`, cert.split('\n').length, 'beginning'],
    ['half a mark', `${cert}-----END`, cert.split('\n').length, 'beginning'],
  ])('%s is refused', (_, text, line, lacking) => {
    const problem = `is cut off: the block on line ${line} has no ${lacking}; write the whole file again`
    expect(readCertificates(text).problems).toEqual([problem])
  })

  /** One cut for each place in which it may be: in a mark, in the data, and in a block of another kind. */
  const inEach = blocks.flatMap(({ from, to }) => [from + 1, from + 5, from + 9, from + 40, to - 20, to - 1])
  const files = inEach.map((at) => whole.slice(0, at)).filter((text) => text.includes('-----BEGIN CERTIFICATE-----'))
  const said = (file: string, load: (readFile: (path: string) => string) => void): string[] =>
    files.map((text) => {
      const contents: Readonly<Record<string, string>> = {
        'ca.pem': ours.cert,
        'cert.pem': cert,
        'key.pem': key,
        [file]: text,
      }
      try {
        load((path) => contents[path]!)
      } catch (error) {
        return (error as Error).message
      }
      return 'no error'
    })
  const CUT_IN = (key: string, file: string) =>
    new RegExp(
      String.raw`^c:\d+:\d+: \S+\.${key}: (is cut off: the block on line \d+ has no end; write the whole file again|expected a private key in PEM form, without a password); check what the file ${file} holds$`,
    )

  test.each([
    ['ca_file', 'ca.pem'],
    ['cert_file', 'cert.pem'],
    ['key_file', 'key.pem'],
  ])('is refused as %s of an upstream', (name, file) => {
    const tls = 'tls_config: { ca_file: ca.pem, cert_file: cert.pem, key_file: key.pem }'
    const yaml = `networks: [{ name: fuji, nodes: [{ name: a, url: "https://10.0.0.5", ${tls} }] }]`
    const messages = said(file, (readFile) => loadConfig(yaml, { file: 'c', env: {}, readFile, collectors: [] }))
    for (const message of messages) expect(message).toMatch(CUT_IN(name, file))
    expect(messages.length).toBeGreaterThan(15)
  })

  test.each([
    ['cert_file', 'cert.pem'],
    ['key_file', 'key.pem'],
    ['client_ca_file', 'ca.pem'],
  ])('is refused as %s of a web configuration', (name, file) => {
    const tls =
      'cert_file: cert.pem, key_file: key.pem, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ca.pem'
    const yaml = `tls_server_config: { ${tls} }\n`
    const messages = said(file, (readFile) => loadWebConfig(yaml, { file: 'c', env: {}, readFile }))
    for (const message of messages) expect(message).toMatch(CUT_IN(name, file))
  })

  test('is refused as --tls.ca-file', async () => {
    for (const text of files) {
      const flags = ['top', '--once', '--url=https://127.0.0.1:1', '--tls.ca-file=ca.pem']
      const { code, stderr } = await runCommand(flags, { readFile: () => text })
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^--tls\.ca-file=ca\.pem: is cut off: the block on line \d+ /),
      ])
    }
  })
})
