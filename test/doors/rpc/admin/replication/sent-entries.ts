/** Entries of a log as another cluster sends them. */

import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { CellParts } from '../../../../../src/model/cell.ts'
import { blockOf } from '../../../../../src/model/cell-block.ts'
import { KEY_VALUE_CODEC_WITH_TAGS } from '../../../../../src/wire/rpc/connection-preamble.ts'
import { AdminService, ReplicateWALEntryRequestSchema } from '../../../../../src/wire/rpc/gen/admin_pb.ts'
import { MessageReader } from '../../../../../src/wire/rpc/message-reader.ts'
import { type OneCallOptions, oneCall } from '../../one-call.ts'

export interface SentEntry {
  readonly table: string
  readonly cells: readonly CellParts[]
  /** Numbers that stand for the clusters that have the change. */
  readonly clusters?: readonly bigint[]
  /** More of its message. */
  readonly more?: object
}

/** Where the files of bulk loads lie. */
export interface SentFolders {
  readonly sourceBaseNamespaceDirPath?: string
  readonly sourceHFileArchiveDirPath?: string
}

export const WRITTEN_MS = 1_700_000_000_000n

function requestOf(entries: readonly SentEntry[]): MessageInitShape<typeof ReplicateWALEntryRequestSchema> {
  return {
    entry: entries.map(({ table, cells, clusters = [], more = {} }) => ({
      key: {
        encodedRegionName: Buffer.alloc(32, 'a'),
        tableName: Buffer.from(table),
        logSequenceNumber: 7n,
        writeTime: WRITTEN_MS,
        scopes: [{ family: Buffer.from('f'), scopeType: 1 }],
        clusterIds: clusters.map((id) => ({ mostSigBits: id, leastSigBits: 2n ** 64n - 1n - id })),
      },
      associatedCellCount: cells.length,
      ...more,
    })),
  }
}

/** The request as its message. */
export function messageOf(entries: readonly SentEntry[]): MessageReader {
  return new MessageReader(
    Buffer.from(
      toBinary(ReplicateWALEntryRequestSchema, create(ReplicateWALEntryRequestSchema, requestOf(entries))),
    ),
  )
}

function blockOfEntries(entries: readonly SentEntry[]): Buffer {
  const { buffer, start, end } = blockOf(entries.flatMap(({ cells }) => cells))
  return buffer.subarray(start, end)
}

/** Sends the entries as a region server of HBase does. Throws the exception of the answer. */
export async function replicate(
  port: number,
  entries: readonly SentEntry[],
  options: OneCallOptions & { readonly folders?: SentFolders } = {},
): Promise<void> {
  const { folders = {}, ...ofCall } = options
  await oneCall(
    port,
    AdminService.method.replicateWALEntry,
    { ...requestOf(entries), ...folders },
    {
      codec: KEY_VALUE_CODEC_WITH_TAGS,
      cells: blockOfEntries(entries),
      ...ofCall,
    },
  )
}

export function cell(row: string, column: string, value: string, more: Partial<CellParts> = {}): CellParts {
  const [family, qualifier] = column.split(':').map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return {
    row: Buffer.from(row),
    family,
    qualifier,
    timestamp: 5n,
    type: 4,
    value: Buffer.from(value),
    ...more,
  }
}
