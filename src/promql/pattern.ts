// Patterns of Prometheus, which are about the whole value.

export const anchored = (pattern: string) => new RegExp(`^(?:${pattern})$`, 's')
