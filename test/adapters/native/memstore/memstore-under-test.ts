import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import type { VersionsKept } from '../../../../adapters/native/memstore/surplus-versions.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES } from '../../../../src/model/cell-block.ts'

export interface Cell {
  readonly key: Buffer
  readonly sequenceId: number
  readonly tags: Buffer
}

/** A KeyValue of the family f. */
export function keyValue(
  row: string,
  qualifier: string,
  timestamp: number,
  type: CellType = CellType.Put,
): Buffer {
  const block = blockOf([
    {
      row: Buffer.from(row),
      family: Buffer.from('f'),
      qualifier: Buffer.from(qualifier),
      timestamp: BigInt(timestamp),
      type,
      value: EMPTY,
    },
  ])
  return Buffer.from(block.buffer.subarray(block.start + CELL_PREFIX_BYTES, block.end))
}

/** A cell of a memstore: all of it, and its row and column. */
export interface Held {
  readonly column: string
  readonly text: string
  readonly sequenceId: number
}

/** A memstore with short methods for tests. */
export class MemstoreUnderTest {
  readonly memstore: Memstore

  constructor(kept?: VersionsKept) {
    this.memstore = new Memstore(new ChunkPool(true), kept)
  }

  add({ key, sequenceId, tags }: Cell): void {
    const bytes = Buffer.concat([key, tags])
    this.memstore.add(bytes, 0, key.length, key.length, tags.length, sequenceId)
  }

  /** The timestamps of all cells, in order. */
  times(): number[] {
    const times: number[] = []
    const iterator = this.memstore.iterator(Number.POSITIVE_INFINITY)
    for (iterator.seekToFirst(); iterator.valid; iterator.next()) {
      const { buffer, cell } = iterator
      times.push(Number(buffer.readBigInt64BE(cell + 8 + buffer.readInt32BE(cell) - 9)))
    }
    iterator.close()
    return times
  }

  /** All cells, in order. */
  held(): Held[] {
    const held: Held[] = []
    const iterator = this.memstore.iterator(Number.POSITIVE_INFINITY)
    for (iterator.seekToFirst(); iterator.valid; iterator.next()) {
      const { buffer, cell, cellBytes, tagsBytes, sequenceId } = iterator
      const keyEnd = cell + 8 + buffer.readInt32BE(cell)
      const text = `${sequenceId} ${buffer.toString('hex', cell, cell + cellBytes + tagsBytes)}`
      held.push({ column: buffer.toString('hex', cell + 8, keyEnd - 9), text, sequenceId })
    }
    iterator.close()
    return held
  }
}
