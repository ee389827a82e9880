// Pins the base images of the Dockerfile: behind each tag stands the digest that the tag has today. Needs Docker with
// buildx and the registries of the images.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const BASE = /^(ARG \w+_IMAGE=)([^@\s]+)(@sha256:[0-9a-f]{64})?$/gm

/** As they are written, with their digests where they have some. */
export function baseImages(dockerfile: string): string[] {
  return [...dockerfile.matchAll(BASE)].map(([, , image = '', digest = '']) => image + digest)
}

export function pinned(dockerfile: string, digestOf: (image: string) => string): string {
  return dockerfile.replace(BASE, (_, start: string, image: string) => {
    const digest = digestOf(image).trim()
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image}: this is no digest: ${digest}`)
    return `${start}${image}@${digest}`
  })
}

if (import.meta.main) {
  const path = new URL('../Dockerfile', import.meta.url)
  const digestOf = (image: string) => {
    const words = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
    return execFileSync('docker', words, { encoding: 'utf8' })
  }
  writeFileSync(path, pinned(readFileSync(path, 'utf8'), digestOf))
}
