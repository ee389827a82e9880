// Pins all images that the repository names: behind each tag stands the digest that the tag has today. Needs Docker with buildx
// and the registries of the images. `--check` needs neither, and fails while one has no digest: a release must not build on
// what a tag becomes by then.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

export const files = [
  'Dockerfile',
  'deploy/compose/compose.yml',
  '.github/workflows/ci.yml',
  '.github/workflows/release.yml',
] as const

const IMAGE =
  /^(ARG \w+_IMAGE=| +image: \$\{\w+_IMAGE:-| +container: | +\w+_IMAGE: )([^@\s}]+:[^@\s}]+?)(@sha256:[0-9a-f]{64})?(?=\}?$)/gm

/** As they are written, with their digests where they have some. */
export function imagesIn(text: string): string[] {
  return [...text.matchAll(IMAGE)].map(([, , image = '', digest = '']) => image + digest)
}

export function pinned(text: string, digestOf: (image: string) => string): string {
  return text.replace(IMAGE, (_, start: string, image: string) => {
    const digest = digestOf(image).trim()
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image}: this is no digest: ${digest}`)
    return `${start}${image}@${digest}`
  })
}

export function unpinned(text: string): string[] {
  return imagesIn(text).filter((image) => !image.includes('@'))
}

const path = (file: string) => new URL(`../${file}`, import.meta.url)
const textOf = (file: string) => readFileSync(path(file), 'utf8')

function check(): void {
  const missing = files.flatMap((file) => unpinned(textOf(file)).map((image) => `${file}: ${image} has no digest`))
  if (missing.length === 0) return
  console.error(`${missing.join('\n')}\nRun npm run pin-images where Docker is, and commit what it writes.`)
  process.exitCode = 1
}

function pin(): void {
  const digestOf = (image: string) => {
    const words = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
    return execFileSync('docker', words, { encoding: 'utf8' })
  }
  for (const file of files) writeFileSync(path(file), pinned(textOf(file), digestOf))
}

if (import.meta.main) (process.argv.includes('--check') ? check : pin)()
