// What a PromQL expression reads and gives, as far as its names tell. Grafana's variables have to be replaced first.

import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import type { Metric } from '../../src/metrics/define.ts'

interface Selector {
  /** Undefined where only matchers on the name choose. */
  metric: string | undefined
  matchers: Readonly<Record<string, string>>
  /** Of a range selector, as it is written. */
  range: string | undefined
  /** The function whose argument it is. */
  within: string | undefined
}

interface Aggregation {
  operator: string
  /** Labels that its argument has, and that it gives. */
  from: ReadonlySet<string>
  to: ReadonlySet<string>
  /** Labels that it names. */
  named: readonly string[]
  /** Whether a metric among `opinions` is in its argument. */
  overOpinions: boolean
}

export interface Read {
  isValid: boolean
  selectors: readonly Selector[]
  aggregations: readonly Aggregation[]
  /** Labels of the series that it gives; none for a number. */
  labels: ReadonlySet<string>
}

/** Labels that Prometheus itself puts on every series. */
const SCRAPED = ['job', 'instance']

export type Catalogue = ReadonlyMap<string, Metric>

/** A metric as Prometheus stores it: a histogram is three names. */
export function stored({ name, type, labels }: Pick<Metric, 'name' | 'type' | 'labels'>): [string, Metric][] {
  if (type !== 'histogram') return [[name, { name, help: '', type, labels }]]
  return ['_bucket', '_sum', '_count'].map((suffix) => [
    name + suffix,
    { name: name + suffix, help: '', type: 'counter', labels: suffix === '_bucket' ? [...labels, 'le'] : labels },
  ])
}

/** `opinions`: names of metrics that carry one observer's view. */
export function read(expression: string, catalogue: Catalogue, opinions: ReadonlySet<string>): Read {
  const tree = parser.parse(expression)
  const selectors: Selector[] = []
  const aggregations: Aggregation[] = []
  let isValid = true
  tree.iterate({ enter: ({ type }) => void (isValid &&= !type.isError) })

  const text = ({ from, to }: SyntaxNode) => expression.slice(from, to)
  const names = (node: SyntaxNode | null) => (node?.getChildren('LabelName') ?? []).map(text)

  function selector(node: SyntaxNode, range: string | undefined, within: string | undefined): ReadonlySet<string> {
    const name = node.getChild('Identifier')
    const metric = name === null ? undefined : text(name)
    const pairs = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
      const label = text(matcher.getChild('LabelName')!)
      return [label, text(matcher).slice(label.length)]
    })
    selectors.push({ metric, matchers: Object.fromEntries(pairs) as Record<string, string>, range, within })
    return new Set([...SCRAPED, ...(metric === undefined ? [] : (catalogue.get(metric)?.labels ?? []))])
  }

  function aggregation(node: SyntaxNode): ReadonlySet<string> {
    const before = selectors.length
    const from = labelsOf(node.getChild('FunctionCallBody')!, undefined)
    const operator = text(node.getChild('AggregateOp')!)
    const modifier = node.getChild('AggregateModifier')
    const named = names(modifier?.getChild('GroupingLabels') ?? null)
    const keepsAll = operator === 'topk' || operator === 'bottomk'
    const kept = modifier?.getChild('Without') ? [...from].filter((label) => !named.includes(label)) : named
    const to = keepsAll ? from : new Set(kept)
    const overOpinions = selectors.slice(before).some(({ metric }) => opinions.has(metric ?? ''))
    aggregations.push({ operator, from, to, named, overOpinions })
    return to
  }

  function binary(node: SyntaxNode): ReadonlySet<string> {
    const operands = childrenOf(node).filter(({ name }) => isExpression(name))
    const [left, right] = operands.map((operand) => ({ node: operand, labels: labelsOf(operand, undefined) }))
    if (left === undefined || right === undefined) return new Set()
    if (isNumber(left.node)) return right.labels
    if (isNumber(right.node)) return left.labels
    const matching = node.getChild('MatchingModifierClause')
    const isSet = ['And', 'Or', 'Unless'].some((operator) => node.getChild(operator) !== null)
    if (isSet || matching === null) return left.labels
    if (matching.getChild('GroupLeft') !== null) {
      const [, included] = matching.getChildren('GroupingLabels')
      return new Set([...left.labels, ...names(included ?? null)])
    }
    return matching.getChild('On') ? new Set(names(matching.getChild('GroupingLabels'))) : left.labels
  }

  /** The labels of what the node gives; collects selectors and aggregations on its way. */
  function labelsOf(node: SyntaxNode, within: string | undefined): ReadonlySet<string> {
    switch (node.name) {
      case 'VectorSelector':
        return selector(node, undefined, within)
      case 'MatrixSelector':
        return selector(node.getChild('VectorSelector')!, text(node).replace(/^.*\[|\]$/gs, ''), within)
      case 'AggregateExpr':
        return aggregation(node)
      case 'BinaryExpr':
        return binary(node)
      case 'FunctionCall': {
        const name = text(node.getChild('FunctionIdentifier')!)
        const body = node.getChild('FunctionCallBody')!
        const labels = labelsOf(body, name)
        if (name === 'label_replace' || name === 'label_join') {
          const [made] = childrenOf(body).filter((child) => child.name === 'StringLiteral')
          return new Set([...labels, text(made!).slice(1, -1)])
        }
        return name === 'histogram_quantile' ? new Set([...labels].filter((label) => label !== 'le')) : labels
      }
      default:
        return childrenOf(node).reduce<ReadonlySet<string>>(
          (labels, child) => new Set([...labels, ...labelsOf(child, within)]),
          new Set(),
        )
    }
  }

  const labels = labelsOf(tree.topNode, undefined)
  return { isValid, selectors, aggregations, labels }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

function isExpression(name: string): boolean {
  return /(Expr|Selector|FunctionCall|Literal)$/.test(name)
}

/** A number, or a call such as time() that gives one. */
function isNumber(node: SyntaxNode): boolean {
  if (node.name === 'NumberDurationLiteral') return true
  if (node.name === 'FunctionCall') return node.getChild('FunctionIdentifier')?.getChild('Time') != null
  if (node.name === 'ParenExpr' || node.name === 'BinaryExpr') {
    return childrenOf(node)
      .filter(({ name }) => isExpression(name))
      .every(isNumber)
  }
  return false
}
