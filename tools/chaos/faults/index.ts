// Every fault there is, in the order of the phases of an exchange.

import { connectionFaults } from './connection.ts'
import { type Fault, phases } from './define.ts'
import { envelopeFaults } from './envelope.ts'
import { statusFaults } from './status.ts'
import { valueFaults } from './values.ts'

export const faults: readonly Fault[] = [
  ...connectionFaults,
  ...statusFaults,
  ...envelopeFaults,
  ...valueFaults,
].toSorted((a, b) => phases.indexOf(a.phase) - phases.indexOf(b.phase))
