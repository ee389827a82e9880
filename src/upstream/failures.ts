// The errors of requests in words. The client's own hold addresses and pieces of answers, so only their kind is kept.

import { errors } from 'undici'
import { toBaseError, BaseError } from '../errors.ts'
import type { Secret } from '../lib/secret.ts'
import { ProxyError } from './dispatchers.ts'
import { isOfLookup } from './lookup.ts'

/** Errors before there is a connection, other than those of lookups. */
const unconnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** undici makes this refusal of a proxy an error of its own, where it passes requests on. */
const FORWARDED_407 = /\(407\)/

/** The same error, or what it says about the proxy that the request went through. */
export function aboutProxy(thrown: unknown, proxy: Secret | undefined): unknown {
  const isRefusal = thrown instanceof errors.InvalidArgumentError && FORWARDED_407.test(thrown.message)
  return proxy && isRefusal ? new ProxyError(proxy, '407', 407) : thrown
}

/** Errors of the client's own check of a certificate, which comes before the request. */
const UNTRUSTED = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_SIGNATURE_FAILURE)/
const OTHER_NAME = /^ERR_TLS_CERT_ALTNAME_INVALID$/
const EXPIRED = /^CERT_HAS_EXPIRED$/

/** Whether the upstream cannot have received the request. */
export function isUnsent(thrown: unknown): boolean {
  if (thrown instanceof ProxyError || isOfLookup(thrown)) return true
  if (!(thrown instanceof Error && 'code' in thrown)) return false
  const code = String(thrown.code)
  return unconnected.has(code) || [UNTRUSTED, OTHER_NAME, EXPIRED].some((refusal) => refusal.test(code))
}

const TRUST = 'its certificate is of an unknown authority: give the authority in ca_file'
const IDENTIFY = 'does it want another client certificate (cert_file, key_file)?'

/** What to do about failures of TLS, by code. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [UNTRUSTED, TRUST],
  [OTHER_NAME, 'its certificate has another name: correct the url, or give server_name'],
  [EXPIRED, 'its certificate has expired: renew it'],
  [
    /^ERR_SSL_.*_ALERT_(CERTIFICATE_|BAD_CERTIFICATE|NO_CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA|ACCESS_DENIED)/,
    IDENTIFY,
  ],
]

interface Circumstances {
  signal: AbortSignal
  isTls: boolean
  /** The one that the request went through. */
  proxy: Secret | undefined
}

export function explain(thrown: unknown, { signal, isTls, proxy }: Circumstances): BaseError {
  const through = proxy ? ` through the proxy ${String(proxy)}` : ''
  if (signal.aborted) return throughProxy(toBaseError(signal.reason), through)
  if (thrown instanceof BaseError) return thrown
  if (thrown instanceof ProxyError) return new BaseError('network', wordsOf(thrown), { cause: thrown })
  if (thrown instanceof errors.HTTPParserError) {
    return new BaseError('bad_response', 'the answer is not HTTP: are the port and http or https right?')
  }
  if (thrown instanceof errors.ClientDestroyedError) return new BaseError('aborted', 'stakewatch is stopping')
  if (thrown instanceof errors.InvalidArgumentError) {
    return new BaseError('config', 'the request cannot be sent: is the key or the name of its header malformed?')
  }
  if (isOfLookup(thrown)) {
    return new BaseError('network', `the host name cannot be looked up (${thrown.code})`)
  }
  if (thrown instanceof Error && 'code' in thrown) {
    const code = String(thrown.code)
    const isUnanswered = isTls && thrown instanceof errors.SocketError && thrown.socket?.bytesRead === 0
    // With TLS 1.3 the refusal comes after the handshake, and the client says only that the other side closed.
    const remedy = isUnanswered ? IDENTIFY : remedies.find(([pattern]) => pattern.test(code))?.[1]
    return new BaseError('network', `the connection failed${through} (${code})${remedy ? `; ${remedy}` : ''}`, {
      cause: { code },
    })
  }
  return toBaseError(thrown)
}

/** Whether the machine answered that nothing listens there: a node that stops leaves its port. */
export function isRefusedConnection(outcome: unknown): boolean {
  return outcome instanceof BaseError && Object(outcome.cause).code === 'ECONNREFUSED'
}

function throughProxy(error: BaseError, through: string): BaseError {
  return error.code === 'timeout' && through !== '' ? new BaseError('timeout', `${error.message}${through}`) : error
}

/** Whether another attempt would get the same answer of the proxy, and may lock a user out. */
export function isProxyRefusal({ cause }: BaseError): boolean {
  return cause instanceof ProxyError && cause.status !== undefined
}

function wordsOf({ proxy, reason, status }: ProxyError): string {
  const name = `the proxy ${String(proxy)}`
  if (status === undefined) return `${name} cannot be reached (${reason}): is it running, and is its URL right?`
  if (status === 407) {
    const { username } = new URL(proxy.reveal())
    return username === ''
      ? `${name} wants credentials (HTTP 407): put user and password into its URL`
      : `${name} rejects its user or password (HTTP 407): correct them in its URL`
  }
  return status === 403
    ? `${name} forbids this upstream (HTTP 403): allow it there, or name its host in NO_PROXY or set proxy: none to go direct`
    : `${name} cannot reach this upstream (HTTP ${status}): is its url right, and may the proxy connect to it?`
}
