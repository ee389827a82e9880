// The endpoints of the public page, by path.

import type { Answer } from '../server/routes.ts'
import { ofHtml, ofJson, ofText, once } from './answers.ts'
import { publicPage } from './page/public-page.ts'
import type { PublicEndpoint } from './paths.ts'
import type { PublicStatus } from './value/public.ts'

export function publicEndpointsOf(
  status: () => PublicStatus | undefined,
): Readonly<Record<PublicEndpoint, () => Answer>> {
  const answer = (make: (status: PublicStatus) => Answer) => {
    const ofStatus = once(make)
    return () => {
      const current = status()
      return current ? ofStatus(current) : ofText(404, 'There is no public page.\n')
    }
  }
  return {
    '/public': answer((one) => ofHtml(publicPage(one))),
    '/public.json': answer(ofJson),
  }
}
