// HTTP requests out of the bytes of a connection: as much of HTTP as the daemon speaks.

export interface HttpRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Gives the requests that are complete with these bytes. */
export function createRequestReader(): (bytes: Buffer) => HttpRequest[] {
  let rest: Buffer = Buffer.alloc(0)

  function next(): HttpRequest | undefined {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const [method = '', url = ''] = first.split(' ')
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
    )
    const length = Number(headers['content-length'] ?? 0)
    const from = end + 4
    if (rest.length < from + length) return undefined
    const body = rest.subarray(from, from + length).toString()
    rest = rest.subarray(from + length)
    return { method, url, headers, body }
  }

  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const found: HttpRequest[] = []
    for (let one = next(); one; one = next()) found.push(one)
    return found
  }
}
