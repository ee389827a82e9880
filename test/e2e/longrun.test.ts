// A slice of the long run: a day of daemon and network, most of which is warm-up. The month is `npm run longrun`.

import { expect, test } from 'vitest'
import { SLICE, violations } from '../../tools/longrun.ts'
import { longRun } from '../../tools/longrun/run.ts'

test('a day of coming and going leaves nothing behind', { timeout: 600_000 }, async () => {
  const outcome = await longRun(SLICE)
  expect(outcome.daemon.map(({ name }) => name)).toContain('descriptors')
  expect(violations(outcome)).toEqual([])
})
