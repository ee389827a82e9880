// Remembers what an upstream does not support, and asks again once an hour instead of at every run.

import type { BaseError, ErrorCode } from '../errors.ts'
import { entryOf } from '../lib/entry.ts'
import { ageOf, type Clock, type Moment } from '../lib/clock.ts'
import type { Operation } from '../operations/define.ts'
import { sourceKey, type SourceName } from './source.ts'

export type Absent = ReturnType<typeof createAbsent>

interface AbsentAt {
  /** Why the upstream does not support this question, if it said so within the last hour. */
  known(question: string): BaseError | undefined
  /** Notes how a request failed. A source that restarted may have other settings, so all of its questions are asked again. */
  note(question: string, error: BaseError, operation: Pick<Operation, 'notFoundLasts'>): void
}

const HOUR = 3_600_000
/** A source that did not answer may have been restarted, and a bootstrapping one was. */
const MAY_CHANGE = new Set<ErrorCode>(['network', 'timeout', 'not_ready'])

export function createAbsent({ now }: Pick<Clock, 'now'>) {
  const bySource = new Map<string, AbsentAt>()

  function open(): AbsentAt {
    const questions = new Map<string, { error: BaseError; at: Moment }>()
    return {
      known(question) {
        const said = questions.get(question)
        if (!said) return undefined
        if (ageOf(said.at, now()) < HOUR) return said.error
        questions.delete(question)
        return undefined
      },
      note(question, error, { notFoundLasts }) {
        if (MAY_CHANGE.has(error.code)) questions.clear()
        if (error.code !== 'unsupported' && !(notFoundLasts && error.code === 'not_found')) return
        // The oldest come first. Questions about ever new blocks would fill the map.
        questions.delete(question)
        questions.set(question, { error, at: now() })
        for (const [other, { at }] of questions) {
          if (ageOf(at, now()) < HOUR) return
          questions.delete(other)
        }
      },
    }
  }

  return {
    /** What the source does not support. Get it before the request: an answer that comes after `forget` then changes nothing. */
    of: (source: SourceName): AbsentAt => entryOf(bySource, sourceKey(source), open),
    /** The source is gone, or has another address or key. */
    forget: (source: SourceName) => void bySource.delete(sourceKey(source)),
  }
}
