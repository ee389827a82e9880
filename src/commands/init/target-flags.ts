// Flags for the things to watch, for use without a configuration file.

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { nodeId, subnetId, url, walletAddress } from '../../config/forms.ts'
import { type PresetName, presetNames } from '../../config/presets.ts'

export interface TargetFlags {
  preset?: PresetName
  nodeUrl?: string[]
  validator?: string[]
  l1?: string[]
  wallet?: string[]
}

export function targetFlags(command: Command): Command {
  const preset = new Option('--preset <network>', 'which network it is, for its public addresses and chains')
  return command
    .addOption(preset.choices(presetNames))
    .option('--node-url <url>', 'base address of a node of yours, repeatable', each(nodeUrl))
    .option('--validator <node id>', 'a validator to watch, repeatable', each(nodeId))
    .option('--l1 <subnet id>', 'an L1 to watch with all of its validators, repeatable', each(subnetId))
    .option('--wallet <address>', 'a wallet to watch, P-avax1... or 0x..., repeatable', each(walletAddress))
}

export const nodeUrl = url('http://10.0.0.5:9650', '/ext')

/** Why the text is not a value of this form of the configuration. */
export function flawOf(form: z.ZodType, text: string): string | undefined {
  return form.safeParse(text).error?.issues[0]!.message
}

function each(form: z.ZodType) {
  return (text: string, before: string[] = []) => {
    const flaw = flawOf(form, text)
    if (flaw !== undefined) throw new InvalidArgumentError(`${flaw[0]!.toUpperCase()}${flaw.slice(1)}.`)
    return [...new Set([...before, text])]
  }
}
