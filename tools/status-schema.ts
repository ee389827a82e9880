// The form of `/api/v1/status` as a JSON Schema, for programs: made from the schema that `stakewatch top` reads it with.

import { z } from 'zod'
import { statusSchema } from '../src/status/value/status-schema.ts'

/** A later version may have further keys: a reader has to ignore those. */
export function statusJsonSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(statusSchema, { target: 'draft-07', io: 'input' })
  return { $schema, title: 'Status of stakewatch', ...rest }
}
