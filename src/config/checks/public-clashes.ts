// Entries of the public page that name no validator, or the same one twice.

import { suggestionFor } from '../../lib/suggestion.ts'
import type { PublicPage } from '../public.ts'
import { alike, asEntry, type Clash, inside } from './clash.ts'

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
  return [
    ...entries.flatMap((entry, at) => inside(['public', 'validators', at], unknownIn(networks, entry))),
    ...alike('public.validators', keys, ['validator'], asEntry),
  ]
}

function unknownIn(networks: readonly Named[], { network, subnet, validator }: Entry): Clash[] {
  if (network === undefined && networks.length > 1) {
    return [{ path: ['network'], message: 'expected the name of a network, as there are several' }]
  }
  const at = network === undefined ? 0 : networks.findIndex(({ name }) => name === network)
  if (at < 0) return [{ path: ['network'], message: 'expected the name of an entry of networks' }]
  const all = networks[at]!.validators
  if (all.some((one) => one.name === validator && one.subnet === subnet)) return []
  const list = `networks[${at}].validators`
  const names = all.map(({ name }) => name)
  const refuse = (more: string) => {
    const message = `expected the name of a validator that is listed under ${list}${more}`
    return [{ path: ['validator'], message }]
  }
  const elsewhere = names.indexOf(validator)
  if (elsewhere >= 0) return refuse(`, of this subnet; set subnet to that of ${list}[${elsewhere}]`)
  const near = suggestionFor(validator, names)
  if (near !== undefined) return refuse(`; did you mean ${list}[${names.indexOf(near)}]?`)
  return refuse(': add it there, or remove it here')
}
