// Whom rewards and balances go to, as nodes write it: one key, at any time.

export function ownerOf(address: string) {
  return { locktime: '0', threshold: '1', addresses: [`P-${address}`] }
}
