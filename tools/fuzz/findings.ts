// What fuzzing found and was mended: inputs that have to end well.

import { NOW } from './stack.ts'
import { listErc20Transfers } from '../../src/operations/data/evm.ts'

export interface Finding {
  /** Name of the parser. */
  parser: string
  what: string
  input: unknown
}

/** In place of an answer; `words` chooses the command. */
const answering = (words: number, other: string) => ({
  words,
  other,
  edits: [],
  attacks: [],
  textEdits: [],
  status: 200,
  location: undefined,
})
const answerOf = (resultType: string, result: object) =>
  JSON.stringify({ status: 'success', data: { resultType, result: [result] } })
const vectorOf = (metric: object, value: string) => answerOf('vector', { metric, value: [NOW, value] })
/** One value at a full hour, which every request asks for. */
const matrixOf = (metric: object) => answerOf('matrix', { metric, values: [[NOW - (NOW % 3_600), '1']] })
export const findings: readonly Finding[] = [
  {
    parser: 'configuration',
    what: 'a network called `constructor` ended the program with a TypeError, as each object has a member of this name',
    input: 'networks: [{ name: constructor }]',
  },
  {
    parser: 'configuration',
    what: 'a token with the address `__proto__` was left out without a word',
    input:
      'networks: [{ name: fuji, addresses: [{ name: a, addresses: ["0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"], tokens: { __proto__: X } }] }]',
  },
  {
    parser: 'configuration',
    what: 'a key of control characters was printed as it is, so that it could redraw a terminal',
    input: 'networks: [{ name: fuji, "\\e[2J": 1 }]',
  },
  {
    parser: 'configuration',
    what: 'a map with a key `toString` in the place of a chain ended the program with a TypeError',
    input: 'networks: [{ name: fuji, icm: { routes: [{ name: a, from: { toString: x }, to: "1" }] } }]',
  },
  {
    parser: 'parameters of operations',
    what: 'half of a surrogate pair in a parameter of the path ended in a URIError instead of a refusal',
    input: { operation: listErc20Transfers, texts: { chainId: '43114', address: '\ud800' } },
  },
  {
    parser: 'what collectors remember',
    what: 'a remembered height that is no number passed for one of the right form, so that each run of the collector failed with a SyntaxError for ever instead of counting from zero',
    input: {
      task: 'evm-transactions/fuji/orchard',
      text: '{"cursor":{"position":0,"start":0,"holes":[]},"counts":{},"missed":0,"waited":0,"newest":{"total":"x","at":0}}',
    },
  },
  {
    parser: 'what collectors remember',
    what: 'a remembered histogram with other buckets, as another version may have them, was counted on with, so that its counts stood in the wrong buckets',
    input: {
      task: 'icm/fuji/out',
      text: '{"asked":"","floor":0,"known":[],"totals":{"states":{"pending":0,"delivered":0,"delivered_source_not_indexed":0,"other":0},"abandoned":0,"delivery":{"counts":[1],"sum":1}}}',
    },
  },
  {
    parser: 'what collectors remember',
    what: 'a remembered time of a transaction passed that is no date as seconds, so that each run of the collector failed with a RangeError for ever',
    input: {
      task: 'transactions/fuji/address:operator:p-chain',
      text: '{"position":"0","floor":"0","seen":[],"totals":{"types":{}},"gaps":0,"newest":{"total":"0","at":0},"outgoing":{"time":1000000000000000,"seen":1000000000000000}}',
    },
  },
  {
    parser: 'what collectors remember',
    what: 'remembered decimal places of a token passed that no token can have, so that each run of the collector failed with a RangeError for ever',
    input: {
      task: 'erc20-transfers/fuji/treasury:c-chain',
      text: '{"totals":{"transfers":{},"amounts":{"in 0x55a421500bf874f49ef80cf76027d772d76f20d7":"1"},"places":{"0x55a421500bf874f49ef80cf76027d772d76f20d7":1780000000000}},"gaps":0,"knownSince":0,"tokens":["0x55a421500bf874f49ef80cf76027d772d76f20d7"],"doubts":{},"cursors":{}}',
    },
  },
  {
    parser: 'what collectors remember',
    what: 'a remembered total that was refused passed as a negative number; the counter of missed blocks grew by it, and the record that was then saved could not be read',
    input: {
      task: 'evm-transactions/fuji/c-chain',
      text: '{"cursor":{"position":0,"start":0,"holes":[]},"counts":{},"missed":0,"waited":0,"newest":{"total":"3000","at":0,"refused":{"runs":2,"since":0,"value":"-50000"}}}',
    },
  },
  {
    parser: 'what collectors remember',
    what: 'a remembered distance between the places of an index and heights was used that makes heights negative',
    input: { task: 'head-check/fuji/c-chain/node-b', text: '{"anchor":{"offset":"-6000","by":"block"}}' },
  },
  {
    parser: 'what collectors remember',
    what: 'a remembered type of rewards passed that has the name of a member of each object, whose value was then no number',
    input: {
      task: 'rewards/fuji/operator',
      text: '{"position":"0","floor":"0","seen":[],"totals":{"tokens":{"constructor":"1"},"values":{"usd":{}},"waiting":[],"priceless":0},"gaps":0,"newest":{"total":"0","at":0}}',
    },
  },
  {
    parser: 'answer of list-latest-transactions',
    what: 'a number beyond doubles in a field without documented members passed as Infinity',
    input: {
      status: 200,
      headers: {},
      text: '{"nextPageToken":"","transactions":[{"txHash":"a","txType":"ConvertSubnetToL1Tx","blockTimestamp":1700000001,"blockNumber":"5001","blockHash":"b","l1ValidatorDetails":[{"validationId":"v","blsCredentials":{"publicKey":1e999}}]}],"chainInfo":{"chainName":"p-chain","network":"fuji"}}',
    },
  },
  {
    parser: 'commands read Prometheus: a query',
    what: 'a number of shards that no list can have ended doctor with a RangeError',
    input: answering(0, vectorOf({ job: 'stakewatch', instance: 'watch-1:19650' }, '1e308')),
  },
  {
    parser: 'commands read Grafana: settings',
    what: 'half of a surrogate pair in the uid of a data source ended doctor with a URIError',
    input: answering(
      0,
      String.raw`{"appUrl":"http://a","datasources":{"a":{"uid":"\ud800","type":"prometheus","name":"a"}}}`,
    ),
  },
  {
    parser: 'commands read Prometheus: a query for a range',
    what: 'a name of a label with a line end made a line of the error of report',
    input: answering(0, matrixOf({ '\nFORGED': 1 })),
  },
  {
    parser: 'commands read Prometheus: a query for a range',
    what: 'a name of a validator with a line end made a line of the error of report',
    input: answering(1, matrixOf({ network: 'fuji', subnet: 'primary', node_id: 'a', validator: 'val-1\nFORGED' })),
  },
  {
    parser: 'backtest reads Prometheus: a query for a range',
    what: 'a name of an alert with a line end made a row of the table of backtest',
    input: answering(0, matrixOf({ alertname: 'StakewatchDown\nFORGED', severity: 'critical\nFORGED' })),
  },
  {
    parser: 'commands read Grafana: dashboards',
    what: 'a query of a variable that is an object with a member toString ended doctor with a TypeError',
    input: answering(
      0,
      '{"dashboard":{"uid":"a","title":"a","templating":{"list":[{"name":"a","type":"query","query":{"toString":1}}]}}}',
    ),
  },
  {
    parser: 'patterns of other programs',
    what: 'a pattern with 5,000 optional parts took seconds for a text of 2,000 signs',
    input: { pattern: 'a?'.repeat(5_000), text: 'a'.repeat(2_000) },
  },
]
