// Pins the base images of the Dockerfile and the images of deploy/compose: behind each tag stands the digest that the tag has today. Needs Docker with
// buildx and the registries of the images.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const BASE = /^(ARG \w+_IMAGE=| +image: \$\{\w+_IMAGE:-)([^@\s}]+:[^@\s}]+?)(@sha256:[0-9a-f]{64})?(?=\}?$)/gm

/** As they are written, with their digests where they have some. */
export function baseImages(file: string): string[] {
  return [...file.matchAll(BASE)].map(([, , image = '', digest = '']) => image + digest)
}

export function pinned(file: string, digestOf: (image: string) => string): string {
  return file.replace(BASE, (_, start: string, image: string) => {
    const digest = digestOf(image).trim()
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image}: this is no digest: ${digest}`)
    return `${start}${image}@${digest}`
  })
}

if (import.meta.main) {
  const digestOf = (image: string) => {
    const words = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
    return execFileSync('docker', words, { encoding: 'utf8' })
  }
  for (const file of ['Dockerfile', 'deploy/compose/compose.yml']) {
    const path = new URL(`../${file}`, import.meta.url)
    writeFileSync(path, pinned(readFileSync(path, 'utf8'), digestOf))
  }
}
