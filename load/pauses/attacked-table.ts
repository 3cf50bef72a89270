/** A table with rows of each hostile shape: large cells, wide rows, many rows, a column of many versions. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import type { TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'

export const FAMILY: Buffer = Buffer.from('f')
export const QUALIFIER: Buffer = Buffer.from('q')
/** Its rows keep many versions. */
export const VERSIONS_FAMILY: Buffer = Buffer.from('v')

type AttackedRow =
  | 'large'
  | 'letters'
  | 'accents'
  | 'wide'
  | 'wider'
  | 'counters'
  | 'versions'
  | 'deleted'
  | 'small'

/** Rows of the table. */
export const ROWS: Readonly<Record<AttackedRow, Buffer>> = {
  /** A value of 9 MB. */
  large: Buffer.from('large'),
  /** 1 MB of letters in which no part comes back, so that an automaton has many states. */
  letters: Buffer.from('letters'),
  /** 4 MB of letters with accents of their own. */
  accents: Buffer.from('accents'),
  wide: Buffer.from('wide'),
  wider: Buffer.from('wider'),
  /** Columns of 8 bytes. */
  counters: Buffer.from('counters'),
  /** A column of many versions. */
  versions: Buffer.from('versions'),
  /** Columns that were deleted again. */
  deleted: Buffer.from('deleted'),
  /** Of another client, who asks for it all the while. */
  small: Buffer.from('small'),
}

export interface AttackedSizes {
  readonly largeBytes: number
  readonly lettersBytes: number
  readonly accentsBytes: number
  readonly wideColumns: number
  readonly widerColumns: number
  readonly counters: number
  readonly versions: number
  readonly rows: number
  /** Of a table of many regions. */
  readonly regions: number
  /** Of a region of many store files. */
  readonly files: number
}

/** Sizes of which each request is within HBase's limits. `part`: 1 for all of it, but for the regions. */
export function attackedSizes(part: number, regions: number): AttackedSizes {
  const size = (all: number): number => Math.max(1, Math.round(all * part))
  return {
    largeBytes: size(9_000_000),
    lettersBytes: size(1_000_000),
    accentsBytes: size(4_000_000),
    wideColumns: size(300_000),
    widerColumns: size(1_000_000),
    counters: size(100_000),
    versions: size(300_000),
    rows: size(50_000),
    regions,
    files: size(5000),
  }
}

export function attackedTable(name: TableName): TableDescriptor {
  return tableDescriptor(name, [familyDescriptor('f'), familyDescriptor('v', [['VERSIONS', '1000000']])])
}

const BATCH_BYTES = 2_000_000

export async function fillAttacked(store: Store, table: TableName, sizes: AttackedSizes): Promise<void> {
  let batch = new MutationBatch()
  const send = async (): Promise<void> => {
    const [failure] = await store.rows.mutate(table, batch, OWN_CALL)
    if (failure !== undefined) throw failure.error
    batch = new MutationBatch()
  }
  const put = async (row: Buffer, qualifier: Buffer, value: Buffer): Promise<void> => {
    batch.put(row, FAMILY, qualifier, value).endMutation()
    if (batch.cells.length >= BATCH_BYTES) await send()
  }
  const text = Buffer.from('value')
  await put(ROWS.small, QUALIFIER, text)
  await put(ROWS.large, QUALIFIER, Buffer.alloc(sizes.largeBytes, 'x'))
  await put(ROWS.letters, QUALIFIER, letters(sizes.lettersBytes))
  await put(ROWS.accents, QUALIFIER, Buffer.alloc(sizes.accentsBytes, 'e\u0301o\u0308'))
  for (let i = 0; i < sizes.rows; i++) await put(numbered('row', i), QUALIFIER, text)
  for (let i = 0; i < sizes.wideColumns; i++) await put(ROWS.wide, numbered('q', i), text)
  for (let i = 0; i < sizes.widerColumns; i++) await put(ROWS.wider, numbered('q', i), text)
  for (let i = 0; i < sizes.counters; i++) await put(ROWS.counters, numbered('q', i), Buffer.alloc(8))
  for (let i = 0; i < sizes.wideColumns; i++) await put(ROWS.deleted, numbered('q', i), text)
  for (let i = 0; i < sizes.wideColumns; i++) {
    batch.deleteColumn(ROWS.deleted, FAMILY, numbered('q', i)).endMutation()
    if (batch.cells.length >= BATCH_BYTES) await send()
  }
  for (let i = 1; i <= sizes.versions; i++) {
    batch.put(ROWS.versions, VERSIONS_FAMILY, QUALIFIER, text, BigInt(i)).endMutation()
    if (batch.cells.length >= BATCH_BYTES) await send()
  }
  await send()
}

export function numbered(prefix: string, number: number): Buffer {
  return Buffer.from(prefix + String(number).padStart(7, '0'))
}

function letters(count: number): Buffer {
  const made = Buffer.alloc(count)
  for (let i = 0; i < count; i++) made[i] = 0x61 + ((Math.imul(i * i, 2_654_435_761) >>> 16) % 3)
  return made
}
