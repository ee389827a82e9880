// The X-Chain's own interface.

import { methodsAt, plain } from './define.ts'

export const X_PATH = '/ext/bc/X'

export const avmMethods = methodsAt(X_PATH, {
  'avm.getHeight': plain(({ world }) => ({ height: String(world.chains.X.head()) })),
})
