// Changes of conditions that cannot matter, with the reason: tools/sabotage.ts does not try them.

export const harmless: Readonly<Record<string, string>> = {}
