// Every method that the simulated nodes answer besides those of operations.

import type { Method } from '../handler.ts'
import { evmMethods } from './evm.ts'
import { healthMethods } from './health.ts'
import { infoMethods } from './info.ts'
import { platformMethods } from './platform.ts'

export const unpolled: readonly Method[] = [...evmMethods, ...healthMethods, ...infoMethods, ...platformMethods]
