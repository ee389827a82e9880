// A node that has its answers ready: platform.getCurrentValidators for a given number of validators, and the upgrades of the network.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answerBody, benchValidators, idOf, upgradesAnswer, writeId } from './validators.ts'

const [, , count] = process.argv as [string, string, string]

const body = answerBody(benchValidators(Number(count)), Math.floor(Date.now() / 1_000))

const server = createServer((request, response) => {
  void text(request).then((question) => {
    const upgrades = upgradesAnswer(question)
    if (!upgrades) writeId(body, idOf(question))
    response.writeHead(200, { 'content-type': 'application/json' }).end(upgrades ?? body)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
