// Fleet: what needs attention now, and the tracked validators side by side.

import { attention } from './attention.ts'
import { dashboard } from './dashboard.ts'
import { firingNow, texts } from './firing.ts'
import { ofFleet } from './select.ts'
import { unmetExpectations } from './expectations.ts'
import { declared, overTime, validators } from './validators/validators.ts'
import { openWindows, windows } from './windows.ts'

export const fleet = dashboard(
  {
    page: 'fleet',
    subjects: ['chain', 'source', 'address', 'route', 'probe', 'collector', 'target'],
    title: 'Fleet',
    description: 'What needs attention now, and the tracked validators side by side.',
    texts,
  },
  ofFleet,
  {
    'What needs attention': [firingNow, openWindows, ...attention, ...overTime],
    Validators: [...validators, unmetExpectations, declared],
    'Maintenance windows': windows,
  },
)
