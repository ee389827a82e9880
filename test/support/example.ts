// config.example.yaml, and the environment and the files that it names.

import { readFileSync } from 'node:fs'
import { collectors } from '../../src/collectors/index.ts'
import { loadConfig, type LoadOptions } from '../../src/config/load.ts'
import { certificate } from './certificates.ts'
import type { Config } from '../../src/config/schema.ts'

export const example = readFileSync(new URL('../../config.example.yaml', import.meta.url), 'utf8')

const { cert, key } = certificate('client')
const files: Readonly<Record<string, string>> = {
  '/run/secrets/node-b-url': 'https://10.0.1.5:9650\n',
  '/run/secrets/data-url': 'https://data.example/path-of-the-key\n',
  '/run/secrets/data-api-key': 'the-key\n',
  '/run/secrets/metrics-url': 'https://metrics.example/path-of-the-key\n',
  '/run/secrets/node-b-ca': cert,
  '/run/secrets/node-b-cert': cert,
  '/run/secrets/node-b-key': key,
  '/run/secrets/proxy-url': 'http://user:password@proxy.example:3128\n',
}

export const exampleOptions: LoadOptions = {
  file: 'config.example.yaml',
  env: { DATA_API_KEY: 'the-test-key', NODE_CA: cert, NODE_CERT: cert, NODE_KEY: key },
  readFile: (path) => {
    const text = files[path]
    if (text !== undefined) return text
    throw new Error(`the example reads ${path}`)
  },
  collectors: collectors.map(({ name }) => name),
}

export function loadAsExample(yaml: string): Config {
  return loadConfig(yaml, exampleOptions)
}
