/** Long messages are read in pieces as whole ones are, damaged or not. */

import { create, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMessage, readMessageInSteps } from '../../../src/filter/protobuf/messages.ts'
import { FilterParts } from '../../../src/filter/schema/filter-parts.ts'
import { atOnce } from '../../../src/model/steps.ts'
import * as pb from '../../../src/wire/rpc/gen/filter_pb.ts'
import { testRuns } from '../../harness/test-runs.ts'

function outcome(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return String(error)
  }
}

/** More than a piece. */
const LIST = Buffer.from(
  toBinary(
    pb.FilterListSchema,
    create(pb.FilterListSchema, {
      operator: pb.FilterList_Operator.MUST_PASS_ONE,
      filters: Array.from({ length: 2500 }, (_, i) => ({
        name: `filter ${i}`,
        serializedFilter: Buffer.alloc(i % 9, i),
      })),
    }),
  ),
)
const RANGES = Buffer.from(
  toBinary(
    pb.MultiRowRangeFilterSchema,
    create(pb.MultiRowRangeFilterSchema, {
      rowRangeList: Array.from({ length: 2500 }, (_, i) => ({
        startRow: Buffer.from(`row ${i}`),
        stopRowInclusive: true,
      })),
    }),
  ),
)
const TIMES = Buffer.from(
  toBinary(
    pb.TimestampsFilterSchema,
    create(pb.TimestampsFilterSchema, {
      canHint: true,
      timestamps: Array.from({ length: 20_000 }, (_, i) => BigInt(i) ** 3n - 7n),
    }),
  ),
)
/** A group of an unknown number, with another group and a text in it. */
const GROUP = Buffer.from([0x7b, 0x83, 0x01, 0x84, 0x01, 0x12, 0x02, 0x61, 0x62, 0x7c])

const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.oneof(fc.constant(GROUP), fc.uint8Array({ maxLength: 12 })),
  isInserted: fc.boolean(),
})

test.each([
  ['a list of messages', pb.FilterListSchema, LIST],
  ['ranges', pb.MultiRowRangeFilterSchema, RANGES],
  ['packed numbers', pb.TimestampsFilterSchema, TIMES],
] as const)('%s', (_, schema, bytes) => {
  fc.assert(
    fc.property(fc.array(damage, { maxLength: 3 }), (damages) => {
      let damaged: Buffer = bytes
      for (const { at, bytes: by, isInserted } of damages) {
        const place = Math.floor(at * damaged.length)
        const rest = damaged.subarray(isInserted ? place : place + by.length)
        damaged = Buffer.concat([damaged.subarray(0, place), by, rest])
      }
      const whole = outcome(() => readMessage<typeof schema>(schema, damaged))
      expect(
        outcome(() => atOnce(readMessageInSteps<typeof schema>(schema, damaged, new FilterParts()))),
      ).toEqual(whole)
    }),
    { numRuns: testRuns(60) },
  )
})
