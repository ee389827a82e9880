// Work over many samples in steps: the caller can do something else in between.

export type Steps<Result = void> = Generator<void, Result>

/** Samples of one step: about a millisecond of work. */
export const STEP = 1_000

/** Does the same with each item, and pauses between steps. */
export function* inSteps<Item>(items: Iterable<Item>, work: (item: Item) => void): Steps {
  let done = 0
  for (const item of items) {
    if (done > 0 && done % STEP === 0) yield
    work(item)
    done += 1
  }
}

/** Does the work without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
