// Path templates of operations.

/** The parameters in a path, given in its parts, or undefined when it is not of the template. */
export function matchPath(template: string, given: readonly string[]): Record<string, string> | undefined {
  const parts = template.split('/')
  if (parts.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name !== undefined) found[name] = given[at]!
    else if (part !== given[at]) return undefined
  }
  return found
}
