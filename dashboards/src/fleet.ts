// Fleet: what needs attention now, and the tracked validators side by side.

import { attention } from './attention.ts'
import { dashboard } from './dashboard.ts'
import { firingNow, texts } from './firing.ts'
import { ofFleet } from './select.ts'
import { declared, validators } from './validators/validators.ts'
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
    'What needs attention': [...attention, openWindows, firingNow],
    Validators: [...validators, declared],
    'Maintenance windows': windows,
  },
)
