// npm run helm: renders the chart with a real helm, in two forms, for the tests that look at what came of it. CI has no
// helm, because building it takes longer than all of CI may: there a test compares the digest of what was rendered.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
export const chart = join(root, 'deploy/helm/stakewatch')
export const rendered = (name: string) => join(root, `test/deploy/helm/${name}.yaml`)

const nodes = [{ name: 'node-a', url: 'http://10.0.0.5:9650' }]
const chains = [{ id: 'c-chain', evm_chain_id: 43113 }]
/** Without quotes an address is a number. */
const addresses = [{ name: 'relayer', addresses: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'], chains: ['c-chain'] }]
const config = { networks: [{ name: 'fuji', nodes, chains, addresses }] }
const release = { release: 'prometheus' }

/** What the chart is rendered with. */
export const cases: Readonly<Record<string, object>> = {
  least: { config, persistence: { enabled: false }, networkPolicy: { enabled: false } },
  most: {
    image: { registry: 'registry.example.org', digest: `sha256:${'a'.repeat(64)}` },
    imagePullSecrets: [{ name: 'pull' }],
    configExistingSecretName: 'own',
    extraSecretMounts: [{ name: 'web', secretName: 'web', mountPath: '/etc/stakewatch-web' }],
    extraArgs: ['--web.config.file=/etc/stakewatch-web/web.yml'],
    shards: 4,
    extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/stakewatch-web/ca.crt' }],
    persistence: { storageClassName: 'fast' },
    probes: { urlSecretName: 'web-health' },
    podLabels: { team: 'staking' },
    podAnnotations: { note: 'x' },
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'monitoring', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    priorityClassName: 'high',
    service: { annotations: { note: 'x' } },
    serviceMonitor: {
      enabled: true,
      labels: release,
      scheme: 'https',
      tlsConfig: { ca: { secret: { name: 'web', key: 'ca.crt' } }, serverName: 'stakewatch' },
      basicAuth: { username: { name: 'web', key: 'user' }, password: { name: 'web', key: 'password' } },
      relabelings: [{ targetLabel: 'cluster', replacement: 'a' }],
      metricRelabelings: [{ action: 'labeldrop', regex: 'endpoint' }],
    },
    prometheusRule: {
      enabled: true,
      labels: release,
      runbookBase: 'https://wiki.example.org/stakewatch/',
      dashboardBase: 'https://grafana.example.org/',
    },
    dashboards: { enabled: true },
    networkPolicy: {
      from: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
      to: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    },
  },
}

/** Of all that helm reads but the rules and the dashboards. */
export function digest(): string {
  const files = readdirSync(chart, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(Chart\.yaml|values\..*|templates\/.*)$/.test(path))
    .toSorted()
    .map((path) => [path, readFileSync(join(chart, path), 'utf8')])
  return createHash('sha256')
    .update(JSON.stringify([files, cases]))
    .digest('hex')
}

/** Instead of the rules and of each dashboard there is the name of its file, after both have been found to be the same. */
function withoutCopies(text: string): string {
  const base = 'https://wiki.example.org/stakewatch/'
  const own = (path: string) =>
    readFileSync(join(root, path), 'utf8').replaceAll('https://stakewatch.example/runbooks/', base)
  const grafana = (rules: string) => rules.replaceAll('http://localhost:3000/', 'https://grafana.example.org/')
  const rules = grafana(own('alerts/stakewatch.rules.yaml')).trimEnd().replaceAll(/^/gm, '  ')
  const short = text
    .replace(rules, () => '  groups: [] # alerts/stakewatch.rules.yaml')
    .replaceAll(/^ {2}stakewatch-(\w+\.json): (".*")$/gm, (_, file: string, quoted: string) => {
      if (JSON.parse(quoted) !== own(`dashboards/${file}`)) throw new Error(`the chart has another ${file}`)
      return `  stakewatch-${file}: '{}' # dashboards/${file}`
    })
  if (short.includes('alert:')) throw new Error('the chart has other rules')
  return short
}

if (import.meta.main) {
  for (const [name, values] of Object.entries(cases)) {
    const words = ['template', 'release', chart, '--namespace=monitoring', '--kube-version=1.34.0', '--values=-']
    // Helm reports each link on stderr.
    const text = execFileSync('helm', words, {
      input: JSON.stringify(values),
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: Infinity,
    })
    writeFileSync(rendered(name), `# Rendered by npm run helm from ${digest()}.\n${withoutCopies(text)}`)
  }
}
