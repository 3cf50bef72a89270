/** Tidegate's service of the changes of rows, which clients call as a coprocessor of the master. */

import { isFieldSet } from '@bufbuild/protobuf'
import { parseTableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Changes } from '../../../store/changes.ts'
import { CHANGES_SERVICE } from '../../../wire/rpc/changes-service.ts'
import {
  FirstPositionRequestSchema,
  FirstPositionResponseSchema,
  HoldLogRequestSchema,
  HoldLogResponseSchema,
  LastChangeRequestSchema,
  LastChangeResponseSchema,
  LogHoldsRequestSchema,
  LogHoldsResponseSchema,
  ReadChangesRequestSchema,
  ReadChangesResponseSchema,
  ReleaseLogRequestSchema,
  ReleaseLogResponseSchema,
  TableMarksRequestSchema,
  TableMarksResponseSchema,
} from '../../../wire/rpc/gen/changes_pb.ts'
import type { CoprocessorServiceCall } from '../../../wire/rpc/gen/client_pb.ts'
import { readClientMessage } from '../messages/read-message.ts'
import { serviceAnswer as answer, type ServiceAnswer, unknownMethod } from './service-answer.ts'

/** A call waits for changes no longer: a server that stops finishes its calls first, and permissions are checked with each. */
const WAIT_MS_MAX = 1000
/** Bytes of cells of an answer, but for a single change that is larger. */
const BYTES_MAX = 16 * 1024 * 1024

/** Throws DO_NOT_RETRY for an unknown method. */
export async function runChanges(
  changes: Changes,
  { methodName, request }: CoprocessorServiceCall,
  call: Call,
): Promise<ServiceAnswer> {
  switch (methodName) {
    case 'Last':
      readClientMessage(LastChangeRequestSchema, request)
      return answer(LastChangeResponseSchema, { position: BigInt(await changes.lastChange(call)) })
    case 'First':
      readClientMessage(FirstPositionRequestSchema, request)
      return answer(FirstPositionResponseSchema, { position: BigInt(await changes.firstPosition(call)) })
    case 'Read':
      return await readChanges(changes, request, call)
    case 'Marks':
      readClientMessage(TableMarksRequestSchema, request)
      return await tableMarks(changes, call)
    case 'Holds': {
      readClientMessage(LogHoldsRequestSchema, request)
      const holds = await changes.logHolds(call)
      return answer(LogHoldsResponseSchema, {
        holds: holds.map(({ name, position, keepBytesMax, left, loss, unlogged }) => ({
          name,
          position: BigInt(position),
          keepBytesMax: BigInt(keepBytesMax),
          left: BigInt(left),
          ...(loss !== undefined && { loss }),
          unlogged: [...unlogged],
        })),
      })
    }
    case 'Hold': {
      const message = readClientMessage(HoldLogRequestSchema, request)
      const { name, position, keepBytesMax } = message
      const isNew = !isFieldSet(message, HoldLogRequestSchema.field.position)
      const held = await changes.holdLog(
        name,
        isNew ? undefined : Number(position),
        Number(keepBytesMax),
        call,
      )
      return answer(HoldLogResponseSchema, { position: BigInt(held) })
    }
    case 'Release':
      await changes.releaseLog(readClientMessage(ReleaseLogRequestSchema, request).name, call)
      return answer(ReleaseLogResponseSchema, {})
    default:
      throw unknownMethod(CHANGES_SERVICE, methodName)
  }
}

async function tableMarks(changes: Changes, call: Call): Promise<ServiceAnswer> {
  const { version, tables } = await changes.tableMarks(call)
  return answer(TableMarksResponseSchema, {
    version,
    tables: tables.map(({ mark, since, families, ...table }) => ({
      ...table,
      mark: BigInt(mark),
      since: BigInt(since),
      families: families.map((family) => ({
        name: family.name as Uint8Array<ArrayBuffer>,
        since: BigInt(family.since),
      })),
    })),
  })
}

async function readChanges(changes: Changes, request: Uint8Array, call: Call): Promise<ServiceAnswer> {
  const { position, table, ofFamilies, families, bytes, waitMs, ofSystem } = readClientMessage(
    ReadChangesRequestSchema,
    request,
  )
  const wanted = {
    ...(table !== '' && { table: parseTableName(table) }),
    ...(ofSystem && table === '' && { ofSystem }),
    ...(ofFamilies && { families: families.map((family) => Buffer.from(family)) }),
    bytes: Math.min(bytes, BYTES_MAX),
    waitMs: Math.min(waitMs, WAIT_MS_MAX),
  }
  // A position that is no safe integer is beyond the end of any log.
  const part = await changes.readChanges(Number(position), wanted, call)
  return answer(ReadChangesResponseSchema, {
    changes: part.changes.map(({ sequenceId, cells, clusterIds, ...change }) => ({
      ...change,
      clusterIds: [...clusterIds],
      sequenceId: BigInt(sequenceId),
      cells: cells.buffer.subarray(cells.start, cells.end) as Uint8Array<ArrayBuffer>,
    })),
    position: BigInt(part.position),
    left: BigInt(part.left),
    ...(part.catalogVersion !== undefined && { catalogVersion: part.catalogVersion }),
    ...(part.waitingSince !== undefined && { waitingSince: BigInt(Math.floor(part.waitingSince)) }),
  })
}
