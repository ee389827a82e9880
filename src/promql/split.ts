// Splits an expression between two evaluators: each largest part that reads only scraped metrics becomes a metric of its own,
// which another evaluator has to provide.

import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { childrenOf, inOneLine } from './parse.ts'

const VECTORS = new Set([
  'VectorSelector',
  'OffsetExpr',
  'ParenExpr',
  'UnaryExpr',
  'AggregateExpr',
  'BinaryExpr',
  'FunctionCall',
])
const RANGES = new Set(['MatrixSelector', 'SubqueryExpr'])

/** `isScraped` is asked about each metric; a selector without a name counts as scraped. `nameOf` names the metric for a part. */
export function splitPromql(
  text: string,
  isScraped: (metric: string) => boolean,
  nameOf: (part: string) => string,
): string {
  const wordOf = ({ from, to }: SyntaxNode) => text.slice(from, to)
  const isScrapedOnly = (metrics: readonly (string | undefined)[]) =>
    metrics.every((metric) => metric === undefined || isScraped(metric))

  function metricsIn(node: SyntaxNode): (string | undefined)[] {
    if (node.name !== 'VectorSelector') return childrenOf(node).flatMap(metricsIn)
    const name = node.getChild('Identifier')
    return [name ? wordOf(name) : undefined]
  }

  function split(node: SyntaxNode): string {
    const metrics = metricsIn(node)
    if (metrics.length === 0) return wordOf(node)
    if (isScrapedOnly(metrics)) {
      if (isVector(node)) return nameOf(inOneLine(wordOf(node)))
      // A step of the subquery asks for its inner part; nothing asks for a range alone.
      if (node.name === 'MatrixSelector') throw new Error(`PromQL: this range cannot be split: ${wordOf(node)}`)
    }
    let [done, at] = ['', node.from]
    for (const child of childrenOf(node)) {
      done += text.slice(at, child.from) + split(child)
      at = child.to
    }
    return done + text.slice(at, node.to)
  }
  return split(parser.parse(text).topNode)
}

/** An offset is of what it stands behind. */
function isVector(node: SyntaxNode): boolean {
  return VECTORS.has(node.name) && !(node.name === 'OffsetExpr' && RANGES.has(node.firstChild!.name))
}
