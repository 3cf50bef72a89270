/** Prometheus' queries, read by the parser of its own web page. */

import { parser } from '@prometheus-io/lezer-promql'

export interface Selector {
  readonly metric: string
  readonly labels: readonly string[]
}

export interface Query {
  readonly selectors: readonly Selector[]
  /** The labels of `by (...)`. */
  readonly grouped: readonly string[]
  /** The metrics within rate(), increase() and the like, which need a counter. */
  readonly rated: readonly string[]
}

const OF_COUNTERS: ReadonlySet<string> = new Set(['rate', 'irate', 'increase'])

/** Throws for text that is no query. */
export function readQuery(text: string): Query {
  const selectors: Selector[] = []
  const grouped: string[] = []
  const rated: string[] = []
  const textOf = ({ from, to }: { readonly from: number; readonly to: number }): string =>
    text.slice(from, to)
  parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`no query, from character ${node.from} on: ${text}`)
      if (node.name === 'VectorSelector') {
        const metric = node.node.getChild('Identifier')
        if (metric === null) throw new Error(`a selector without a metric: ${text}`)
        const matchers = node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
        const labels = matchers.map((matcher) => textOf(matcher.getChild('LabelName')!))
        selectors.push({ metric: textOf(metric), labels })
      }
      if (node.name === 'GroupingLabels') grouped.push(...node.node.getChildren('LabelName').map(textOf))
      if (node.name === 'FunctionCall' && OF_COUNTERS.has(textOf(node.node.getChild('FunctionIdentifier')!)))
        rated.push(/[a-z]+\(\s*(\w+)/.exec(textOf(node))![1]!)
    },
  })
  return { selectors, grouped, rated }
}
