/** Changes of several rows of a region as one, under conditions. HBase: MultiRowMutationEndpoint. */

import { create, toBinary } from '@bufbuild/protobuf'
import type { AdvertisedStore } from '../../../gateway/advertised.ts'
import type { Limits } from '../../../gateway/limits.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import { DEFAULT_MUTATION_OPTIONS, type RowPart, type RowsMutation } from '../../../model/mutation.ts'
import { checkRow } from '../../../model/query.ts'
import { Field } from '../../../wire/rpc/field.ts'
import {
  MultiRowMutationService,
  MutateRowsResponseSchema,
} from '../../../wire/rpc/gen/multi-row-mutation_pb.ts'
import { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { operationOf } from '../client/row-mutations.ts'
import { CellSource } from '../messages/cell-source.ts'
import { readCondition } from '../messages/read-condition.ts'
import { readInTurns } from '../messages/read-in-turns.ts'
import { readMutation } from '../messages/read-mutation.ts'
import type { ServedRegions } from '../served-regions.ts'
import type { Endpoint } from './endpoint.ts'

type MutationLimits = Pick<Limits, 'batchMax'>

export function multiRowMutationEndpoint(
  { rows }: Pick<AdvertisedStore, 'rows'>,
  limits: MutationLimits,
  regions: Pick<ServedRegions, 'checkIsWritable'>,
): Endpoint {
  return {
    answerClassOf: () =>
      'org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse',
    methods: new Map([
      [
        MultiRowMutationService.method.mutateRows.name,
        async ({ region, message, call }) => {
          await regions.checkIsWritable(region, call)
          const mutation = await readMutateRows(message, limits)
          const processed = await rows.mutateRows(region, mutation, call)
          return toBinary(MutateRowsResponseSchema, create(MutateRowsResponseSchema, { processed }))
        },
      ],
    ]),
  }
}

/** Throws MalformedMessage, and DO_NOT_RETRY and ILLEGAL_ARGUMENT for what HBase refuses. */
function readMutateRows(message: Uint8Array, limits: MutationLimits): RowsMutation | Promise<RowsMutation> {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length)
  const reader = new MessageReader(bytes, 0, bytes.length)
  return readInTurns(reader, () => rowsMutation(reader, limits))
}

function rowsMutation(reader: MessageReader, { batchMax }: MutationLimits): RowsMutation {
  const field = Field.MutateRowsRequest
  const cells = new CellSource(CellBlock.EMPTY)
  const parts: RowPart[] = []
  let group = 0n
  let nonce = 0n
  while (reader.next()) {
    if (reader.field === field.mutationRequest) {
      const mutation = readMutation(reader.message(), cells)
      const { row, options } = mutation
      parts.push({ row, operations: [operationOf(mutation)], options })
    } else if (reader.field === field.condition) {
      const { row, condition } = readCondition(reader.message())
      checkRow(row)
      parts.push({ row, operations: [], condition, options: DEFAULT_MUTATION_OPTIONS })
    } else if (reader.field === field.nonceGroup) group = reader.uint64()
    else if (reader.field === field.nonce) nonce = reader.uint64()
    else reader.skip()
    if (parts.length > batchMax) {
      throw new HBaseError('DO_NOT_RETRY', `more than ${batchMax} mutations and conditions in one change`)
    }
  }
  return nonce === 0n ? { parts } : { parts, nonce: { group, nonce } }
}
