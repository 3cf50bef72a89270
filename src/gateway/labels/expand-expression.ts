/**
 * Visibility expressions as alternatives, each of which asks for some labels and forbids others: what a cell keeps, one tag for
 * each alternative. HBase: ExpressionExpander, whose order of alternatives this is, since a cell's bytes show it.
 */

import { HBaseError } from '../../model/errors.ts'
import type { LabelExpression, Literal, Term } from './label-expression.ts'

/** A cell's tags have at most 65,535 bytes, and each of them at least four. */
export const TERMS_MAX: number = 0xffff >> 2

/** `or` of an `or`'s members, or `and` of an `and`'s, is never left: the members are the outer one's. */
type Expanded =
  | { readonly kind: 'literal'; readonly literal: Literal }
  | { readonly kind: 'and' | 'or'; readonly members: readonly Expanded[] }

/** Throws TOO_LARGE for an expression of more alternatives than a cell can keep. */
export function termsOf(expression: LabelExpression): Term[] {
  const expanded = expand(expression)
  if (expanded.kind === 'or') return expanded.members.map(literalsOf)
  return [literalsOf(expanded)]
}

function literalsOf(expanded: Expanded): Literal[] {
  return expanded.kind === 'literal' ? [expanded.literal] : expanded.members.flatMap(literalsOf)
}

function expand(expression: LabelExpression): Expanded {
  switch (expression.kind) {
    case 'label':
      return literal(expression.label, false)
    case 'not':
      return negated(expression.member)
    case 'and':
    case 'or': {
      const [left, right] = expression.members
      return joined(expression.kind, expand(left!), expand(right!))
    }
  }
}

function literal(label: string, isNegated: boolean): Expanded {
  return { kind: 'literal', literal: { label, isNegated } }
}

function negated(expression: LabelExpression): Expanded {
  switch (expression.kind) {
    case 'label':
      return literal(expression.label, true)
    case 'not':
      return expand(expression.member)
    case 'and':
    case 'or': {
      const [left, right] = expression.members
      return joined(expression.kind === 'and' ? 'or' : 'and', negated(left!), negated(right!))
    }
  }
}

function joined(kind: 'and' | 'or', left: Expanded, right: Expanded): Expanded {
  if (left.kind === 'literal' && right.kind === 'literal') return { kind, members: [left, right] }
  if (right.kind === 'literal') return joinedWithLiteral(kind, right, left)
  if (left.kind === 'literal') return joinedWithLiteral(kind, left, right)
  const [ofLeft, ofRight] = [membersOf(left), membersOf(right)]
  if (left.kind === kind && right.kind === kind) return branch(kind, [...ofLeft, ...ofRight])
  if (kind === 'or') {
    if (left.kind === 'or') return branch('or', [...ofLeft, right])
    return right.kind === 'or' ? branch('or', [...ofRight, left]) : branch('or', [left, right])
  }
  if (left.kind === 'or' && right.kind === 'or') {
    checkTerms(ofLeft.length * ofRight.length)
    return branch(
      'or',
      ofLeft.flatMap((each) => ofRight.map((other) => branch('and', [each, other]))),
    )
  }
  // The alternatives go behind what they are joined with, wherever that stood.
  const [all, alternatives] = left.kind === 'and' ? [ofLeft, ofRight] : [ofRight, ofLeft]
  return branch(
    'or',
    alternatives.map((each) => branch('and', [...all, each])),
  )
}

function joinedWithLiteral(kind: 'and' | 'or', single: Expanded, other: Expanded): Expanded {
  const members = membersOf(other)
  if (other.kind === kind) return branch(kind, [...members, single])
  if (kind === 'or') return branch('or', [other, single])
  return branch(
    'or',
    members.map((each) => branch('and', [each, single])),
  )
}

function membersOf(expanded: Expanded): readonly Expanded[] {
  return expanded.kind === 'literal' ? [expanded] : expanded.members
}

function branch(kind: 'and' | 'or', members: readonly Expanded[]): Expanded {
  checkTerms(members.length)
  return { kind, members }
}

function checkTerms(terms: number): void {
  if (terms <= TERMS_MAX) return
  throw new HBaseError('TOO_LARGE', `a visibility expression has more than ${TERMS_MAX} alternatives`)
}
