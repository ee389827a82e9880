// A quarter of an hour of bad weather, with a kill and a jump of the clock. `npm run scenario -- weather` has more of it.

import { expect, test } from 'vitest'
import { play } from '../../tools/scenarios/runner.ts'
import { weather } from '../../tools/scenarios/weather.ts'

test('nothing wrong is published and nothing is lost in a quarter of an hour of bad weather', async () => {
  const said: string[] = []
  const { looks, happened, figures } = await play(await weather({ minutes: 16, seed: 1 }), (line) => said.push(line))
  expect(said).toEqual([])
  expect(looks).toBeGreaterThan(30)
  expect(happened).toMatchObject({ kill: 1, 'jump by -30 s': 1 })
  expect(figures).toMatchObject({ struck: expect.any(Number) })
})
