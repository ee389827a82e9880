// A data service whose pages are rendered before they are asked for. `advance` brings a batch of new items; the list then has
// these and one page of older ones, so that a client that reads to its end reads nothing in vain.

import { serve } from '../process.ts'
import { BATCH, type Kind, type List, lists } from './items.ts'

const [, , kind] = process.argv as [string, string, Kind]
const { items, page, item }: List = lists[kind]

let newest = 0
let rendered: Buffer[] = []
let served = 0

function advance(): void {
  newest += BATCH
  const count = BATCH / page + 1
  rendered = Array.from({ length: count }, (_, number) => {
    const first = newest - number * page
    const listed = Array.from({ length: page }, (_, at) => first - at).filter((at) => at > 0)
    const next = number === count - 1 ? {} : { nextPageToken: String(number + 1) }
    return Buffer.from(JSON.stringify({ [items]: listed.map(item), ...next }))
  })
}

serve(
  (request, response) => {
    const { searchParams, pathname } = new URL(request.url!, 'http://127.0.0.1')
    const isHead = kind === 'transfers' && pathname.endsWith('/blocks')
    const body = isHead
      ? Buffer.from(JSON.stringify({ blocks: [lists.blocks.item(newest)] }))
      : rendered[Number(searchParams.get('pageToken') ?? 0)]!
    if (!isHead) served += 1
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  },
  {
    advance() {
      advance()
      return {}
    },
    /** Pages since the question before. */
    served() {
      const pages = served
      served = 0
      return { pages }
    },
  },
)
