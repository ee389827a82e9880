// The health of nodes.

import type { View } from './view.ts'

/** Whether the node fails one of its health checks or no longer runs them. */
export const isUnhealthy: (node: View) => boolean = () => false
