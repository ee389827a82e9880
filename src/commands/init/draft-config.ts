// Turns a draft into a configuration, or reports problems with the flags that it came from.

import type { Config } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { parseConfig } from '../config.ts'
import { type Draft, textOf } from './draft.ts'
import type { Io } from '../io.ts'

/** Throws a BaseError with code `config` that names the flags. */
export function written(draft: Draft, io: Io): { text: string; config: Config } {
  const { preset, wallets = [] } = draft
  if ((preset === undefined || preset === 'local') && wallets.some((address) => address.startsWith('0x'))) {
    throw new BaseError(
      'config',
      '--wallet: balances of 0x addresses need a data service: give --preset=mainnet or fuji, other presets have none',
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

/** The user did not write this file, so the error must name the flag instead of a line. */
function inFlags({ message }: BaseError): BaseError {
  const place = /^flags:\d+:\d+: networks\[0\]\.(\w+)[^:]*/gm
  return new BaseError(
    'config',
    message.replace(place, (path, list: string) => flagOf[list] ?? path),
  )
}
