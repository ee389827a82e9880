// The keys of the public page: which validators it shows, and under which names.

import { z } from 'zod'
import { PRIMARY_NETWORK_NAME } from './checks/clashes.ts'
import { line, name } from './forms.ts'

const VALIDATORS = 'expected a list with at least one validator, or no public at all'

const publicValidator = z.strictObject({
  validator: name.describe('its name under validators, else its node id'),
  network: name.optional().describe('name of its network; required with several networks'),
  subnet: name
    .default(PRIMARY_NETWORK_NAME)
    .describe('name of the subnet that it validates; default: the primary network'),
  name: line('Example Staking 1').optional().describe('what the page calls it; default: its node id alone'),
})

export const publicPage = z.strictObject({
  title: line('Example Staking').optional().describe('heading of the page; default: Validators'),
  validators: z.array(publicValidator, VALIDATORS).min(1, VALIDATORS).describe('validators that the page shows'),
})

export type PublicPage = z.output<typeof publicPage>
