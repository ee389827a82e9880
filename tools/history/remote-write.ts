// Expositions of the past as requests to write them: the protocol that Prometheus calls remote write. Blocks made from
// OpenMetrics know no staleness: there a series that is gone would go on for five minutes, next to the one that follows it.

export interface Target {
  job: string
  instance: string
}

/**
 * Of the process that plays: its memory and its event loop say nothing of a daemon that lived through those hours, and its
 * start was not then.
 */
const OF_THE_PLAYER = /^(process|nodejs)_/

/** The only NaN that ends a series, as a little-endian double. */
const STALE = Buffer.from('020000000000f07f', 'hex')

/** Gives the body of the request for each exposition of a demo that has lived since then; times are Unix seconds. */
export function createRequests(target: Target, startedAt: number): (exposition: string, at: number) => Buffer {
  const request = createSampleRequests({ ...target })
  return (exposition, at) => {
    const samples = new Map([
      ['up', 1],
      ['process_start_time_seconds', startedAt],
    ])
    for (const line of exposition.split('\n')) {
      const [, series = '', value = ''] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      if (series !== '' && !OF_THE_PLAYER.test(series)) samples.set(series, Number(value.replace('Inf', 'Infinity')))
    }
    return request(samples, at)
  }
}

/** The same of samples by their series, to which labels are added. One that was in the request before and is missing ends. */
export function createSampleRequests(
  added: Readonly<Record<string, string>>,
): (samples: ReadonlyMap<string, number>, at: number) => Buffer {
  const labelsOf = new Map<string, Buffer>()
  let before: Iterable<string> = []

  function labels(series: string): Buffer {
    const known = labelsOf.get(series)
    if (known) return known
    const [, name = '', inside = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series)!
    const pairs = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key!, unescaped(text!)])
    const all: Record<string, string> = { ...added, ...Object.fromEntries(pairs), __name__: name }
    const sorted = Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const bytes = Buffer.concat(sorted.map(([key, text]) => field(1, Buffer.concat([field(1, key), field(2, text)]))))
    labelsOf.set(series, bytes)
    return bytes
  }

  return (samples, at) => {
    const values = Array.from(samples, ([series, value]) => [series, double(value)] as const)
    const gone = [...before].filter((series) => !samples.has(series)).map((series) => [series, STALE] as const)
    before = [...samples.keys()]
    const time = Buffer.concat([Buffer.of((2 << 3) | 0), varint(at * 1_000)])
    const messages = [...values, ...gone].map(([series, value]) => {
      const sample = Buffer.concat([Buffer.of((1 << 3) | 1), value, time])
      return field(1, Buffer.concat([labels(series), field(2, sample)]))
    })
    return literally(Buffer.concat(messages))
  }
}

const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }
const unescaped = (text: string) => text.replaceAll(/\\./g, (pair) => escapes[pair] ?? pair)

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Buffer.of(...bytes, rest)
}

/** A field of protobuf that has a length. */
function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.of((number << 3) | 2), varint(bytes.length), bytes])
}

/** A block of snappy that compresses nothing: its length, and one literal. */
function literally(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head[0] = 63 << 2
  head.writeUInt32LE(bytes.length - 1, 1)
  return Buffer.concat([varint(bytes.length), head, bytes])
}
