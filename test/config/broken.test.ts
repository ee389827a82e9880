// Every broken configuration file in broken/ is next to the exact report that an operator gets for it.

import { createPrivateKey } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { BaseError } from '../../src/errors.ts'
import { certificate } from '../support/certificates.ts'

const folder = new URL('broken/', import.meta.url)
const files = readdirSync(folder)
const cases = [...new Set(files.map((file) => file.replace(/\.\w+$/, '')))]
const contentOf = (file: string) => readFileSync(new URL(file, folder), 'utf8')

// Every value that is secret, and every value that does not stand in the file itself, holds this word.
const MARKER = 'MARKER'
const env = {
  EMPTY: '',
  NAME: `${MARKER}-name`,
  NODE_URL: `${MARKER}-no-url`,
  DATA_KEY: `${MARKER}-key`,
  DIRECTORY: `/run/${MARKER}`,
}
const made = certificate('client')
const secrets: Readonly<Record<string, string>> = {
  'holds-a-key': `${MARKER}-key\n`,
  'holds-a-url': `http://10.0.0.5:9650/${MARKER}\n`,
  'holds-no-url': `${MARKER}\n`,
  'holds-two-lines': `${MARKER}\n${MARKER}\n`,
  'holds-nothing': '\n',
  'holds-a-certificate': made.cert,
  'holds-half-a-certificate': `${made.cert}${made.cert.slice(0, 200)}`,
  'holds-its-key': made.key,
  'holds-another-key': certificate('another').key,
  'holds-a-locked-key': createPrivateKey(made.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: MARKER })
    .toString(),
}
const unreadable: Readonly<Record<string, string>> = { forbidden: 'EACCES', directory: 'EISDIR', 'broken-disk': 'EIO' }

function readSecret(path: string): string {
  const text = secrets[path]
  if (text !== undefined) return text
  const code = unreadable[path] ?? 'ENOENT'
  throw Object.assign(new Error(`${code}: cannot open '${path}' of ${MARKER}`), { code, path })
}

function refusalOf(yaml: string, file: string): BaseError {
  try {
    loadConfig(yaml, { file, env, readFile: readSecret, collectors: ['primary-blocks', 'supply', 'uptime'] })
  } catch (error) {
    if (error instanceof BaseError) return error
    throw error
  }
  throw new Error(`${file} is not refused`)
}

describe('broken configuration files', () => {
  test('the folder holds pairs alone', () => {
    expect(files.toSorted()).toEqual(cases.flatMap((name) => [`${name}.txt`, `${name}.yaml`]).toSorted())
    expect(cases.length).toBeGreaterThanOrEqual(50)
  })

  test.each(cases)('%s', (name) => {
    const refusal = refusalOf(contentOf(`${name}.yaml`), `${name}.yaml`)
    expect(`${refusal.message}\n`).toBe(contentOf(`${name}.txt`))
    expect(refusal.code).toBe('config')
    expect([refusal.details, refusal.cause]).toEqual([undefined, undefined])
  })

  test('no report gives a secret away', () => {
    const leaking = cases.filter((name) => contentOf(`${name}.txt`).includes(MARKER))
    expect(leaking).toEqual([])
  })
})
