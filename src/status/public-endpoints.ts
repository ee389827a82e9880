// The endpoints of the public page, by path.

import { entryOf } from '../lib/entry.ts'
import type { Answer, Asked } from '../server/routes.ts'
import { ofHtml, ofJson, ofText, once } from './answers.ts'
import { pageOfPublic, publicPage } from './page/public-page.ts'
import type { PublicEndpoint } from './paths.ts'
import type { PublicStatus } from './value/public.ts'

type Query = Pick<Asked, 'query'>

export function publicEndpointsOf(
  status: () => PublicStatus | undefined,
): Readonly<Record<PublicEndpoint, (asked: Query) => Answer>> {
  const answer =
    (answerOf: (status: PublicStatus, query: Asked['query']) => Answer) =>
    ({ query }: Query) => {
      const current = status()
      return current ? answerOf(current, query) : ofText(404, 'There is no public page.\n')
    }
  const pages = new WeakMap<PublicStatus, Map<number, Answer>>()
  const json = once<PublicStatus>(ofJson)
  return {
    // Anyone may ask: however many do, each page that there is is made once.
    '/public': answer((one, query) => {
      const page = pageOfPublic(one, query['page'])
      return entryOf(
        entryOf(pages, one, () => new Map()),
        page,
        () => ofHtml(publicPage(one, page)),
      )
    }),
    '/public.json': answer((one) => json(one)),
  }
}
