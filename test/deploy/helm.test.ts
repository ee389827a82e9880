// The chart, as a real helm rendered it: CI has no helm, as building it takes longer than all of CI may. So these tests look
// at what was rendered, and at whether that is still what the chart says.

import { Ajv } from 'ajv'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { JOB } from '../../src/alerts/groups.ts'
import { DASHBOARDS, RUNBOOKS } from '../../src/alerts/links.ts'
import { DEFAULT_PORT } from '../../src/commands/io.ts'
import { cases, chart, digest, rendered } from '../../tools/helm.ts'

const root = realpathSync(fileURLToPath(new URL('../../', import.meta.url)))
const read = (path: string) => readFileSync(join(chart, path), 'utf8')
const values = parse(read('values.yaml')) as Record<string, Record<string, unknown>>
const schema = JSON.parse(read('values.schema.json')) as object
const validate = new Ajv({ strict: true }).compile(schema)
/** What the schema has against the values. */
const flawsOf = (given: object) => (validate(given) ? [] : validate.errors)

/** What the tests look for, of several kinds. */
interface Spec {
  replicas: number
  selector: { matchLabels: Labels }
  podSelector: { matchLabels: Labels }
  template: { metadata: { labels: Labels }; spec: Pod }
  volumeClaimTemplates?: { metadata: { name: string } }[]
  endpoints: { relabelings: object[] }[]
}
type Labels = Record<string, string>
interface Pod {
  automountServiceAccountToken: boolean
  securityContext: { runAsUser: number; runAsGroup: number }
  containers: Container[]
  volumes: { name: string }[]
}
type Probe = Record<
  'startupProbe' | 'livenessProbe' | 'readinessProbe',
  { httpGet?: { path: string }; exec?: { command: string[] }; timeoutSeconds: number }
>
interface Container extends Probe {
  securityContext: object
  ports: object[]
  args: string[]
  env?: { name: string; valueFrom?: { fieldRef?: { fieldPath: string }; secretKeyRef?: object } }[]
  volumeMounts: { name: string; mountPath: string }[]
}

interface Manifest {
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  spec: Spec
  data: Record<string, string>
  stringData: Record<string, string>
}
const textOf = (name: string) => readFileSync(rendered(name), 'utf8')
const manifests = (name: string) => parseAllDocuments(textOf(name)).map((one) => one.toJS() as Manifest)
const one = (name: string, kind: string) => manifests(name).find((manifest) => manifest.kind === kind)!
const pod = (name: string) => one(name, 'StatefulSet').spec.template.spec
const names = Object.keys(cases)

test('what was rendered is what the chart says; if not, npm run helm renders it, with helm', () => {
  for (const name of names) expect(textOf(name)).toContain(`# Rendered by npm run helm from ${digest()}.\n`)
})

test('the chart has the rules and the dashboards of the project, as links', () => {
  const files = readdirSync(join(chart, 'files'))
  const to = files.map((file) => relative(root, realpathSync(join(chart, 'files', file))))
  const dashboards = readdirSync(join(root, 'dashboards')).filter((file) => file.endsWith('.json'))
  expect(to.toSorted()).toEqual(
    ['alerts/stakewatch.rules.yaml', ...dashboards.map((file) => `dashboards/${file}`)].toSorted(),
  )
  expect(read('values.yaml')).toContain(`runbookBase: ${RUNBOOKS}\n`)
  expect(read('values.yaml')).toContain(`dashboardBase: ${DASHBOARDS}\n`)
  for (const base of [RUNBOOKS, DASHBOARDS])
    expect(read('templates/prometheusrule.yaml')).toContain(`replace "${base}"`)
})

test('what a template takes from these files goes through the check that they have content', () => {
  const templates = readdirSync(join(chart, 'templates')).filter((file) => file.endsWith('.yaml'))
  const uses = templates.flatMap(
    (file) => read(`templates/${file}`).match(/\(dict "files" |Files\.(?!Glob )\w+/g) ?? [],
  )
  expect(uses).toEqual(uses.map(() => '(dict "files" '))
  expect(uses).toHaveLength(3)
})

test('its version is that of the program', () => {
  expect(parse(read('Chart.yaml'))).toMatchObject({ version: packageFile.version, appVersion: packageFile.version })
})

describe('the values', () => {
  test('are all in the schema, and each that a template asks for is there', () => {
    expect(flawsOf(values)).toEqual([])
    const { properties } = schema as { properties: Record<string, { properties?: object }> }
    const keysOf = (all: object, of: (key: string) => object) =>
      Object.fromEntries(Object.keys(all).map((key) => [key, Object.keys(of(key))]))
    const parts = Object.fromEntries(Object.entries(properties).filter(([, part]) => part.properties))
    expect(keysOf(parts, (key) => values[key]!)).toEqual(keysOf(parts, (key) => parts[key]!.properties!))
    expect([...Object.keys(values), 'global'].toSorted()).toEqual(Object.keys(properties).toSorted())
    const templates = readdirSync(join(chart, 'templates')).map((file) => read(`templates/${file}`))
    const asked = [...templates.join('').matchAll(/(?:\.Values|\.of)((?:\.\w+)+)/g)].map(([, path]) => path!.slice(1))
    expect(asked.length).toBeGreaterThan(30)
    const missing = asked.filter((path) => {
      const [first = '', ...rest] = path.split('.')
      const of = rest.length === 0 ? values : values[first]!
      return !Object.hasOwn(of, rest[0] ?? first)
    })
    expect(missing).toEqual([])
  })

  test.each(Object.entries(cases))('that were rendered, %s, are valid', (_, given) => {
    expect(flawsOf(given)).toEqual([])
  })

  test.each([
    ['a misspelt key', { confg: {} }],
    ['a misspelt key of a part', { serviceMonitor: { enable: true } }],
    ['a digest that is none', { image: { repository: 'stakewatch', digest: 'latest' } }],
    ['an interval that the rules cannot use', { serviceMonitor: { interval: '5m' } }],
    ['an argument that is no flag', { extraArgs: ['demo'] }],
    ['a mount under another name', { extraSecretMounts: [{ name: 'storage', secretName: 'x', mountPath: '/x' }] }],
    ["a password in a probe's header", { probes: { httpHeaders: [{ name: 'Authorization', value: 'Basic eDp5' }] } }],
    ['a port that is none', { service: { port: 0 } }],
    ['runbooks without a slash at the end', { prometheusRule: { runbookBase: 'https://wiki.example.org' } }],
  ])('refuse %s', (_, given) => {
    expect(flawsOf(given)).not.toEqual([])
  })
})

describe.each(names)('rendered, %s:', (name) => {
  test('the pod has no rights, and its file system cannot be written', () => {
    const { containers, securityContext, automountServiceAccountToken } = pod(name)
    expect(automountServiceAccountToken).toBe(false)
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))!
    expect([securityContext.runAsUser, securityContext.runAsGroup]).toEqual([Number(user), Number(group)])
    expect(containers.map((container) => container.securityContext)).toEqual([
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    ])
  })

  test('the probes ask the paths that the daemon serves', () => {
    const [container] = pod(name).containers as [Container]
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
    const asked = probes.map(({ httpGet, exec }) => httpGet?.path ?? `/-/${exec?.command.at(-1)}`)
    expect(asked).toEqual(['/-/healthy', '/-/healthy', '/-/ready'])
    expect(probes.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([5, 5, 5])
    expect(container.ports).toEqual([{ name: 'http', containerPort: DEFAULT_PORT, protocol: 'TCP' }])
  })

  test('each mount is of a volume, and what the arguments name is in a mount', () => {
    const { containers, volumes } = pod(name)
    const [{ volumeMounts: mounts, args }] = containers as [Container]
    const claims = one(name, 'StatefulSet').spec.volumeClaimTemplates ?? []
    const all = [...volumes, ...claims.map(({ metadata }) => metadata)].map((volume) => volume.name)
    expect(mounts.map((mount) => mount.name).toSorted()).toEqual(all.toSorted())
    const paths = args.filter((one) => !one.startsWith('--shard=')).map((argument) => argument.split('=')[1]!)
    expect(
      paths.filter((path) => !mounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`) || path === mountPath)),
    ).toEqual([])
  })

  test('what selects the pod is on it', () => {
    const { selector, template } = one(name, 'StatefulSet').spec
    const selectors: object[] = [selector.matchLabels, one(name, 'Service').spec.selector]
    const others = manifests(name).flatMap(({ kind, spec }) =>
      kind === 'NetworkPolicy'
        ? [spec.podSelector.matchLabels]
        : kind === 'ServiceMonitor'
          ? [spec.selector.matchLabels]
          : [],
    )
    for (const labels of [...selectors, ...others]) expect(template.metadata.labels).toMatchObject(labels)
  })
})

test.each([
  ['least', 1, undefined, undefined],
  ['most', 4, '--shard=auto/4', 'metadata.name'],
])('%s: %i pods, each of which knows its shard', (name, pods, flag, named) => {
  const { spec } = one(name, 'StatefulSet')
  const [{ args, env }] = pod(name).containers as [Container]
  expect(spec.replicas).toBe(pods)
  expect(args.find((argument) => argument.startsWith('--shard'))).toBe(flag)
  expect(env?.find((variable) => variable.name === 'POD_NAME')?.valueFrom?.fieldRef?.fieldPath).toBe(named)
})

test('the password of the probes comes from a secret, by way of the health check of the image', () => {
  const [{ env, ...probes }] = pod('most').containers as [Container]
  expect(env).toContainEqual({
    name: 'STAKEWATCH_HEALTH_URL',
    valueFrom: { secretKeyRef: { name: 'web-health', key: 'url' } },
  })
  const check = instructionWords('HEALTHCHECK').at(-1)!
  const workdir = /^WORKDIR (\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))![1]
  const { exec, httpGet } = probes.livenessProbe
  expect({ exec, httpGet }).toEqual({
    exec: { command: [instructionWords('ENTRYPOINT')[0], `${workdir}/${check}`, 'healthy'] },
    httpGet: undefined,
  })
})

/** The words of an instruction of the Dockerfile. */
function instructionWords(name: string): string[] {
  const [, words = '[]'] =
    new RegExp(`^${name} .*?(\\[.*\\])$`, 'm').exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  return JSON.parse(words) as string[]
}

test('with the least there is the configuration, the pod and its service', () => {
  expect(manifests('least').map(({ kind }) => kind)).toEqual(['Secret', 'Service', 'StatefulSet'])
  expect(parse(one('least', 'Secret').stringData['stakewatch.yml']!)).toEqual(
    (cases['least'] as { config: object }).config,
  )
})

test('with the most there is everything', () => {
  const kinds = manifests('most').map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(
    new Set(['NetworkPolicy', 'ConfigMap', 'Service', 'StatefulSet', 'PrometheusRule', 'ServiceMonitor']),
  )
  expect(kinds.filter((kind) => kind === 'ConfigMap')).toHaveLength(7)
})

test('the job is the one that the rules rely on, whatever the release is called', () => {
  const { endpoints } = one('most', 'ServiceMonitor').spec
  expect(endpoints[0]!.relabelings[0]).toEqual({ targetLabel: 'job', replacement: JOB })
})
