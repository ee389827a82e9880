// What a panel shows, as Grafana makes it of the answers to its queries.

import {
  applyFieldOverrides,
  createDataFrame,
  createTheme,
  type DataFrame,
  FieldConfigOptionsRegistry,
  FieldColorModeId,
  type FieldConfigPropertyItem,
  type FieldConfigSource,
  FieldType,
  identityOverrideProcessor,
  standardTransformers,
  standardTransformersRegistry,
  ThresholdsMode,
  transformDataFrame,
} from '@grafana/data'
import type { Answer, Drawn } from './seen.ts'

export const theme = createTheme({ colors: { mode: 'dark' } })
const NOW = 1_790_000_000_000

// Grafana fills the registry itself; its packages have no other way to these two.
// oxlint-disable-next-line typescript/no-deprecated
const { mergeTransformer, organizeFieldsTransformer } = standardTransformers
standardTransformersRegistry.setInit(() =>
  [mergeTransformer, organizeFieldsTransformer].map((one) => ({
    id: one.id,
    name: one.name,
    transformation: () => Promise.resolve(one),
    editor: () => null,
    imageDark: '',
    imageLight: '',
  })),
)

/** As the data source of Prometheus gives the answer to a query in the form of a table. */
function tableOf(refId: string, answer: Answer, isOnly: boolean): DataFrame {
  const labels = [...new Set(answer.flatMap((one) => Object.keys(one.labels)))].toSorted()
  return createDataFrame({
    refId,
    fields: [
      { name: 'Time', type: FieldType.time, values: answer.map(() => NOW) },
      ...labels.map((label) => ({
        name: label,
        type: FieldType.string,
        config: { filterable: true },
        values: answer.map((one) => one.labels[label] ?? ''),
      })),
      { name: isOnly ? 'Value' : `Value #${refId}`, type: FieldType.number, values: answer.map(({ value }) => value) },
    ],
  })
}

/** The same in the form of series, each with its name. */
function seriesOf(refId: string, answer: Answer, legend: string): DataFrame[] {
  return answer.map(({ labels, value }) => {
    const displayNameFromDS = legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '')
    return createDataFrame({
      refId,
      fields: [
        { name: 'Time', type: FieldType.time, values: [NOW - 60_000, NOW] },
        { name: 'Value', type: FieldType.number, labels, config: { displayNameFromDS }, values: [value, value] },
      ],
    })
  })
}

/** With what Grafana's panels set by themselves: without thresholds it is red from 80 on. */
function fieldConfigOf({ type, fieldConfig }: Drawn['panel']): FieldConfigSource {
  const { defaults, overrides } = fieldConfig as unknown as FieldConfigSource
  const byThreshold = type === 'table' || type === 'stat'
  const thresholds = {
    mode: ThresholdsMode.Absolute,
    steps: [
      { value: -Infinity, color: 'green' },
      { value: 80, color: 'red' },
    ],
  }
  const color = { mode: byThreshold ? FieldColorModeId.Thresholds : FieldColorModeId.PaletteClassic }
  // JSON has no -Infinity.
  for (const { value } of [{ value: defaults.thresholds }, ...overrides.flatMap(({ properties }) => properties)]) {
    if (value?.steps?.[0]) value.steps[0].value = -Infinity
  }
  return { defaults: { thresholds, color, ...defaults }, overrides }
}

/** Of all options that the panel sets. */
function registryOf({ defaults, overrides }: FieldConfigSource): FieldConfigOptionsRegistry {
  const ids = [
    ...Object.keys(defaults).filter((id) => id !== 'custom'),
    ...Object.keys(defaults.custom ?? {}).map((id) => `custom.${id}`),
    ...overrides.flatMap(({ properties }) => properties.map(({ id }) => id)),
    'displayName',
  ]
  return new FieldConfigOptionsRegistry(() =>
    [...new Set(ids)].map((id): FieldConfigPropertyItem => ({
      id,
      path: id.replace('custom.', ''),
      isCustom: id.startsWith('custom.'),
      name: id,
      editor: () => null,
      override: () => null,
      process: identityOverrideProcessor,
      shouldApply: () => true,
    })),
  )
}

/** What all kinds of panels need. */
export interface Ready {
  frames: DataFrame[]
  fieldConfig: FieldConfigSource
  options: Record<string, unknown>
}

export const interpolate = (text = '') => text.replaceAll('$subnet', 'primary')

export async function ready({ panel, answers }: Drawn): Promise<Ready> {
  const targets = (panel.targets ?? []) as unknown as { refId: string; legendFormat?: string; format?: string }[]
  const raw = targets.flatMap(({ refId, legendFormat = '', format }) => {
    const answer = answers[refId] ?? []
    if (format === 'table') return answer.length === 0 ? [] : [tableOf(refId, answer, targets.length === 1)]
    return seriesOf(refId, answer, legendFormat)
  })
  const transformations = (panel.transformations ?? []) as { id: string; options: object }[]
  const data = await new Promise<DataFrame[]>((resolve, reject) => {
    transformDataFrame(transformations, raw, { interpolate }).subscribe({ next: resolve, error: reject })
  })
  const fieldConfig = fieldConfigOf(panel)
  const fieldConfigRegistry = registryOf(fieldConfig)
  const replaceVariables = interpolate
  const frames = applyFieldOverrides({ data, fieldConfig, fieldConfigRegistry, replaceVariables, theme })
  return { frames, fieldConfig, options: (panel.options ?? {}) as Record<string, unknown> }
}
