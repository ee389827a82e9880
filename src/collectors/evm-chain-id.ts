// Whether an answer is about the EVM chain that was asked for.

import { BaseError } from '../errors.ts'

/** A service may leave its name out, or call it by something else than its number: only another number contradicts. */
export function refuseOtherChain(told: string | undefined, asked: string): void {
  if (told !== undefined && told !== asked && /^\d+$/.test(told)) {
    throw new BaseError('bad_response', 'the answer is about another chain than the one asked for')
  }
}
