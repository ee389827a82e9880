// Work over many samples in steps: the caller can do something else in between.

export type Steps<Result = void> = Generator<void, Result>

/** Samples of one step: about a millisecond of work. */
export const STEP = 1_000

/** Does the work without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
