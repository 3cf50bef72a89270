import { fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { MUTATE } from '../../../../adapters/hbase/messages/mutate-method.ts'
import { type Mutation, MutationType } from '../../../../adapters/hbase/messages/write-mutation.ts'
import { filterFromMessage } from '../../../../src/filter/protobuf/decode-filter.ts'
import type { Comparator, Filter } from '../../../../src/model/filter.ts'
import { type Condition, valueCondition } from '../../../../src/model/mutation.ts'
import { TimeRange } from '../../../../src/model/time-range.ts'
import * as pb from '../../../../src/wire/rpc/gen/client_pb.ts'
import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'

const REGION = Buffer.from('t,,1.0123456789abcdef0123456789abcdef.')
const ROW = Buffer.from('r')
const PUT: Mutation = {
  type: MutationType.Put,
  row: ROW,
  cellCount: 1,
  durability: 'USE_DEFAULT',
  nonce: 0n,
}

/** A mutation as a server reads it. */
function sent(mutation: Mutation, condition?: Condition): MessageShape<typeof pb.MutateRequestSchema> {
  const writer = new MessageWriter()
  MUTATE.encode({ regionName: REGION, mutation, condition, nonceGroup: 4n }, writer)
  return fromBinary(pb.MutateRequestSchema, writer.take())
}

function attributesOf(mutation: Mutation): [string, string][] {
  return sent(mutation).mutation!.attribute.map(({ name, value }) => [
    name,
    Buffer.from(value).toString('hex'),
  ])
}

describe('attributes', () => {
  test('go along as the client gave them', () => {
    const attributes = new Map([
      ['_v', Buffer.from('secret')],
      ['empty', Buffer.alloc(0)],
    ])
    expect(attributesOf({ ...PUT, attributes })).toEqual([
      ['_v', Buffer.from('secret').toString('hex')],
      ['empty', ''],
    ])
    expect(attributesOf(PUT)).toEqual([])
  })

  test('that a mutation says by itself come once', () => {
    const attributes = new Map([
      ['_ttl', Buffer.from([9])],
      ['_rr_', Buffer.from([0xff])],
    ])
    expect(attributesOf({ ...PUT, attributes, ttlMs: 258, returnResults: false })).toEqual([
      ['_ttl', '0000000000000102'],
      ['_rr_', '00'],
    ])
    expect(attributesOf({ ...PUT, attributes })).toEqual([
      ['_ttl', '09'],
      ['_rr_', 'ff'],
    ])
    expect(attributesOf({ ...PUT, returnResults: true })).toEqual([])
  })
})

describe('a condition', () => {
  const comparators: Comparator[] = [
    { kind: 'BinaryComparator', value: Buffer.from('v') },
    { kind: 'BinaryPrefixComparator', value: Buffer.from('v') },
    { kind: 'NullComparator' },
    { kind: 'SubstringComparator', substring: 'v' },
    { kind: 'RegexStringComparator', pattern: 'v+', flags: 32, charset: 'UTF-8', engine: 'JAVA' },
    { kind: 'BitComparator', value: Buffer.from([1]), operator: 'XOR' },
    { kind: 'LongComparator', value: Buffer.alloc(8, 1) },
  ]

  test.each(comparators)('compares by a $kind as a filter of the column does', (comparator) => {
    const column = { family: Buffer.from('f'), qualifier: Buffer.from('q'), operator: 'LESS' } as const
    const { condition } = sent(PUT, { kind: 'column', ...column, comparator })
    expect([condition!.compareType, condition!.filter]).toEqual([0, undefined])
    expect(condition!.comparator!.name).toBe(`org.apache.hadoop.hbase.filter.${comparator.kind}`)
    const filter: Filter = {
      kind: 'SingleColumnValueFilter',
      ...column,
      comparator,
      filterIfMissing: false,
      latestVersionOnly: true,
    }
    const inFilter = sent(PUT, { kind: 'filter', filter }).condition!.filter!
    const { serializedComparator } = condition!.comparator!
    expect(Buffer.from(inFilter.serializedFilter).includes(Buffer.from(serializedComparator))).toBe(true)
  })

  test('by a filter has neither column nor comparator', () => {
    const filter: Filter = { kind: 'PrefixFilter', prefix: Buffer.from('r') }
    const { condition } = sent(PUT, { kind: 'filter', filter, timeRange: TimeRange.between(1n, 2n) })
    expect(Buffer.from(condition!.row).toString()).toBe('r')
    expect(condition!.comparator).toBeUndefined()
    expect(condition!.timeRange).toMatchObject({ from: 1n, to: 2n })
    expect(filterFromMessage(condition!.filter!)).toEqual(filter)
  })

  test('that there is no value compares with an empty one', () => {
    const { condition } = sent(PUT, valueCondition(Buffer.from('f'), Buffer.from('q'), 'EQUAL', undefined))
    expect(condition!.comparator!.name).toBe('org.apache.hadoop.hbase.filter.BinaryComparator')
  })
})
