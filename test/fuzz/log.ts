/** The write-ahead log as a start reads it. */

import { crc32c } from '@node-rs/crc32'
import { readLog } from '../../adapters/native/wal/log-reader.ts'
import {
  encodeLogHeader,
  LOG_HEADER_BYTES,
  RECORD_CELLS_OFFSET,
  RECORD_HEADER_BYTES,
  sealRecord,
} from '../../adapters/native/wal/wal-format.ts'
import { blockOf, cellsOf } from '../../src/model/cell-block.ts'
import { LOOP_TURNS } from '../../src/model/loop-turns.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { CrashableFileSystem } from '../harness/simulation/crashable-file-system.ts'

const PATH = '/s/log'
const EXPECTED = { number: 7, bytes: undefined, mayBeTorn: true, mayLackHeader: false, lastSequenceId: 0 }

function record(sequenceId: number, rows: readonly string[]): Buffer {
  const [row, family, value] = ['r', 'f', 'v'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
  const parts = { row, family, qualifier: value, timestamp: 5n, type: 4, value }
  const { buffer, start, end } = blockOf(rows.map((text) => ({ ...parts, row: Buffer.from(text) })))
  const bytes = Buffer.alloc(RECORD_CELLS_OFFSET + end - start)
  buffer.copy(bytes, RECORD_CELLS_OFFSET, start, end)
  sealRecord(bytes, 0, bytes.length, sequenceId, 3)
  return bytes
}

/** Makes the checksums of the records right, as far as their lengths lead from one to the next. */
function seal(input: Buffer): Buffer {
  for (let at = LOG_HEADER_BYTES; at + RECORD_CELLS_OFFSET <= input.length; ) {
    const end = at + RECORD_HEADER_BYTES + input.readUInt32BE(at)
    if (end > input.length) break
    input.writeUInt32BE(crc32c(input.subarray(at + RECORD_HEADER_BYTES, end)), at + 4)
    at = end
  }
  return input
}

export const log: FuzzTarget = {
  name: 'log',
  seeds: () => {
    const records = [
      record(1, ['a']),
      record(2, ['b', 'c']),
      record(9, []),
      record(2 ** 40, ['d'.repeat(300)]),
    ]
    return [0, 1, 3, 4].map((count) => Buffer.concat([encodeLogHeader(7), ...records.slice(0, count)]))
  },
  seal,
  run: async (input) => {
    const files = new CrashableFileSystem()
    const file = files.open(PATH, 'append')
    file.append([input])
    const read: unknown[] = []
    const end = await readLog(files, PATH, EXPECTED, {
      turns: LOOP_TURNS,
      onRecord: ({ cells }) => {
        read.push(cellsOf(cells))
      },
    })
    return [end, read]
  },
}
