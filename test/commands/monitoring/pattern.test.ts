// Patterns from answers: as Prometheus and Alertmanager read them, whatever they are.

import { expect, test } from 'vitest'
import { isMatch } from '../../../src/commands/monitoring/routes.ts'

test.each<[string, string, string, boolean | undefined]>([
  ['an alternative', 'node-a|node-b', 'node-b', true],
  ['the whole text', 'node', 'node-a', false],
  ['from its beginning', 'a', 'node-a', false],
  ['a dot is any sign', 'a.b', 'a\nb', true],
  ['a flag of Go', '(?i)VAL', 'val', true],
  ['an end of Go', String.raw`val\z`, 'val', true],
  ['a class of Go', '[[:digit:]]+', '42', true],
  ['quoted as Go does', String.raw`\Qa.b\E`, 'a.b', true],
  ['what would take a backtracking engine for ever', '((a+)+)+b', 'a'.repeat(1_000), false],
  ['another', '(a|a)*$', `${'a'.repeat(1_000)}!`, false],
  ['many states for a text that is long', 'a?'.repeat(5_000), 'a'.repeat(2_000), undefined],
  ['any pattern for a text without end', '(a|a)*$', 'a'.repeat(300_000), undefined],
  ['20,000 names, as one silence may have', `${'NodeID-x|'.repeat(20_000)}NodeID-y`, 'NodeID-y', true],
  ['none of many names', 'NodeID-x|'.repeat(20_000), 'NodeID-', false],
  ['a name with a dot', String.raw`node\.a|node\.b`, 'node.b', true],
  ['a dot of a name is no other sign', String.raw`node\.a|node\.b`, 'node-b', false],
  ['an empty alternative', 'a|', '', true],
  ['a backslash that stands for itself', String.raw`a\\.b`, String.raw`a\xb`, true],
  ['a reference, which Go does not have', String.raw`(a)\1`, 'aa', undefined],
  ['looking ahead, which Go does not have', '(?=a)a', 'a', undefined],
  ['no pattern', '(', '(', undefined],
  ['more states than anyone needs', 'a{1000}b{1000}', 'a', undefined],
  ['as many as one may need', 'a{1,1000}', 'aaa', true],
  ['a long part that is repeated', `(${'ab'.repeat(1_000)}c?){900}`, 'a', undefined],
  ['nested without end', '('.repeat(100_000), 'a', undefined],
])('%s', (_, pattern, text, expected) => expect(isMatch(pattern, text)).toBe(expected))
