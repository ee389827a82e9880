// The tests of the rules, played in this process with the verdicts of the judge.

import { describe, expect, test } from 'vitest'
import { play, seconds, testFiles, testsIn } from './play.ts'

describe.each(testFiles())('%s', (file) => {
  const { tests, evaluation_interval: evaluation = '1m' } = testsIn(file)
  test.each(tests)('$name', (one) => {
    expect(play(one, seconds(evaluation))).toEqual([])
  })
})
