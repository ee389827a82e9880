// A node that has its answers ready: platform.getCurrentValidators for a given number of validators, and the upgrades of the network.

import { startSink } from '../../test/support/sink.ts'
import { answerBody, benchValidators, idOf, upgradesAnswer, writeId } from './validators.ts'

const [, , count] = process.argv as [string, string, string]

const body = answerBody(benchValidators(Number(count)), Math.floor(Date.now() / 1_000))

const { url } = await startSink((_, question, response) => {
  const upgrades = upgradesAnswer(question)
  if (!upgrades) writeId(body, idOf(question))
  response.writeHead(200, { 'content-type': 'application/json' }).end(upgrades ?? body)
})
console.log(url)
