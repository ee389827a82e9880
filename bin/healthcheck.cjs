// The health check of the image: asks the daemon whether it is healthy, and ends with 0 if it is. The URL is that of a daemon
// without flags, or STAKEWATCH_HEALTH_URL: with TLS, the port, the prefix, and a user and a password where they are asked for.
// The word `ready` asks whether it is ready instead.

'use strict'

const asked = process.env.STAKEWATCH_HEALTH_URL || 'http://127.0.0.1:19650/-/healthy'
const { get } = require(asked.startsWith('https:') ? 'node:https' : 'node:http')

/** The daemon answers at once, and whoever started this waits for 5 s (milliseconds). */
const WITHIN = 4_000
/** Nobody is in between, and no certificate is made out to them. */
const OWN = ['127.0.0.1', '[::1]', 'localhost']

/** Never more than this: the URL may hold a password, and what is said here is shown by `docker inspect`. */
function unhealthy(why) {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

const url = URL.parse(process.argv[2] || '', asked)
if (!url || !/^https?:$/.test(url.protocol))
  unhealthy('STAKEWATCH_HEALTH_URL is no URL such as https://127.0.0.1:19650/-/healthy')
// A sign such as / in the password ends it early, and makes its beginning the host or the port.
const [, behind] = /^https?:\/\/[^/?#\\]*(.*)$/i.exec(asked) || ['', '@']
if (behind.includes('@')) unhealthy('STAKEWATCH_HEALTH_URL: percent-encode the password: / is %2F, ? is %3F, # is %23')

const options = { rejectUnauthorized: !OWN.includes(url.hostname), signal: AbortSignal.timeout(WITHIN), agent: false }
get(url, options, ({ statusCode }) => (statusCode === 200 ? process.exit(0) : unhealthy(`HTTP ${statusCode}`))).on(
  'error',
  ({ code }) => unhealthy(code),
)
