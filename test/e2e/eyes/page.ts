// Draws panels with Grafana's own components, and says what is seen. Runs in the browser.

import {
  type Field,
  fieldReducers,
  FieldType,
  getFieldDisplayName,
  getFieldDisplayValues,
  getFieldSeriesColor,
  reduceField,
  type ReduceDataOptions,
  ThemeContext,
} from '@grafana/data'
import {
  BigValue,
  type BigValueColorMode,
  type BigValueGraphMode,
  type BigValueJustifyMode,
  type BigValueTextMode,
  GlobalStyles,
  type LegendDisplayMode,
  Menu,
  PanelChrome,
  VizLayout,
  VizLegend,
  type VizLegendItem,
  type VizTextDisplayOptions,
} from '@grafana/ui'
import { TableNG } from '@grafana/ui/unstable'
import { createElement, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { interpolate, ready, type Ready, theme } from './data.ts'
import { textsOf } from './measure.ts'
import type { Drawn, Seen } from './seen.ts'

type Content = Pick<Seen, 'columns' | 'names'> & { draw(width: number, height: number): ReactNode }

function tableContent({ frames: [data], options }: Ready): Content {
  if (data === undefined) return { columns: [], names: [], draw: () => null }
  const visible = data.fields.filter(({ config }) => config.custom?.hidden !== true)
  return {
    columns: visible.map((field) => ({
      title: getFieldDisplayName(field, data, [data]),
      isNumber: field.type === FieldType.number,
      values: field.values,
    })),
    names: [],
    draw: (width, height) =>
      createElement(TableNG, {
        data,
        width,
        height,
        sortBy: options['sortBy'] as [],
        cellHeight: 'sm' as never,
        enableVirtualization: false,
        onCellFilterAdded: () => {},
      }),
  }
}

function tileContent({ frames: data, fieldConfig, options }: Ready): Content {
  const [display] = getFieldDisplayValues({
    data,
    reduceOptions: options['reduceOptions'] as ReduceDataOptions,
    fieldConfig,
    replaceVariables: interpolate,
    theme,
  })
  const { textMode } = options
  return {
    columns: [],
    names: textMode === 'value_and_name' && data.length > 0 ? [display!.display.title ?? ''] : [],
    draw: (width, height) =>
      createElement(BigValue, {
        value: display!.display,
        width,
        height,
        theme,
        count: 1,
        colorMode: options['colorMode'] as BigValueColorMode,
        graphMode: options['graphMode'] as BigValueGraphMode,
        justifyMode: options['justifyMode'] as BigValueJustifyMode,
        textMode: textMode as BigValueTextMode,
        disableWideLayout: options['wideLayout'] !== true,
        hasLinks: true,
        ...(options['text'] !== undefined && { text: options['text'] as VizTextDisplayOptions }),
      }),
  }
}

/** The values that a legend shows of a series. */
function calculated(field: Field, calcs: readonly string[]) {
  const reduced = reduceField({ field, reducers: [...calcs] })
  return calcs.map((id) => ({ ...field.display!(reduced[id]), title: fieldReducers.get(id).name }))
}

interface Legend {
  displayMode: LegendDisplayMode
  placement: 'bottom'
  calcs?: string[]
  sortBy?: string
  sortDesc?: boolean
}

function legendContent({ frames: data, options }: Ready, isTimeline: boolean): Content {
  const { calcs = [], ...legend } = options['legend'] as Legend
  const fields = data.flatMap((frame) => frame.fields.slice(1).map((field) => ({ frame, field })))
  const states = fields.flatMap(({ field }) => field.values.map((value) => field.display!(value)))
  const items: VizLegendItem[] = isTimeline
    ? [...new Map(states.map(({ text, color = '' }) => [text, { label: text, color, yAxis: 1 }])).values()]
    : fields.map(({ frame, field }) => ({
        label: getFieldDisplayName(field, frame, data),
        color: getFieldSeriesColor(field, theme).color,
        yAxis: 1,
        getDisplayValues: () => calculated(field, calcs),
      }))
  return {
    columns: [],
    names: items.map(({ label }) => label),
    draw: (width, height) =>
      createElement(VizLayout, {
        width,
        height,
        legend: createElement(VizLayout.Legend, {
          placement: legend.placement,
          // All of it is looked at, not only what is seen without scrolling.
          maxHeight: 'none',
          children: createElement(VizLegend, { ...legend, items, isSortable: true }),
        }),
        children: () => null,
      }),
  }
}

function contentOf(type: string, given: Ready): Content {
  if (type === 'table') return tableContent(given)
  if (type === 'stat') return tileContent(given)
  return legendContent(given, type === 'state-timeline')
}

async function draw(all: Drawn[]): Promise<Seen[]> {
  const contents = await Promise.all(all.map(async (one) => contentOf(one.panel.type, await ready(one))))
  const room = document.createElement('div')
  document.body.replaceChildren(room)
  const root = createRoot(room)
  const chromes = all.map(({ panel, width, height }, at) =>
    createElement(
      'div',
      { key: at, className: 'drawn', style: { width, height, overflow: 'hidden' } },
      createElement(PanelChrome, {
        width,
        height,
        title: interpolate(panel.title),
        description: panel.description ?? '',
        menu: createElement(Menu),
        padding: panel.type === 'table' ? 'none' : 'md',
        children: contents[at]!.draw,
      }),
    ),
  )
  flushSync(() =>
    root.render(createElement(ThemeContext.Provider, { value: theme }, createElement(GlobalStyles), chromes)),
  )
  // Tables and legends measure themselves, then draw once more.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const seen = [...room.querySelectorAll('.drawn')].map((element, at) => {
    const grid = element.querySelector('[role=grid]')
    const { columns, names } = contents[at]!
    return { columns, names, texts: textsOf(element), hidden: grid === null ? 0 : grid.scrollWidth - grid.clientWidth }
  })
  root.unmount()
  return seen
}

Object.assign(globalThis, { draw })
