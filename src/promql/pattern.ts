// Prometheus patterns, which are anchored at both ends.

export const anchored = (pattern: string) => new RegExp(`^(?:${pattern})$`, 's')
