// Path templates of operations.

/** The parts of each template: literal, or the name of a parameter. */
const templates = new Map<string, readonly { text: string; name: string | undefined }[]>()

function partsOf(template: string) {
  let parts = templates.get(template)
  if (!parts) {
    parts = template.split('/').map((text) => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] }))
    templates.set(template, parts)
  }
  return parts
}

/** The parameters in a path, given in its parts, or undefined when it is not of the template. */
export function matchPath(template: string, given: readonly string[]): Record<string, string> | undefined {
  const parts = partsOf(template)
  if (parts.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, { text, name }] of parts.entries()) {
    if (name !== undefined) found[name] = given[at]!
    else if (text !== given[at]) return undefined
  }
  return found
}
