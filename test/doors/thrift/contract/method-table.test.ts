import { describe, expect, test } from 'vitest'
import { chooseMethod } from '../../../../src/doors/thrift/contract/method-arguments.ts'
import { type Method, methodTable } from '../../../../src/doors/thrift/contract/method-table.ts'
import { DoorCounters } from '../../../../src/gateway/observing/metrics.ts'
import { loadSchema } from '../../../../src/wire/thrift/idl-files.ts'
import type { ServiceSchema } from '../../../../src/wire/thrift/schema.ts'
import { ValueCodecs } from '../../../../src/wire/thrift/value-codec.ts'
import { PROTOCOLS, readerOf } from '../../../wire/thrift/protocols.ts'

const thrift1 = loadSchema('thrift1').services.get('Hbase')!
const thrift2 = loadSchema('thrift2').services.get('THBaseService')!
const table = methodTable(
  [thrift1, thrift2].map((schema) => ({
    schema,
    service: { name: schema.name, handlers: handlersOf(schema) },
  })),
  new DoorCounters(),
)
const b = (text: string): Buffer => Buffer.from(text)

function handlersOf(schema: ServiceSchema): Record<string, () => undefined> {
  return Object.fromEntries([...schema.methods.keys()].map((name) => [name, () => undefined]))
}

const put = { row: b('r'), columnValues: [{ family: b('f'), qualifier: b('q'), value: b('v') }] }
const table2 = { tableName: { qualifier: b('t') } }

/** All names that both services have, with arguments of each. */
const SHARED: readonly (readonly [
  name: string,
  old: Record<string, unknown>,
  young: Record<string, unknown>,
])[] = [
  [
    'get',
    { tableName: b('t'), row: b('r'), column: b('f:q'), attributes: [] },
    { table: b('t'), tget: { row: b('r') } },
  ],
  [
    'checkAndPut',
    {
      tableName: b('t'),
      row: b('r'),
      column: b('f:q'),
      value: b('v'),
      mput: { column: b('f:q'), value: b('v') },
    },
    { table: b('t'), row: b('r'), family: b('f'), qualifier: b('q'), value: b('v'), tput: put },
  ],
  [
    'mutateRow',
    { tableName: b('t'), row: b('r'), mutations: [] },
    { table: b('t'), trowMutations: { row: b('r'), mutations: [{ put }] } },
  ],
  [
    'increment',
    { increment: { table: b('t'), row: b('r'), column: b('f:q'), ammount: 1n } },
    { table: b('t'), tincrement: { row: b('r'), columns: [] } },
  ],
  [
    'append',
    { append: { table: b('t'), row: b('r'), columns: [], values: [] } },
    { table: b('t'), tappend: { row: b('r'), columns: [] } },
  ],
  [
    'createTable',
    { tableName: b('t'), columnFamilies: [{ name: b('f:') }] },
    { desc: { tableName: { qualifier: b('t') } } },
  ],
  ['deleteTable', { tableName: b('t') }, table2],
  ['enableTable', { tableName: b('t') }, table2],
  ['disableTable', { tableName: b('t') }, table2],
  ['isTableEnabled', { tableName: b('t') }, table2],
]

function chosen(
  name: string,
  schema: ServiceSchema,
  args: Record<string, unknown>,
  lastService?: string,
): string[] {
  return PROTOCOLS.map((protocol) => {
    const bytes = protocol.write((writer) =>
      new ValueCodecs().struct(schema.methods.get(name)!.args).write(writer, args),
    )
    const reader = readerOf(protocol, bytes)
    const method: Method = chooseMethod(table.get(name)!, reader, lastService)
    // The arguments can still be read.
    expect(reader.position).toBe(0)
    method.codec.readArguments(reader)
    expect(reader.position).toBe(bytes.length)
    return method.service
  })
}

describe('a name that both services have', () => {
  test('all of them are tried here, but for those without arguments', () => {
    const shared = [...table].filter(([, methods]) => methods.length > 1).map(([name]) => name)
    const names = [...SHARED.map(([name]) => name), 'getThriftServerType', 'getClusterId']
    expect(shared.toSorted()).toEqual(names.toSorted())
  })

  test.each(SHARED)('%s is found by its arguments, after a call of any service', (name, old, young) => {
    for (const before of [undefined, 'Hbase', 'THBaseService']) {
      expect(chosen(name, thrift1, old, before)).toEqual(['Hbase', 'Hbase'])
      expect(chosen(name, thrift2, young, before)).toEqual(['THBaseService', 'THBaseService'])
    }
  })

  test.each(['getThriftServerType', 'getClusterId'])('%s goes where the last call went', (name) => {
    expect(chosen(name, thrift1, {}, 'Hbase')).toEqual(['Hbase', 'Hbase'])
    expect(chosen(name, thrift1, {}, 'THBaseService')).toEqual(['THBaseService', 'THBaseService'])
    expect(chosen(name, thrift1, {})).toEqual(['Hbase', 'Hbase'])
  })
})

test('a service must have all of its methods', () => {
  const service = { name: 'Hbase', handlers: { ...handlersOf(thrift1), getRow: undefined as never } }
  const table = (): unknown => methodTable([{ schema: thrift1, service }], new DoorCounters())
  expect(table).toThrow('Hbase has no handler of getRow')
})
