// First file of the thread that reads the configuration again.

import { parentPort, workerData } from 'node:worker_threads'
import { packed } from '../../config/file/packed.ts'
import { BaseError } from '../../errors.ts'
import { lookAtRegularFile, readRegularFile } from '../../process/read-file.ts'
import { createConfigFile } from './watched-files.ts'
import type { HasRead, ToRead } from './read-aside.ts'

function read({ path, env, trigger, remembered }: ToRead): HasRead {
  const file = createConfigFile(path, { env, readFile: readRegularFile, lookAt: lookAtRegularFile }, remembered)
  try {
    return { config: packed(file.read(trigger)), remembered }
  } catch (error) {
    if (error instanceof BaseError) return { refusal: error.message, remembered }
    throw error
  }
}

parentPort!.postMessage(read(workerData as ToRead))
