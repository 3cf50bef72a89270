import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { termsOf } from '../../../../src/gateway/policies/labels/expressions/expand-expression.ts'
import {
  EXPRESSION_LABELS_MAX,
  parseExpression,
} from '../../../../src/gateway/policies/labels/expressions/expression-parser.ts'
import {
  type LabelExpression,
  quoteLabel,
  type Term,
} from '../../../../src/gateway/policies/labels/expressions/label-expression.ts'

const LABELS = ['a', 'b', 'c', 'with space', 'quo"te', 'back\\slash', 'größe', '(', '!']

const expressions = fc.letrec<{ node: LabelExpression }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('label' as const), label: fc.constantFrom(...LABELS) }),
    fc.record({ kind: fc.constant('not' as const), member: tie('node') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      members: fc.tuple(tie('node'), tie('node')),
    }),
  ),
})).node

function printed(expression: LabelExpression): string {
  switch (expression.kind) {
    case 'label':
      return quoteLabel(expression.label)
    case 'not':
      return `!(${printed(expression.member)})`
    case 'and':
    case 'or':
      return expression.members
        .map((member) => `(${printed(member)})`)
        .join(expression.kind === 'and' ? '&' : ' | ')
  }
}

function holds(expression: LabelExpression, labels: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'label':
      return labels.has(expression.label)
    case 'not':
      return !holds(expression.member, labels)
    case 'and':
      return expression.members.every((member) => holds(member, labels))
    case 'or':
      return expression.members.some((member) => holds(member, labels))
  }
}

function someHold(terms: readonly Term[], labels: ReadonlySet<string>): boolean {
  return terms.some((term) => term.every(({ label, isNegated }) => labels.has(label) !== isNegated))
}

test('what is printed is read as it was', () => {
  fc.assert(
    fc.property(expressions, (expression) => {
      expect(parseExpression(printed(expression))).toEqual(expression)
    }),
  )
})

test('alternatives hold where the expression does, for every reader', () => {
  fc.assert(
    fc.property(expressions, fc.array(fc.subarray(LABELS), { minLength: 5 }), (expression, readers) => {
      const terms = termsOf(expression)
      for (const reader of readers) {
        const labels = new Set(reader)
        expect(someHold(terms, labels)).toBe(holds(expression, labels))
      }
    }),
  )
})

test('any text is read or refused', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'b', '(', ')', '&', '|', '!', '"', ' ', '\\', 'é'),
    maxLength: 12,
  })
  fc.assert(
    fc.property(texts, (text) => {
      try {
        expect(termsOf(parseExpression(text)).length).toBeGreaterThan(0)
      } catch (error) {
        expect(error).toMatchObject({ name: 'HBaseError', code: 'DO_NOT_RETRY' })
      }
    }),
    { numRuns: 1000 },
  )
})

describe('expressions at which a region server of HBase 2.6.1 aborts', () => {
  test.each([
    [
      'public&!(secret&topsecret)',
      [
        ['public', '!secret'],
        ['public', '!topsecret'],
      ],
    ],
    ['secret&!(topsecret|public)', [['!topsecret', '!public', 'secret']]],
    ['!(secret|public)|confidential', [['!secret', '!public'], ['confidential']]],
  ])('%s', (text, wanted) => {
    const found = termsOf(parseExpression(text)).map((term) =>
      term.map(({ label, isNegated }) => (isNegated ? `!${label}` : label)).sort(),
    )
    expect(found).toEqual(wanted.map((term) => term.toSorted()))
  })

  test.each(['!&secret', '"secret\\'])('%s', (text) => {
    expect(() => parseExpression(text)).toThrow('ParseException')
  })
})

describe('expressions that are too large', () => {
  test('as many labels as may be', () => {
    expect(termsOf(parseExpression(joined(EXPRESSION_LABELS_MAX, '|')))).toHaveLength(EXPRESSION_LABELS_MAX)
  })

  test('one label more', () => {
    expect(() => parseExpression(joined(EXPRESSION_LABELS_MAX + 1, '&'))).toThrow('more than 1000 labels')
  })

  test('few labels with too many alternatives', () => {
    const factors = Array.from({ length: 20 }, (_, index) => `(a${index}|b${index})`).join('&')
    expect(() => termsOf(parseExpression(factors))).toThrow('more than 65535 labels together')
    const sum = `(${joined(200, '|')})`
    expect(() => termsOf(parseExpression(`${sum}&${sum}`))).toThrow('more than 16383 alternatives')
  })

  test('parentheses within each other', () => {
    const depth = 100_000
    expect(parseExpression('('.repeat(depth) + 'a' + ')'.repeat(depth))).toEqual({
      kind: 'label',
      label: 'a',
    })
  })
})

function joined(labels: number, joint: string): string {
  return Array.from({ length: labels }, (_, index) => `l${index}`).join(joint)
}
