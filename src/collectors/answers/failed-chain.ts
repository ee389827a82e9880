// Chains that a node tracks and could not create, as its health checks name them.

const FAILED = /^failed to create chain on subnet ([1-9A-HJ-NP-Za-km-z]{40,60}):/

/** The id of the subnet; undefined where the error of the check is about something else. */
export function failedChainOf(error: string | undefined): string | undefined {
  return error === undefined ? undefined : FAILED.exec(error)?.[1]
}
