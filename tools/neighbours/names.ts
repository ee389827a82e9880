// The name server of the namespace: healthy.example is this machine, and every other name is met with silence.

import { createNameServer } from '../../test/support/name-server.ts'

await createNameServer((name) => (name === 'healthy.example' ? { a: ['127.0.0.1'] } : 'silent'), 53)
process.stdout.write('ready\n')
