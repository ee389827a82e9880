// Which exposition format a scraper gets.

import type { Format } from '../metrics/exposition.ts'

export const contentTypes: Readonly<Record<Format, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/**
 * The acceptable format with the highest quality; text when nothing fits, as scrapers that ask for something else
 * still read text. OpenMetrics 0.0.1 and text 1.0.0 are not supported.
 */
export function negotiate(accept: string | undefined): Format {
  let best: { format: Format; quality: number } = { format: 'text', quality: 0 }
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase().replaceAll('"', ''))
    const given = new Map(parameters.map((part) => part.split('=', 2) as [string, string]))
    const format = formatOf(type, given.get('version'))
    const quality = Number(given.get('q') ?? 1)
    if (format !== undefined && quality > best.quality) best = { format, quality }
  }
  return best.format
}

/** Whether the client takes gzip: named, or any, and not at quality 0. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const codings = new Map(
    (acceptEncoding ?? '').split(',').map((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return [name, quality === undefined ? 1 : Number(quality)]
    }),
  )
  return (codings.get('gzip') ?? codings.get('*') ?? 0) > 0
}

function formatOf(type: string, version: string | undefined): Format | undefined {
  if (type === 'application/openmetrics-text')
    return version === undefined || version === '1.0.0' ? 'openmetrics' : undefined
  if (type === 'text/plain') return version === undefined || version === '0.0.4' ? 'text' : undefined
  return type === '*/*' || type === 'text/*' ? 'text' : undefined
}
