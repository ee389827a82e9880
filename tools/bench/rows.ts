// Every row of the table, in its order.

import { catchUpRows } from './catch-up/rows.ts'
import { exampleRow } from './daemon/example.ts'
import { releasedRows } from './daemon/released.ts'
import { growthRows } from './publication/growth.ts'
import { publicationRows } from './publication/rows.ts'
import type { Row } from './row.ts'
import { eventLoopRow } from './serving/event-loop.ts'
import { latencyRows } from './serving/latency.ts'
import { memoryRows } from './serving/memory.ts'
import { scrapeRows } from './serving/scrapes.ts'

export const rows: readonly Row[] = [
  ...scrapeRows,
  ...latencyRows,
  ...publicationRows,
  ...growthRows,
  ...memoryRows,
  ...releasedRows,
  exampleRow,
  eventLoopRow,
  ...catchUpRows,
]
