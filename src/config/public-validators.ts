// The validators of the public page, as the networks have them.

import type { Config } from './schema.ts'

/** In the order of the page. A shard has its own validators alone. */
export function publicValidators({ networks, public: page }: Pick<Config, 'networks' | 'public'>) {
  return (page?.validators ?? []).flatMap(({ network: named, subnet, validator: called, name }) => {
    const network = networks.find((one) => one.name === (named ?? networks[0]?.name))
    const validator = network?.validators.find((one) => one.name === called && one.subnet === subnet)
    return network && validator ? [{ network, validator, name }] : []
  })
}
