import { expect, test } from 'vitest'
import { contentTypes, negotiate } from '../../src/server/negotiate.ts'

// The first two are what these versions send.
test.each([
  [
    'Prometheus 2.42',
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'openmetrics',
  ],
  [
    'Prometheus 3',
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'openmetrics',
  ],
  ['Prometheus set to use the text format', 'text/plain;version=0.0.4;q=0.6,*/*;q=0.5', 'text'],
  [
    'Prometheus with protobuf first',
    'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,text/plain;version=0.0.4;q=0.3',
    'text',
  ],
  ['no header', undefined, 'text'],
  ['an empty header', '', 'text'],
  ['curl', '*/*', 'text'],
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text'],
  ['OpenMetrics of any version', 'application/openmetrics-text', 'openmetrics'],
  ['OpenMetrics, the version in quotes', 'application/openmetrics-text; version="1.0.0"', 'openmetrics'],
  ['OpenMetrics 0.0.1 only', 'application/openmetrics-text;version=0.0.1', 'text'],
  ['text 1.0.0 only', 'text/plain;version=1.0.0', 'text'],
  ['capitals', 'APPLICATION/OPENMETRICS-TEXT;VERSION=1.0.0;Q=0.9,TEXT/PLAIN;Q=0.1', 'openmetrics'],
  ['text preferred', 'application/openmetrics-text;version=1.0.0;q=0.4,text/plain;version=0.0.4;q=0.5', 'text'],
  ['anything preferred', 'application/openmetrics-text;q=0.5,*/*', 'text'],
  ['the first of two alike', 'application/openmetrics-text,text/plain', 'openmetrics'],
  ['the first of two alike', 'text/plain,application/openmetrics-text', 'text'],
  ['OpenMetrics refused', 'application/openmetrics-text;q=0,*/*;q=0.1', 'text'],
  ['everything refused', 'application/openmetrics-text;q=0,text/plain;q=0', 'text'],
  ['a quality that is no number', 'application/openmetrics-text;q=best,text/plain;q=0.1', 'text'],
  ['garbage', ';;q=,,=;/ \t"', 'text'],
] as const)('%s: %s', (_, accept, format) => {
  expect(negotiate(accept)).toBe(format)
})

test('content types name format, version and encoding: Prometheus 3 refuses a scrape without', () => {
  expect(contentTypes).toEqual({
    text: 'text/plain; version=0.0.4; charset=utf-8',
    openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  })
})
