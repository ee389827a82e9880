// A node that has its answers ready: platform.getCurrentValidators for a given number of validators, a balance for any address, and
// the upgrades of the network.

import { answerBody, benchValidators, idOf, upgradesAnswer, withId } from '../publication/validators.ts'
import { serve } from '../process.ts'

const [, , count] = process.argv as [string, string, string]

const validators = answerBody(benchValidators(Number(count)), Math.floor(Date.now() / 1_000))
const balance = (id: string) => [
  Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"balance":"20000000000","unlocked":"10000000000",`),
  Buffer.from('"lockedStakeable":"10000000000","lockedNotStakeable":"0","utxoIDs":[]}}\n'),
]

serve((request, response) => {
  let question = ''
  request.setEncoding('latin1')
  request.on('data', (piece: string) => (question += piece))
  request.on('end', () => {
    const isBalance = question.slice(0, 100).includes('"platform.getBalance"')
    const upgrades = upgradesAnswer(question)
    const others = isBalance ? balance : (id: string) => withId(validators, id)
    const pieces: readonly Buffer[] = upgrades ? [upgrades] : others(idOf(question))
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    for (const piece of pieces) response.write(piece)
    response.end()
  })
})
