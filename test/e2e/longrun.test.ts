// A slice of the long run: a day of daemon and network, most of which is warm-up. The month is `npm run longrun`.

import { expect, test } from 'vitest'
import { violations } from '../../tools/longrun.ts'
import { longRun } from '../../tools/longrun/run.ts'

test('a day of coming and going leaves nothing behind', { timeout: 240_000 }, async () => {
  const outcome = await longRun({ days: 1, warmUp: 12, every: 240, measured: 2 })
  expect(outcome.daemon.map(({ name }) => name)).toContain('descriptors')
  expect(violations(outcome)).toEqual([])
})
