// A slice of the month: a day of daemon and network, most of which is warm-up. The whole is `npm run scenario -- month`.

import { expect, test } from 'vitest'
import { A_DAY, month } from '../../tools/scenarios/month.ts'
import { play } from '../../tools/scenarios/runner.ts'

test('a day of coming and going leaves nothing behind', async () => {
  const said: string[] = []
  const { looks } = await play(await month(A_DAY), (line) => said.push(line))
  expect(said).toEqual([])
  expect(looks).toBeGreaterThan(10)
})
