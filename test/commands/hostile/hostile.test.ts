// Commands read the answers of a whole chain of monitoring, one kind of which is hostile. Each ends with a result or an error that
// it explains, prints no control character and no forged line, and sends no secret anywhere but to the address that it is for.

import { hostile, type Hostile, sizeOf } from './answers.ts'
import { attackBacktest } from './backtest.ts'
import { attack, kindsOfAnswers } from './commands.ts'
import { NOW } from './stack.ts'
import { fuzzed } from '../../support/fuzz/fuzzed.ts'

/** In place of an answer; `words` chooses the command. */
const answering = (words: number, other: string): Hostile => ({
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

const found: Readonly<Record<string, Readonly<Record<string, Hostile>>>> = {
  'Prometheus: a query': {
    'a number of shards that no list can have': answering(0, vectorOf({ job: 'stakewatch', instance: 'a:1' }, '1e308')),
  },
  'Grafana: settings': {
    'half of a surrogate pair in the uid of a data source': answering(
      0,
      String.raw`{"appUrl":"http://a","datasources":{"a":{"uid":"\ud800","type":"prometheus","name":"a"}}}`,
    ),
  },
  'Prometheus: a query for a range': {
    'a name of a label with a line end': answering(0, matrixOf({ '\nFORGED': 1 })),
    'a name of a validator with a line end': answering(
      1,
      matrixOf({ network: 'fuji', subnet: 'primary', node_id: 'a', validator: 'val-1\nFORGED' }),
    ),
  },
  'Grafana: dashboards': {
    'a query of a variable that is an object with a member toString': answering(
      0,
      '{"dashboard":{"uid":"a","title":"a","templating":{"list":[{"name":"a","type":"query","query":{"toString":1}}]}}}',
    ),
  },
}

for (const kind of kindsOfAnswers) {
  fuzzed<Hostile>(kind.name, {
    inputs: hostile,
    sizeOf,
    run: (input) => attack(kind, input),
    ...(found[kind.name] && { found: found[kind.name]! }),
  })
}

for (const kind of kindsOfAnswers.filter(({ name }) => /query for a range|a query$/.test(name))) {
  fuzzed<Hostile>(`backtest: ${kind.name}`, {
    inputs: hostile,
    sizeOf,
    run: (input) => attackBacktest(kind, input),
    found: {
      'a name of an alert with a line end': answering(
        0,
        matrixOf({ alertname: 'StakewatchDown\nFORGED', severity: 'critical\nFORGED' }),
      ),
    },
  })
}
