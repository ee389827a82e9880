// A draft as the configuration that it is, or what is wrong with the flags that it was made of.

import type { Config } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { parseConfig } from '../config.ts'
import { type Draft, textOf } from './draft.ts'
import type { Io } from '../io.ts'

/** Throws a BaseError with code `config` that names flags. */
export function written(draft: Draft, io: Io): { text: string; config: Config } {
  const { preset, wallets = [] } = draft
  if ((preset === undefined || preset === 'local') && wallets.some((address) => address.startsWith('0x'))) {
    throw new BaseError(
      'config',
      '--wallet: what 0x addresses have is told by the data service: give --preset=mainnet or fuji, others have none',
    )
  }
  const text = textOf(draft)
  try {
    return { text, config: parseConfig(text, 'flags', io) }
  } catch (thrown) {
    throw thrown instanceof BaseError && thrown.code === 'config' ? inFlags(thrown) : thrown
  }
}

const flagOf: Readonly<Record<string, string>> = {
  nodes: '--node-url',
  validators: '--validator',
  subnets: '--l1',
  addresses: '--wallet',
}

/** Nobody wrote the file that the lines are of: it is the flag that has to be corrected. */
function inFlags({ message }: BaseError): BaseError {
  const place = /^flags:\d+:\d+: networks\[0\]\.(\w+)[^:]*/gm
  return new BaseError(
    'config',
    message.replace(place, (path, list: string) => flagOf[list] ?? path),
  )
}
