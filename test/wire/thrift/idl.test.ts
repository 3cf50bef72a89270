import { describe, expect, test } from 'vitest'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { parseSchema, typeText } from '../../../src/wire/thrift/schema.ts'

describe('the language', () => {
  test('types by name, in any order; typedefs, defaults, requiredness, comments, separators', () => {
    const schema = parseSchema(`
      /* a comment
         of two lines */
      namespace java org.example   # another
      namespace * example
      typedef list<binary> Rows
      struct Tree { 1: required Rows rows, 2: optional list<Tree> children; 3: Colour colour = Colour.BLUE
        4: i64 big = 9007199254740993 5: bool yes = 1 6: double half = -0.5 7: string text = 'it' 8: i16 hex = 0x7f }
      enum Colour { RED, GREEN = 5, BLUE }
      union Either { 1: i32 left 2: string right }
      service S { oneway void put(1: optional Tree tree), map<string, set<i8>> get() throws (1: Failure failed) }
      exception Failure { 1: string message }
    `)
    expect(schema.enums.get('Colour')!.members).toEqual(
      new Map([
        ['RED', 0],
        ['GREEN', 5],
        ['BLUE', 6],
      ]),
    )
    const tree = schema.structs.get('Tree')!
    expect(
      tree.fields.map(({ id, requiredness, type, name, default: fallback }) => [
        id,
        requiredness,
        typeText(type),
        name,
        fallback,
      ]),
    ).toEqual([
      [1, 'required', 'list<binary>', 'rows', undefined],
      [2, 'optional', 'list<Tree>', 'children', undefined],
      [3, 'default', 'Colour', 'colour', 6],
      [4, 'default', 'i64', 'big', 9007199254740993n],
      [5, 'default', 'bool', 'yes', true],
      [6, 'default', 'double', 'half', -0.5],
      [7, 'default', 'string', 'text', 'it'],
      [8, 'default', 'i16', 'hex', 127],
    ])
    expect(schema.structs.get('Either')!.fields.map(({ requiredness }) => requiredness)).toEqual([
      'optional',
      'optional',
    ])
    const { put, get } = Object.fromEntries(schema.services.get('S')!.methods)
    expect(put).toMatchObject({ oneway: true, result: undefined, throws: [] })
    expect(put!.args.fields[0]!.requiredness).toBe('default')
    expect(typeText(get!.result!)).toBe('map<string, set<i8>>')
    expect(get!.throws[0]).toMatchObject({ id: 1, name: 'failed' })
  })

  test.each([
    ['struct A { 1: Nothing x }', "line 1: unknown type 'Nothing'"],
    ['struct A {\n 1: i32 x\n 1: i32 y }', 'line 3: a second field 1'],
    ['struct A { i32 x }', "line 1: a number expected, found 'i32'"],
    ['\n\nstruct A { 1: i32', "line 3: a name expected, found 'the end'"],
    ['struct A { 1: i32 x = "a" }', "line 1: 'a' is no default of i32"],
    ['enum E { A }\nstruct S { 1: E e = E.B }', "line 2: 'E.B' is no member of E"],
    ['include "x"', "line 1: unexpected 'include'"],
    ['struct A { 1: i32 x } @', 'line 1: unexpected "@"'],
  ])('refuses %s', (source, message) => {
    expect(() => parseSchema(source)).toThrow(message)
  })
})

describe("HBase's services", () => {
  test('have the methods, structs and enums of HBase 2.6.1, and grant and revoke of later ones', () => {
    const thrift1 = loadSchema('thrift1')
    const thrift2 = loadSchema('thrift2')
    expect([thrift1.services.get('Hbase')!.methods.size, thrift1.structs.size, thrift1.enums.size]).toEqual([
      47, 13, 1,
    ])
    expect([
      thrift2.services.get('THBaseService')!.methods.size,
      thrift2.structs.size,
      thrift2.enums.size,
    ]).toEqual([52, 27, 13])
  })

  test('spell what HBase misspells', () => {
    expect(loadSchema('thrift1').structs.get('TIncrement')!.fields[3]!.name).toBe('ammount')
    expect(loadSchema('thrift2').structs.get('TColumnFamilyDescriptor')!.fields[4]!.name).toBe(
      'bloomnFilterType',
    )
  })
})
