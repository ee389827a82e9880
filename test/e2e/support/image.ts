// The image without a container engine: the Dockerfile's own instructions, carried out in folders.

import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface Image {
  /** The folder that would be `/`. */
  root: string
  workdir: string
  env: Record<string, string>
  labels: string
  user: string
  port: string
  healthcheck: string[]
  entrypoint: string[]
  cmd: string[]
}

/** Word and rest of each instruction, without comments, its lines joined. */
export function instructions(dockerfile: string): [string, string][] {
  const text = dockerfile.replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, '')
  return text.split('\n').flatMap((line): [string, string][] => {
    const [, word, rest] = /^(\S+)\s+(.+)$/.exec(line) ?? []
    return word === undefined ? [] : [[word, rest!]]
  })
}

/** Builds what the Dockerfile in `context` says, in `folder`. Throws on an instruction that is not known here. */
export function buildImage(context: string, folder: string): Image {
  const stages = new Map<string, Image>()
  let stage: Image | undefined
  const read = (file: string) => readFileSync(join(context, file), 'utf8')
  const [everything, ...sent] = read('.dockerignore').trimEnd().split('\n')
  if (everything !== '*') throw new Error('.dockerignore does not begin with *')

  function copy(image: Image, rest: string): void {
    const [, from, words = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(rest)!
    const paths = words.split(' ')
    const to = join(image.root, image.workdir, paths.pop()!)
    if (from === undefined && paths.some((path) => !sent.includes(`!${path}`))) {
      throw new Error(`.dockerignore keeps ${words} back`)
    }
    const root = from === undefined ? context : stages.get(from)!.root
    for (const path of paths.flatMap((one) => globSync(one.replace(/^\//, ''), { cwd: root }))) {
      const source = join(root, path)
      // Of a folder the contents are copied.
      const target = statSync(source).isDirectory() ? to : join(to, basename(path))
      cpSync(source, target, { recursive: true, verbatimSymlinks: true })
    }
  }

  /** Defaults of the build, whose processor is this one. */
  const args: Record<string, string> = {}
  const carryOut: Record<string, (image: Image, rest: string) => void> = {
    LABEL: (image, rest) => (image.labels += ` ${rest}`),
    WORKDIR: (image, rest) => mkdirSync(join(image.root, (image.workdir = rest)), { recursive: true }),
    COPY: copy,
    RUN: (image, rest) => {
      const cwd = join(image.root, image.workdir)
      execFileSync('/bin/sh', ['-c', rest], { cwd, env: { ...environment(), ...args }, stdio: 'pipe' })
    },
    ENV: (image, rest) => Object.assign(image.env, Object.fromEntries([rest.split('=', 2)])),
    USER: (image, rest) => (image.user = rest),
    EXPOSE: (image, rest) => (image.port = rest),
    HEALTHCHECK: (image, rest) => (image.healthcheck = JSON.parse(rest.replace(/^.*? CMD /, '')) as string[]),
    ENTRYPOINT: (image, rest) => (image.entrypoint = JSON.parse(rest) as string[]),
    CMD: (image, rest) => (image.cmd = JSON.parse(rest) as string[]),
  }

  for (const [word, rest] of instructions(read('Dockerfile'))) {
    if (word === 'ARG') {
      const [name = '', value] = rest.split('=', 2)
      if (value !== undefined) args[name] = value
    } else if (word === 'FROM') {
      const name = / AS (\S+)$/.exec(rest)?.[1] ?? String(stages.size)
      stages.set(name, (stage = from(join(folder, name))))
    } else if (stage && carryOut[word]) carryOut[word](stage, rest)
    else throw new Error(`what does ${word} do here?`)
  }
  // What the last base image brings along: Node.js, and no shell.
  mkdirSync(join(stage!.root, 'nodejs/bin'), { recursive: true })
  cpSync(process.execPath, join(stage!.root, 'nodejs/bin/node'))
  execFileSync('chmod', ['-R', 'a-w,a+rX', stage!.root])
  return stage!
}

function from(root: string): Image {
  mkdirSync(root)
  return { root, workdir: '/', env: {}, labels: '', user: '', port: '', healthcheck: [], entrypoint: [], cmd: [] }
}

/** Without what the npm and the tools around the test have put there. */
function environment(): Record<string, string> {
  const around =
    /^(npm_(package|lifecycle)_.*|npm_config_(local_|global_)?prefix|INIT_CWD|NODE_(ENV|OPTIONS|PATH)|VITEST.*)$/
  const kept = Object.entries(process.env).filter(([name]) => !around.test(name)) as [string, string][]
  const path = process.env['PATH']!.split(':').filter((folder) => !folder.endsWith('node_modules/.bin'))
  return { ...Object.fromEntries(kept), PATH: path.join(':'), npm_config_prefer_offline: 'true' }
}

/** The command line that does in the image what the words say: no environment but its own, no privileges, no rights. */
export function inside({ root, workdir, env, user }: Image, [program, ...words]: readonly string[]): string[] {
  const [uid, gid] = user.split(':')
  const others = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--bounding-set=-all', '--inh-caps=-all']
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const bare = ['env', '--ignore-environment', `--chdir=${join(root, workdir)}`, ...variables]
  const unprivileged = ['/usr/bin/setpriv', '--no-new-privs', ...(process.getuid!() === 0 ? others : [])]
  return [...bare, ...unprivileged, join(root, program!), ...words]
}
