/** Visibility expressions as trees. HBase: org.apache.hadoop.hbase.security.visibility.expression. */

export type LabelExpression =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'not'; readonly member: LabelExpression }
  | { readonly kind: 'and' | 'or'; readonly members: readonly LabelExpression[] }

/** A term shows a cell to readers who have all its labels and none of the negated ones. */
export type Term = readonly Literal[]

export interface Literal {
  readonly label: string
  readonly isNegated: boolean
}

/** The label in quotes, for an expression: HBase's CellVisibility.quote. This fits any label but one of spaces alone. */
export function quoteLabel(label: string): string {
  return `"${label.replaceAll(/["\\]/g, '\\$&')}"`
}
