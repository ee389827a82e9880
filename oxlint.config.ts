// The linter. Its rules include the layers of src (tools/layers.ts), so that an editor reports a forbidden import.

import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { defineConfig, type OxlintConfig } from 'oxlint'
import { globals, layers, libraries } from './tools/layers.ts'

type Override = NonNullable<OxlintConfig['overrides']>[number]

const root = new URL('.', import.meta.url)
/** Every file of src, each folder of src with a slash at its end, and what is next to src. Relative to src. */
const paths = [
  ...readdirSync(new URL('src/', root), { recursive: true, withFileTypes: true }).map((one) => {
    const path = posix.relative(new URL('src', root).pathname, posix.join(one.parentPath, one.name))
    return one.isDirectory() ? `${path}/` : path
  }),
  ...readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => name !== 'src')
    .map((one) => `../${one.name}${one.isDirectory() ? '/' : ''}`),
].toSorted()
const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Record<
  string,
  object
>
/** Those that have no owner may be used in tests and tools alone. */
const packages = Object.keys({ ...dependencies, ...devDependencies })
const folders = ['', ...paths.filter((path) => path.endsWith('/'))]
const owners = [...Object.values(libraries), ...Object.values(globals)].flat()
/** Files with rules of their own. */
const files = [...Object.keys(layers), ...owners].filter((path) => path.endsWith('.ts'))

function within(path: string, those: readonly string[]): boolean {
  return those.some((one) => (one === '' || one.endsWith('/') ? path.startsWith(one) : path === one))
}

/** What a layer must not import: folders with a slash at their end stand for all below them. */
function closedTo(allowed: readonly string[]): string[] {
  const closed = paths.filter(
    (path) => !within(path, allowed) && !allowed.some((one) => path.endsWith('/') && one.startsWith(path)),
  )
  return closed.filter((path) => !closed.some((one) => one !== path && one.endsWith('/') && path.startsWith(one)))
}

/** Regular expressions of the imports of these paths by a file in `folder`. */
function importsOf(those: readonly string[], folder: string): string[] {
  return those.map((path) => {
    const way = posix.relative(folder, path)
    return (
      `^${way.startsWith('.') ? '' : './'}${way}`.replaceAll('.', String.raw`\.`) + (path.endsWith('/') ? '/' : '$')
    )
  })
}

/** The rules of one file, or of the files of a folder that have none of their own. */
function layerRules(path: string): NonNullable<Override['rules']> {
  const layer = Object.keys(layers).find((name) => within(path, [name]))
  const { sees, types = [] } = layer === undefined ? { sees: [] } : layers[layer]!
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const own = layer === undefined ? sees : [layer, ...sees]
  const message = `${layer ?? path} must not import this: see tools/layers.ts`
  const pattern = (regex: string, allowTypeImports: boolean) => ({ regex, allowTypeImports, message })
  const mine = Object.keys(libraries).filter((name) => within(path, libraries[name]!))
  const closed = closedTo([...own, ...types])
  const typesOnly = closedTo(own).filter((path) => !within(path, closed))
  const others = Object.keys(libraries).filter((name) => !mine.includes(name))
  const unowned = packages.filter(
    (name) => !Object.keys(libraries).some((one) => one === name || one.startsWith(`${name}/`)),
  )
  const forbidden = (table: typeof globals) => Object.keys(table).filter((name) => !within(path, table[name]!))
  const [properties, names] = [
    forbidden(globals).filter((name) => name.includes('.')),
    forbidden(globals).filter((name) => !name.includes('.')),
  ]
  const why = 'has one owner: see tools/layers.ts'
  return {
    'eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          ...importsOf(closed, folder).map((regex) => pattern(regex, false)),
          ...importsOf(typesOnly, folder).map((regex) => pattern(regex, true)),
          // A type of a library ties us to the library; one of Node's does not.
          ...others.map((name) => pattern(`^${name}$`, name.startsWith('node:'))),
          ...unowned.map((name) => pattern(`^${name}(?:/|$)`, false)),
        ],
      },
    ],
    'eslint/no-restricted-globals': ['error', ...names.map((name) => ({ name, message: why }))],
    'eslint/no-restricted-properties': [
      'error',
      ...properties.map((name) => {
        const [object, property] = name.split('.') as [string, string]
        return { object, property, message: why }
      }),
    ],
  }
}

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  rules: {
    'eslint/no-console': 'error',
    'eslint/no-await-in-loop': 'off',
    'eslint/no-shadow': 'off',
    'eslint/no-unused-vars': [
      'error',
      {
        ignoreRestSiblings: true,
        argsIgnorePattern: '^_+$',
        varsIgnorePattern: '^_+$',
      },
    ],
    'import/no-cycle': [
      'error',
      {
        ignoreTypes: false,
      },
    ],
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'promise/always-return': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-import-type-side-effects': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/only-throw-error': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      {
        considerDefaultExhaustiveForUnions: true,
      },
    ],
    'typescript/unbound-method': 'off',
  },
  ignorePatterns: ['dist', 'node_modules'],
  overrides: [
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['tools/**'], rules: { 'eslint/no-console': 'off' } },
    {
      files: ['src/**'],
      rules: { 'eslint/max-lines-per-function': ['error', { max: 80 }] },
    },
    ...folders.map((folder) => ({ files: [`src/${folder}*.ts`], rules: layerRules(`${folder}*.ts`) })),
    ...files.map((path) => ({ files: [`src/${path}`], rules: layerRules(path) })),
  ],
})
