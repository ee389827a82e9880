// Both formats, plain and compressed, as strangers read them: the reference parser of OpenMetrics, and a real Prometheus.

import { execFileSync } from 'node:child_process'
import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSink } from '../support/sink.ts'
import { startPrometheus } from './support/prometheus.ts'
import { stakewatch, type Started } from './support/processes.ts'
import { eventually } from './support/scrape.ts'

/** Debian's package python3-prometheus-client. */
const PYTHON = '/usr/bin/python3'
const READ = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families as text
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
parse = {'text': text, 'openmetrics': openmetrics}[sys.argv[1]]
body = sys.stdin.buffer.read().decode('utf-8', 'strict')
families = [
    {'name': f.name, 'type': f.type, 'help': f.documentation,
     'samples': [[s.name, sorted(s.labels.items()), repr(float(s.value))] for s in f.samples]}
    for f in parse(body)
]
json.dump(families, sys.stdout)
`

interface Family {
  name: string
  type: string
  help: string
  /** Name, pairs of labels, value. */
  samples: [string, [string, string][], string][]
}

type Format = 'text' | 'openmetrics'

const accept = {
  text: 'text/plain;version=0.0.4',
  openmetrics: 'application/openmetrics-text;version=1.0.0',
}

/** Throws what the parser says when the body is not valid. */
function read(format: Format, body: Buffer | string): Family[] {
  const said = execFileSync(PYTHON, ['-c', READ, format], { input: body, encoding: 'utf8', stdio: 'pipe' })
  return JSON.parse(said) as Family[]
}

let demo: Started
let url: string

beforeAll(async () => {
  demo = stakewatch('demo', '--web.listen-address=127.0.0.1:0', '--speed=0')
  url = await demo.said(/metrics: +(\S+)/)
  await demo.said(/(every task has been attempted)/)
})

afterAll(async () => {
  const code = await demo.end()
  if (code !== 0) throw new Error(`the demo ended with ${code}: ${demo.stderr()}`)
})

/** The bytes as they come over the wire. */
async function bytes(headers: Record<string, string>): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ headers: IncomingHttpHeaders; body: Buffer }>()
  get(url, { headers }, (answer) => {
    buffer(answer).then((body) => resolve({ headers: answer.headers, body }), reject)
  }).on('error', reject)
  return promise
}

/** Two bodies of one snapshot: what is asked first has not changed when it is asked again after the other. */
async function together(first: Record<string, string>, second: Record<string, string>) {
  return eventually('two bodies of one snapshot', async () => {
    const before = await bytes(first)
    const between = await bytes(second)
    const after = await bytes(first)
    return before.body.equals(after.body) && ([before, between] as const)
  })
}

test('the strict parser is strict', () => {
  const good = '# TYPE a counter\n# HELP a A.\na_total{x="y"} 1\n# EOF\n'
  expect(read('openmetrics', good)).toEqual([
    { name: 'a', type: 'counter', help: 'A.', samples: [['a_total', [['x', 'y']], '1.0']] },
  ])
  for (const [from, to] of [
    ['# EOF\n', ''],
    ['TYPE a counter', 'TYPE a_total counter'],
    ['a_total{x="y"} 1', 'a{x="y"} 1'],
    ['a_total{x="y"} 1\n', 'a_total{x="y"} 1\n\n'],
  ] as const) {
    expect(() => read('openmetrics', good.replace(from, to))).toThrow('ValueError')
  }
})

test('the demo is valid OpenMetrics, and says what the text says', async () => {
  const [text, openmetrics] = await together({ accept: accept.text }, { accept: accept.openmetrics })
  expect(text.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(openmetrics.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  const inText = read('text', text.body)
  const inOpenMetrics = read('openmetrics', openmetrics.body)
  expect(new Set(inOpenMetrics.map(({ type }) => type))).toEqual(new Set(['gauge', 'counter', 'histogram', 'info']))
  // The text has no type for an info: there it is a gauge, whose name the sample has.
  const asText = inOpenMetrics.map(({ type, name, ...rest }) =>
    type === 'info' ? { ...rest, type: 'gauge', name: `${name}_info` } : { ...rest, type, name },
  )
  expect(asText).toEqual(inText)
})

test.each(['text', 'openmetrics'] as const)('compressed %s is the plain one, smaller', async (format) => {
  const plain = { accept: accept[format] }
  const [identity, gzip] = await together(plain, { ...plain, 'accept-encoding': 'gzip' })
  expect(identity.headers['content-encoding']).toBeUndefined()
  expect(gzip.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': identity.headers['content-type'],
    vary: 'Accept, Accept-Encoding',
  })
  expect(gunzipSync(gzip.body).equals(identity.body)).toBe(true)
  expect(gzip.body.length).toBeLessThan(identity.body.length / 5)
})

test('Prometheus takes the compressed OpenMetrics, whole', async () => {
  const taken: { headers: IncomingHttpHeaders; body: Buffer }[] = []
  // Between the two, to see what they agree on.
  const between = await startSink(({ headers }, _, reply) => {
    const { accept = '', 'accept-encoding': coding = 'identity' } = headers
    void bytes({ accept, 'accept-encoding': coding }).then((answer) => {
      taken.push(answer)
      reply.writeHead(200, answer.headers).end(answer.body)
    })
  })
  const prometheus = await startPrometheus(`${between.url}/metrics`)
  try {
    const scraped = await eventually('a scrape', async () => {
      const [series] = await prometheus.query('scrape_samples_scraped')
      return series?.value
    })
    expect(await prometheus.query('up')).toMatchObject([{ value: 1 }])
    expect(taken[0]!.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    })
    const samples = taken.map(({ body }) => {
      const families = read('openmetrics', gunzipSync(body))
      return families.flatMap((family) => family.samples).length
    })
    expect(samples).toContain(scraped)
  } finally {
    await prometheus.end()
    await between.end()
  }
})
