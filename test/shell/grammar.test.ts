import { describe, expect, test } from 'vitest'
import { parseStatements } from '../../src/shell/ruby/parse-statements.ts'
import {
  type Expression,
  RubyRefusal,
  RubySyntaxError,
  UnfinishedInput,
} from '../../src/shell/ruby/syntax.ts'
import { inspect, RubyHash, type Value } from '../../src/shell/ruby/values.ts'

/** The value of a text that is one literal, whose constants stand for themselves. */
function valueOf(text: string): Value {
  return literal(parseStatements(text)[0]!.expression)
}

function literal(expression: Expression): Value {
  if (expression.kind === 'literal') return expression.value
  if (expression.kind === 'array') return expression.items.map(literal)
  if (expression.kind === 'hash')
    return RubyHash.fromEntries(expression.entries.map(([key, value]) => [literal(key), literal(value)]))
  if (expression.kind === 'constant') return Buffer.from(expression.name)
  throw new Error(`no literal: ${expression.kind}`)
}

describe('literals', () => {
  test.each([
    [`'a\\n\\'b\\\\'`, '61 5c 6e 27 62 5c'],
    [`"a\\n\\x00\\xff\\7\\377\\e\\u00e9\\u{1F600}"`, '61 0a 00 ff 07 ff 1b c3 a9 f0 9f 98 80'],
    [`'a' "b" 'c'`, '61 62 63'],
    [`"\\q\\""`, '71 22'],
  ])('the string %s has the bytes %s', (text, hex) => {
    expect(valueOf(text)).toEqual(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
  })

  test.each([
    ['9223372036854775808', '9223372036854775808'],
    ['-1_000', '-1000'],
    ['0x1F', '31'],
    ['017', '15'],
    ['1.50', '1.5'],
    ['2.0', '2.0'],
    ['[1, nil, true, :a, %w[x y], []]', '[1, nil, true, :a, ["x", "y"], []]'],
    ["{NAME => 'f', 'k' => {1 => 2}, a: 3}", '{"NAME"=>"f", "k"=>{1=>2}, :a=>3}'],
    ['"\\x00é#{"', '"\\x00é\\#{"'],
  ])('%s reads as %s', (text, inspected) => {
    expect(inspect(valueOf(text.replace('#{', '\\#{')))).toBe(inspected)
  })
})

describe('statements', () => {
  test('a command has its arguments with and without parentheses, pairs at the end are a hash', () => {
    const [plain] = parseStatements("get 't', 'r', COLUMN => 'f:a', VERSIONS => 2")
    const [within] = parseStatements("get('t', 'r', {COLUMN => 'f:a', VERSIONS => 2})")
    expect(plain!.expression).toEqual(within!.expression)
    const kinds = parseStatements("list; t = get_table 't' # why\n\nt.put 'r', 'f:q', -1").map(
      ({ assigned, expression, line }) => [assigned, expression.kind, line],
    )
    expect(kinds).toEqual([
      [undefined, 'name', 1],
      ['t', 'call', 1],
      [undefined, 'method', 3],
    ])
  })

  test.each([
    ["put 't', 'r", "'", 0],
    ['put "t', '"', 0],
    ["scan 't', {LIMIT =>", undefined, 1],
    ["scan 't',", undefined, 0],
    ["get 't', ['a', 'b'", undefined, 1],
  ])('%s goes on in the next line', (text, quote, depth) => {
    const unfinished = errorOf(text) as UnfinishedInput
    expect(unfinished).toBeInstanceOf(UnfinishedInput)
    expect([unfinished.quote, unfinished.depth]).toEqual([quote, depth])
  })

  test.each([
    ["get 't', )", "syntax error, unexpected ')'"],
    ["get 't' 5", 'syntax error, unexpected literal'],
    ['"\\xzz"', 'invalid hex escape'],
    ['{1}', 'syntax error, unexpected literal'],
    ['= 5', "syntax error, unexpected '='"],
  ])('%s is no statement', (text, message) => {
    const error = errorOf(text)
    expect(error).toBeInstanceOf(RubySyntaxError)
    expect((error as Error).message).toBe(message)
  })

  test.each([
    "['a'].each { |t| drop t }",
    "if exists 't'",
    "(1..5).each do |i| put 't', i, 'f:q', i end",
    'puts 5',
    "get 't', ENV['ROW']",
    'x = 1 + 2',
    "put 't', \"r#{i}\", 'f:q', 'v'",
    '@shell.admin',
    '$x',
    "y = x['a']",
    'Time.now(1)',
    'list { |t| t }',
    '['.repeat(101),
  ])('%s is refused with its line', (text) => {
    const error = errorOf(`list\n${text}`)
    expect(error).toBeInstanceOf(RubyRefusal)
    expect((error as Error).message).toMatch(/^line 2: this shell runs HBase's commands, not Ruby: /)
  })
})

function errorOf(text: string): unknown {
  try {
    parseStatements(text)
    return undefined
  } catch (error) {
    return error
  }
}
