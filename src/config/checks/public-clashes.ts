// Entries of the public page that name no validator, or the same one twice.

import type { PublicPage } from '../public.ts'
import { alike, asEntry, type Clash, inside, namesIn } from './clash.ts'

interface Named {
  name: string
  validators: readonly { name: string; subnet: string }[]
}

type Entry = PublicPage['validators'][number]

/** A hint names a place, because reports never repeat values. */
export function publicClashes(networks: readonly Named[], { validators: entries }: PublicPage): Clash[] {
  const keys = entries.map(({ network = networks[0]?.name, subnet, validator }) => ({
    validator: JSON.stringify([network, subnet, validator]),
  }))
  const known = new Map(networks.map((network, at) => [network.name, knownIn(network, at)]))
  return [
    ...entries.flatMap((entry, at) => inside(['public', 'validators', at], unknownIn(known, entry))),
    ...alike('public.validators', keys, ['validator'], asEntry),
  ]
}

function knownIn({ validators }: Named, at: number) {
  return {
    list: `networks[${at}].validators`,
    names: namesIn(validators.map(({ name }) => name)),
    pairs: new Set(validators.map(({ name, subnet }) => JSON.stringify([name, subnet]))),
  }
}

function unknownIn(known: ReadonlyMap<string, ReturnType<typeof knownIn>>, { network, subnet, validator }: Entry) {
  if (network === undefined && known.size > 1) {
    return [{ path: ['network'], message: 'expected the name of a network, as there are several' }]
  }
  const own = network === undefined ? [...known.values()][0] : known.get(network)
  if (!own) return [{ path: ['network'], message: 'expected the name of an entry of networks' }]
  const { list, names, pairs } = own
  if (pairs.has(JSON.stringify([validator, subnet]))) return []
  const refuse = (more: string) => {
    const message = `expected the name of a validator that is listed under ${list}${more}`
    return [{ path: ['validator'], message }]
  }
  const elsewhere = names.placeOf(validator)
  if (elsewhere !== undefined) return refuse(`, of this subnet; set subnet to that of ${list}[${elsewhere}]`)
  const near = names.nearest(validator)
  if (near !== undefined) return refuse(`; did you mean that of ${list}[${near}]?`)
  return refuse(': add it there, or remove it here')
}
