/** Visibility expressions as trees. HBase: org.apache.hadoop.hbase.security.visibility.expression. */

export type LabelExpression =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'not'; readonly member: LabelExpression }
  | { readonly kind: 'and' | 'or'; readonly members: readonly LabelExpression[] }

/** A term is true of a reader who has every label in it and none of those after a NOT. */
export type Term = readonly Literal[]

export interface Literal {
  readonly label: string
  readonly isNegated: boolean
}

/** The label as an expression names it: HBase's CellVisibility.quote. Any label but one of spaces alone can be named so. */
export function quoteLabel(label: string): string {
  return `"${label.replaceAll(/["\\]/g, '\\$&')}"`
}
