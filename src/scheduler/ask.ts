// Whom a run asks: its sources in order, until one answers.

import type { Run } from '../collectors/define.ts'
import { asBaseError, BaseError } from '../errors.ts'
import { parseDuration } from '../lib/duration.ts'
import type { Answer, Operation, Params, Service } from '../operations/define.ts'
import type { Client } from '../upstream/client.ts'
import { pages } from '../upstream/pages.ts'
import type { Source } from '../upstream/source.ts'

export interface AskedSources {
  call: Run<Operation, unknown, unknown>['call']
  pages: Run<Operation, unknown, unknown>['pages']
  attempt: Run<Operation, unknown, unknown>['attempt']
  /** The first part that failed. */
  partial(): BaseError | undefined
  /** Arrival of the oldest answer; undefined when nothing was asked. */
  oldest(): number | undefined
  /** Names of the sources that answered. */
  answered(): string
  /** The one of the service that answered last. */
  latest(service: Service): Source
}

/** The sources of one run: the first that answers is asked first from then on. */
export function askSources(client: Client, sources: readonly Source[], signal: AbortSignal): AskedSources {
  let order = [...sources]
  let oldest: number | undefined
  let partial: BaseError | undefined
  const answered = new Set<string>()

  function note<T>(answer: Answer<T>): Answer<T> {
    oldest = Math.min(oldest ?? Infinity, answer.at)
    answered.add(answer.source)
    return answer
  }

  async function firstThatAnswers<T>(
    operation: Operation,
    ask: (source: Source) => Promise<Answer<T>>,
  ): Promise<{ answer: Answer<T>; source: Source }> {
    let failure: BaseError | undefined
    for (const source of order.filter(({ service }) => service === operation.service)) {
      try {
        const answer = note(await ask(source))
        order = [source, ...order.filter((other) => other !== source)]
        return { answer, source }
      } catch (thrown) {
        signal.throwIfAborted()
        const error = asBaseError(thrown)
        // A source that failed might have had what another one does not support; an error in an answer says more than none.
        if (!failure || failure.code === 'unsupported' || error.code === 'rpc_error') failure = error
      }
    }
    throw failure ?? new BaseError('unsupported', `no ${operation.service} service is configured`)
  }

  return {
    async call(operation, params, how) {
      const maxAge = how?.maxAge === undefined ? 0 : parseDuration(how.maxAge)!
      const ask = (source: Source) => client.call(source, operation, params, { signal, maxAge })
      return (await firstThatAnswers(operation, ask)).answer
    },
    pages<T extends Operation>(operation: T, params: Params<T>) {
      // A page token means something only to the source that gave it.
      let chosen: Source | undefined
      const ask = (source: Source, pageToken?: string) =>
        client.call(source, operation, pageToken === undefined ? params : { ...params, pageToken }, { signal })
      return pages(async (pageToken) => {
        if (chosen) return note(await ask(chosen, pageToken))
        const { answer, source } = await firstThatAnswers(operation, (one) => ask(one))
        chosen = source
        return answer
      })
    },
    async attempt(part) {
      try {
        return await part
      } catch (thrown) {
        signal.throwIfAborted()
        const error = asBaseError(thrown)
        if (error.code !== 'unsupported') partial ??= error
        return undefined
      }
    },
    partial: () => partial,
    oldest: () => oldest,
    answered: () => [...answered].join(','),
    latest: (service) => order.find((source) => source.service === service)!,
  }
}
