// What stands for a value: environment variables, and files.

import { shown } from './places.ts'

/** `${NAME}` becomes the variable's value; `$${` is a literal `${`. Values of variables are not expanded again. */
export function expanded(text: string, env: Readonly<Record<string, string | undefined>>) {
  const variables: string[] = []
  const wrong: string[] = []
  const fail = (why: string) => {
    wrong.push(why)
    return ''
  }
  const value = text.replace(
    /\$(\$\{)|\$\{([^}]*)(\}?)/g,
    (_, literal: string | undefined, variable: string, end: string) => {
      if (literal) return literal
      if (end === '' || !/^[A-Za-z_]\w*$/.test(variable)) {
        return fail('expected ${NAME}, the name of an environment variable; write $${ for a plain ${')
      }
      variables.push(variable)
      const known = Object.hasOwn(env, variable) ? env[variable] : undefined
      return known ?? fail(`the environment variable ${shown(variable)} is not set: set it, or write the value here`)
    },
  )
  return { value, variables, wrong }
}

/** Editors add a line end to a key. In PEM form it says that the last line is whole. */
export function keyIn(written: string): string {
  const trimmed = written.trim()
  return trimmed === '' || !/[\r\n]/.test(trimmed) ? trimmed : written
}

export const NO_FILE = 'there is no such file'

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: NO_FILE,
  EACCES: 'stakewatch has no permission to read it',
  EISDIR: 'it is a directory',
  ENOTREG: 'it is not a regular file',
  EFBIG: 'it is larger than 16 MiB',
}

/** Without the path, which may hold a value from the environment. */
export function whyUnreadable(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error'
  return fileErrors[code] ?? code
}
