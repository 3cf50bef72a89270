/** MultiRowMutationService: one atomic change of several rows of a region, under conditions. HBase: MultiRowMutationEndpoint. */

import { create, toBinary } from '@bufbuild/protobuf'
import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import { DEFAULT_MUTATION_OPTIONS, type RowPart, type RowsMutation } from '../../../model/mutation.ts'
import { checkRow } from '../../../model/query.ts'
import { atOnce, type Steps } from '../../../model/steps.ts'
import { Field } from '../../../wire/rpc/field.ts'
import {
  MultiRowMutationService,
  MutateRowsResponseSchema,
} from '../../../wire/rpc/gen/multi-row-mutation_pb.ts'
import { LONG_BYTES, Unread } from '../../../wire/rpc/long-values.ts'
import { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { CellSource } from '../messages/cell-source.ts'
import { readCondition } from '../messages/read-condition.ts'
import { operationOf, readMutation } from '../messages/read-mutation.ts'
import type { ServedRegions } from '../regions/served-regions.ts'
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

/** Reads a request. Throws MalformedMessage, and DO_NOT_RETRY and ILLEGAL_ARGUMENT where HBase refuses it. */
function readMutateRows(message: Uint8Array, limits: MutationLimits): RowsMutation | Promise<RowsMutation> {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length)
  const steps = rowsMutation(new MessageReader(bytes, 0, bytes.length), limits)
  return bytes.length <= LONG_BYTES ? atOnce(steps) : manyATurn(steps)
}

/** Mutations and conditions that one step reads. */
const STEP_PARTS = 64

function* rowsMutation(reader: MessageReader, { batchMax }: MutationLimits): Steps<RowsMutation> {
  const change = new RowsChange()
  reader.keepLongValues()
  for (let { at } = reader; reader.next(); at = reader.at) {
    try {
      change.readField(reader)
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      // A long filter, which is decoded first. Then its field is read again.
      yield* error.steps
      reader.at = at
      continue
    }
    const { length } = change.parts
    if (length > batchMax) {
      throw new HBaseError('DO_NOT_RETRY', `more than ${batchMax} mutations and conditions in one change`)
    }
    if (length % STEP_PARTS === 0) yield
  }
  return change.mutation()
}

/** The fields of a MutateRowsRequest that have been read. */
class RowsChange {
  readonly parts: RowPart[] = []
  readonly #cells = new CellSource(CellBlock.EMPTY)
  #group = 0n
  #nonce = 0n

  /** Reads the current field. Throws Unread where it has a long value that is not decoded yet; the field then counts as unread. */
  readField(reader: MessageReader): void {
    const field = Field.MutateRowsRequest
    if (reader.field === field.mutationRequest) {
      const mutation = readMutation(reader.message(), this.#cells)
      const { row, options } = mutation
      this.parts.push({ row, operations: [operationOf(mutation)], options })
    } else if (reader.field === field.condition) {
      const { row, condition } = readCondition(reader.message())
      checkRow(row)
      this.parts.push({ row, operations: [], condition, options: DEFAULT_MUTATION_OPTIONS })
    } else if (reader.field === field.nonceGroup) this.#group = reader.uint64()
    else if (reader.field === field.nonce) this.#nonce = reader.uint64()
    else reader.skip()
  }

  mutation(): RowsMutation {
    const { parts } = this
    if (this.#nonce === 0n) return { parts }
    return { parts, nonce: { group: this.#group, nonce: this.#nonce } }
  }
}
