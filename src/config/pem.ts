// Certificates and private keys in PEM form. As in the loaders of Go, text and blocks of other kinds are skipped, so that a
// certificate may share a file with its key. A block that is not all there spoils the file: its authority would be missing.

import { createPrivateKey, X509Certificate } from 'node:crypto'

export const EXPECTED_CERTIFICATE = 'expected a certificate in PEM form'
export const EXPECTED_KEY = 'expected a private key in PEM form, without a password'

interface Read {
  /** The blocks that count, and nothing else: OpenSSL would read more kinds. */
  pem: string
  problems: string[]
}

/** All certificates of a text. */
export function readCertificates(text: string): Read & { certificates: X509Certificate[] } {
  const { blocks, problems } = blocksOf(text)
  const found = blocks.filter(({ kind }) => kind === 'CERTIFICATE').map(({ pem }) => pem)
  if (problems.length === 0 && found.length === 0) problems.push(EXPECTED_CERTIFICATE)
  const certificates = found.flatMap((pem, at) => {
    const certificate = orNothing(() => new X509Certificate(pem))
    if (certificate) return [certificate]
    problems.push(`certificate ${at + 1} of ${found.length} cannot be read: its PEM form is damaged`)
    return []
  })
  return { certificates, pem: found.join(''), problems }
}

/** The first private key of a text. */
export function readPrivateKey(text: string): Read {
  const { blocks, problems } = blocksOf(text)
  const { pem = '' } = blocks.find(({ kind }) => /^(.* )?PRIVATE KEY$/.test(kind)) ?? {}
  if (problems.length === 0 && !orNothing(() => createPrivateKey(pem))) problems.push(EXPECTED_KEY)
  return { pem, problems }
}

export const OTHER_KEY = 'this key is not that of the certificate'

/** Of the first certificate, both as they were read without a problem. */
export function isKeyOf(key: string, certificates: string): boolean {
  return new X509Certificate(certificates).checkPrivateKey(createPrivateKey(key))
}

interface Block {
  kind: string
  pem: string
}

/** Marks stand at the beginning of a line; the lines may be those of Windows, behind a byte order mark. */
function blocksOf(text: string): { blocks: Block[]; problems: string[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const blocks: Block[] = []
  let begun: { kind: string; at: number } | undefined
  for (const [at, line] of lines.entries()) {
    const [mark, word, kind] = /^-----(BEGIN|END)(?: (.+)-----[ \t]*$)?/.exec(line) ?? []
    if (mark === undefined) continue
    if (begun === undefined) {
      if (word === 'END') return cut(at, 'beginning')
      if (kind === undefined) return cut(at, 'end')
      begun = { kind, at }
    } else {
      if (word === 'BEGIN' || kind !== begun.kind) return cut(begun.at, 'end')
      blocks.push({ kind, pem: `${lines.slice(begun.at, at + 1).join('\n')}\n` })
      begun = undefined
    }
  }
  if (begun) return cut(begun.at, 'end')
  // The beginning of a mark without a line end behind it.
  const last = lines.at(-1)!
  return last !== '' && '-----BEGIN'.startsWith(last) ? cut(lines.length - 1, 'end') : { blocks, problems: [] }
}

function cut(at: number, lacking: string) {
  return {
    blocks: [],
    problems: [`is cut off: the block on line ${at + 1} has no ${lacking}; write the whole file again`],
  }
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
