// What the rolling restart counts as wrong.

import { expect, test } from 'vitest'
import { unwanted } from '../../tools/rolling-restart.ts'

const row = (during: string, status: string, labels: string, alert = 'StakewatchValidatorDisconnected') => ({
  minute: 1,
  during,
  receiver: 'pager',
  status,
  alert,
  labels,
})
const page = row('', 'firing', 'fuji val-3')

test.each([
  ['nothing, when all was sent before', [page, row('', 'resolved', 'fuji', 'StakewatchWalletLow')], []],
  ['the page once more', [page, row('Prometheus', 'firing', 'fuji val-3')], [1]],
  ['its end', [page, row('Prometheus', 'resolved', 'fuji val-3')], [1]],
  ['the end of another alert', [page, row('node-a', 'resolved', 'fuji', 'StakewatchWalletLow')], [1]],
  ['a page for another validator', [page, row('node-a', 'firing', 'fuji val-5')], [1]],
])('%s', (_, rows, wrong) => {
  expect(unwanted(rows).map((one) => rows.indexOf(one))).toEqual(wrong)
})
