/**
 * Expands visibility expressions to alternatives, each of which requires some labels and forbids others. A cell has one tag for
 * each alternative. HBase: ExpressionExpander, with the same order of alternatives, since it shows in the bytes of a cell.
 */

import { HBaseError } from '../../../../model/errors.ts'
import type { LabelExpression, Literal, Term } from './label-expression.ts'

/** The most alternatives: the tags of a cell have at most 65,535 bytes, and each tag at least four. */
export const TERMS_MAX: number = 0xffff >> 2
/** The most labels in all alternatives: each takes at least one byte. */
export const LITERALS_MAX: number = 0xffff

/** An expanded expression. An `or` has no `or` among its members, nor an `and` an `and`: their members are joined. */
type Expanded =
  | { readonly kind: 'literal'; readonly literal: Literal; readonly literals: 1 }
  | {
      readonly kind: 'and' | 'or'
      readonly members: readonly Expanded[]
      /** Labels in all alternatives together. */
      readonly literals: number
    }

/** The alternatives. Throws TOO_LARGE where there are more alternatives, or more labels in them, than a cell can have. */
export function termsOf(expression: LabelExpression): Term[] {
  const expanded = expand(expression)
  if (expanded.kind === 'or') return expanded.members.map(literalsOf)
  return [literalsOf(expanded)]
}

function literalsOf(expanded: Expanded): Literal[] {
  const literals: Literal[] = []
  addLiterals(expanded, literals)
  return literals
}

function addLiterals(expanded: Expanded, literals: Literal[]): void {
  if (expanded.kind === 'literal') literals.push(expanded.literal)
  else for (const member of expanded.members) addLiterals(member, literals)
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
  return { kind: 'literal', literal: { label, isNegated }, literals: 1 }
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
  if (left.kind === 'literal' && right.kind === 'literal') return branch(kind, [left, right])
  if (right.kind === 'literal') return joinedWithLiteral(kind, right, left)
  if (left.kind === 'literal') return joinedWithLiteral(kind, left, right)
  const [ofLeft, ofRight] = [membersOf(left), membersOf(right)]
  if (left.kind === kind && right.kind === kind) return branch(kind, [...ofLeft, ...ofRight])
  if (kind === 'or') {
    if (left.kind === 'or') return branch('or', [...ofLeft, right])
    return right.kind === 'or' ? branch('or', [...ofRight, left]) : branch('or', [left, right])
  }
  if (left.kind === 'or' && right.kind === 'or') {
    checkTerms(
      ofLeft.length * ofRight.length,
      left.literals * ofRight.length + right.literals * ofLeft.length,
    )
    return branch(
      'or',
      ofLeft.flatMap((each) => ofRight.map((other) => branch('and', [each, other]))),
    )
  }
  // The alternatives go behind the expression that they are joined with, also where it was on the right.
  const [all, alternatives] = left.kind === 'and' ? [ofLeft, ofRight] : [ofRight, ofLeft]
  checkTerms(alternatives.length, all.length * alternatives.length)
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
  let literals = 0
  for (const member of members) literals += member.literals
  checkTerms(members.length, literals)
  return { kind, members, literals }
}

function checkTerms(terms: number, literals: number): void {
  if (terms > TERMS_MAX)
    throw new HBaseError('TOO_LARGE', `a visibility expression has more than ${TERMS_MAX} alternatives`)
  if (literals > LITERALS_MAX)
    throw new HBaseError(
      'TOO_LARGE',
      `the alternatives of a visibility expression have more than ${LITERALS_MAX} labels together`,
    )
}
