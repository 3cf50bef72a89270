/**
 * ExecService: MultiRowMutationService on a table that has loaded it. AggregateService, whose classes an HBase server has only where
 * someone puts them, is compared by `npm run test:java-client -- --client endpoint`.
 */

import { create, type DescMessage, toBinary } from '@bufbuild/protobuf'
import { MutateRowsRequestSchema } from '../../../src/wire/rpc/gen/multi-row-mutation_pb.ts'
import { type RpcFields, type RpcRequest, rpc, type Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import { createTable, familySchema } from './master-requests.ts'
import {
  binaryComparator,
  CompareType,
  DeleteKind,
  MutationType,
  multi,
  mutate,
  mutation,
  region,
  regionAction,
  scanAll,
} from './rpc-requests.ts'
import { bytes } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_endpoint'
const ENDPOINTS = 'org.apache.hadoop.hbase.coprocessor'
/** `class|priority`: HBase's CoprocessorDescriptor, as a table keeps it. */
const LOADED = {
  coprocessor$1: `|${ENDPOINTS}.MultiRowMutationEndpoint|536870911|`,
}
const ONE = '\x00\x00\x00\x00\x00\x00\x00\x01'

const setup = [createTable(TABLE, [familySchema('f'), familySchema('g')], ['m'], LOADED)]

function message(schema: DescMessage, fields: RpcFields): Buffer {
  return Buffer.from(toBinary(schema, create(schema, fields as never)))
}

function serviceCall(serviceName: string, methodName: string, request: Buffer): RpcFields {
  return { row: bytes(''), serviceName, methodName, request }
}

function mutateRowsCall(mutations: readonly RpcFields[], more: RpcFields = {}): RpcFields {
  const request = message(MutateRowsRequestSchema, { mutationRequest: mutations, ...more })
  return serviceCall('MultiRowMutationService', 'MutateRows', request)
}

function exec(call: RpcFields): RpcRequest {
  return rpc('ClientService', 'ExecService', { region: region(TABLE), call })
}

const put = (row: string, value = 'v', timestamp = 7n): RpcFields =>
  mutation(row, MutationType.put, [['f:a', value, timestamp]])

const remove = (row: string, timestamp = 7n): RpcFields =>
  mutation(row, MutationType.delete, [['f:a', undefined, timestamp, DeleteKind.column]])

/** The contents of rows that begin with the prefix. */
function rows(prefix: string): RpcRequest {
  return scanAll(TABLE, { startRow: bytes(prefix), stopRow: bytes(`${prefix}~`) })
}

function condition(row: string, value: string, more: RpcFields = {}): RpcFields {
  return {
    row: bytes(row),
    family: bytes('f'),
    qualifier: bytes('a'),
    compareType: CompareType.equal,
    comparator: binaryComparator(value),
    ...more,
  }
}

/** On rows of its own, which begin with the prefix. */
function of(
  prefix: string,
  label: string,
  changes: readonly RpcFields[],
  before: readonly RpcFields[] = [],
): Listed {
  return named(label, [
    ...before.map((change) => mutate(TABLE, change)),
    exec(mutateRowsCall(changes)),
    rows(prefix),
  ])
}

function putsAndDeletes(): Listed[] {
  return [
    of('b1', 'two rows', [put('b1a'), put('b1b')]),
    of('b2', 'rows in no order', [put('b2z'), put('b2a'), put('b2k')]),
    of('b3', 'one row', [put('b3')]),
    of('b4', 'a row twice', [put('b4', 'first'), put('b4', 'second')]),
    of('b5', 'a put and a delete', [put('b5a'), remove('b5b')], [put('b5b')]),
    of('b6', 'a put and a delete of one row', [put('b6'), remove('b6')]),
    of('b7', 'a delete and a put of one row', [remove('b7'), put('b7')]),
    of('b8', 'nothing', []),
  ]
}

function additions(): Listed[] {
  return [
    of(
      'b9',
      'increments',
      ['b9a', 'b9b'].map((row) => mutation(row, MutationType.increment, [['g:n', ONE, 7n]])),
    ),
    of(
      'c1',
      'increments of one row',
      ['c1', 'c1'].map((row) => mutation(row, MutationType.increment, [['g:n', ONE]])),
    ),
    of(
      'c2',
      'appends',
      ['c2a', 'c2b'].map((row) => mutation(row, MutationType.append, [['f:a', '+', 9n]])),
      [put('c2a')],
    ),
    of(
      'c3',
      'an increment of no number',
      [put('c3a'), mutation('c3b', MutationType.increment, [['f:a', ONE]])],
      [put('c3b')],
    ),
  ]
}

function oddities(): Listed[] {
  return [
    of('c4', 'a family that is not there', [
      put('c4a'),
      mutation('c4b', MutationType.put, [['x:a', 'v', 7n]]),
    ]),
    of('c5', 'a row without cells', [put('c5a'), { row: bytes('c5b'), mutateType: MutationType.put }]),
    of(
      'c6',
      'a row without cells to delete',
      [put('c6a'), { row: bytes('c6b'), mutateType: MutationType.delete }],
      [put('c6b')],
    ),
    of('c7', 'a first row of another region', [put('z1'), put('c7')]),
    of('c8', 'a second row of another region', [put('c8'), put('z1')]),
    of('c9', 'an empty row', [put('c9'), put('')]),
    of('d1', 'durability', [
      { ...put('d1a'), durability: 1 },
      { ...put('d1b'), durability: 4 },
    ]),
    of('d2', 'the present time', [
      mutation('d2a', MutationType.put, [['f:a', 'v']]),
      mutation('d2b', MutationType.put, [['f:a', 'v']]),
    ]),
    of('d3', 'a value of the largest time', [put('d3a', 'v', 9223372036854775806n), put('d3b', 'v', 0n)]),
    named('an increment repeated with its nonce', [
      ...[1, 2].map(() =>
        exec(
          mutateRowsCall([mutation('d4', MutationType.increment, [['g:n', ONE]])], {
            nonceGroup: 3n,
            nonce: 77n,
          }),
        ),
      ),
      rows('d4'),
    ]),
    named('within multi', [
      multi([
        regionAction(TABLE, [
          {
            serviceCall: {
              ...mutateRowsCall([put('d5a'), put('d5b')]),
              serviceName: 'hbase.pb.MultiRowMutationService',
            },
          },
          { serviceCall: mutateRowsCall([put('d5c')]) },
        ]),
      ]),
      rows('d5'),
    ]),
  ]
}

interface Checked {
  readonly word: string
  /** Of the row that holds `old`. */
  readonly conditions: (row: string) => readonly RpcFields[]
}

const CHECKED: readonly Checked[] = [
  { word: 'that holds', conditions: (row) => [condition(row, 'old')] },
  { word: 'that does not hold', conditions: (row) => [condition(row, 'other')] },
  {
    word: 'of which one does not hold',
    conditions: (row) => [
      condition(row, 'old'),
      condition(row, 'old', { compareType: CompareType.notEqual }),
    ],
  },
  {
    word: 'of which all hold',
    conditions: (row) => [condition(row, 'old'), condition(`${row}none`, '')],
  },
  { word: 'less', conditions: (row) => [condition(row, 'oz', { compareType: CompareType.less })] },
  { word: 'greater', conditions: (row) => [condition(row, 'oz', { compareType: CompareType.greater })] },
  { word: 'of no operator', conditions: (row) => [condition(row, 'old', { compareType: CompareType.noOp })] },
  { word: 'of an empty value', conditions: (row) => [condition(row, '')] },
  { word: 'within times', conditions: (row) => [condition(row, 'old', { timeRange: { from: 5n, to: 6n } })] },
  { word: 'beyond times', conditions: (row) => [condition(row, 'old', { timeRange: { from: 6n, to: 9n } })] },
  { word: 'of another region', conditions: () => [condition('z1', 'old')] },
  { word: 'of an empty row', conditions: () => [condition('', 'old')] },
  {
    word: 'by a filter that passes',
    conditions: (row) => [{ row: bytes(row), filter: filter('FirstKeyOnlyFilter') }],
  },
  {
    word: 'by a filter that passes nothing',
    conditions: (row) => [{ row: bytes(row), filter: filter('PrefixFilter', '\x0a\x01~') }],
  },
]

function filter(name: string, serialized = ''): RpcFields {
  return { name: `org.apache.hadoop.hbase.filter.${name}`, serializedFilter: bytes(serialized) }
}

function checks(): Listed[] {
  return CHECKED.map(({ word, conditions }, i) => {
    const prefix = `e${String(i).padStart(2, '0')}`
    return named(`condition ${word}`, [
      mutate(TABLE, put(prefix, 'old', 5n)),
      exec(mutateRowsCall([put(`${prefix}b`), put(`${prefix}c`)], { condition: conditions(prefix) })),
      rows(prefix),
    ])
  })
}

function asked(service: string, method: string, request = ''): RpcRequest {
  return exec(serviceCall(service, method, bytes(request)))
}

function unknown(): Listed[] {
  return [
    named('no method', asked('MultiRowMutationService', 'GetNothing')),
    named('no service', asked('NoService', 'GetMax')),
    named('no request', asked('MultiRowMutationService', 'MutateRows')),
    named('a broken request', asked('MultiRowMutationService', 'MutateRows', '\x0a\x05')),
  ]
}

export const rpcEndpoint: Scenario = {
  name: 'rpc-endpoint',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-endpoint-mutate-rows', [...putsAndDeletes(), ...additions(), ...oddities(), ...checks()]),
    ...listed('rpc-endpoint', unknown()),
  ],
}
