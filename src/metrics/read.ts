// Sample lines back to samples: the status page reads what a scrape would get, and nothing else.

/** One series as it is published. */
export interface Reading {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

const LINE = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/is
const LABEL = /([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gis
const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }
const decoder = new TextDecoder()

/** The samples of a piece of an exposition; headers and empty lines hold none. */
export function readSamples(piece: Uint8Array): Reading[] {
  return decoder
    .decode(piece)
    .split('\n')
    .flatMap((line) => {
      const [, name, pairs = '', value] = LINE.exec(line) ?? []
      return name === undefined ? [] : [{ name, labels: readLabels(pairs), value: readNumber(value!) }]
    })
}

function readLabels(pairs: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const [, name, value] of pairs.matchAll(LABEL)) {
    labels[name!] = value!.includes('\\') ? value!.replace(/\\./g, (escape) => escapes[escape] ?? escape) : value!
  }
  return labels
}

function readNumber(text: string): number {
  if (text === '+Inf') return Infinity
  return text === '-Inf' ? -Infinity : Number(text)
}
