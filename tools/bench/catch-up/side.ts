// One side of catching up: `ours`, a run of the collector over HTTP, or `bare`, a loop over the same pages with the same HTTP
// client, which parses each and looks at its items' number alone.

import { Agent, request } from 'undici'
import { collectors } from '../../../src/collectors/index.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { createHttp } from '../../../src/upstream/http.ts'
import { answer } from '../process.ts'
import { createPollOf } from '../publication/poll.ts'
import { NOW } from '../publication/validators.ts'
import { measured } from '../side.ts'
import { CHAIN, type Kind, type List, lists, SPAN, TOKEN, WALLET } from './items.ts'

const [, , side, kind, url] = process.argv as [string, string, string, Kind, string]
const { collector, items, page, counter }: List = lists[kind]

const yaml = `networks:
  - name: mainnet
    data_api: { url: "${url}" }
    chains: [{ id: c-chain, evm_chain_id: ${CHAIN} }]
    addresses: [{ name: wallet, addresses: ["${WALLET}"], chains: [c-chain], tokens: { "${TOKEN}": token } }]
    icm: { lookback: ${SPAN}s, routes: [{ name: route, from: "${CHAIN}", to: "99999" }] }
`

function createOurs(): () => Promise<number> {
  const options = { file: 'bench.yaml', env: {}, readFile: () => '', collectors: collectors.map(({ name }) => name) }
  let round = -1
  const now = () => (NOW + round * SPAN) * 1_000
  const http = createHttp({ userAgent: 'bench', random: Math.random, now })
  const poll = createPollOf({ config: loadConfig(yaml, options), collector, http, now })
  return async () => {
    round += 1
    const text = Buffer.concat(await poll.run()).toString()
    return [...text.matchAll(counter)].reduce((sum, [, count]) => sum + Number(count), 0)
  }
}

/** The paths do not matter to the service. */
function createBare(): () => Promise<number> {
  const dispatcher = new Agent({ connections: 8, pipelining: 1 })
  let read = 0
  return async () => {
    for (let token: string | undefined = '0'; token !== undefined;) {
      const { body } = await request(`${url}/list?pageSize=${page}&pageToken=${token}`, { dispatcher })
      const answer = JSON.parse(await body.text()) as Record<string, unknown> & { nextPageToken?: string }
      read += (answer[items] as unknown[]).length
      token = answer.nextPageToken
    }
    return read
  }
}

const work = side === 'ours' ? createOurs() : createBare()
let counted = 0
answer(
  {},
  {
    async round() {
      const before = counted
      const figures = await measured(async () => (counted = await work()))
      return { ...figures, items: counted - before }
    },
  },
)
