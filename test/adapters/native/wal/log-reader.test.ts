import { expect, test } from 'vitest'
import type { FileSystem, OpenFile } from '../../../../adapters/native/platform/file-system.ts'
import { type LogReading, readLog } from '../../../../adapters/native/wal/log-reader.ts'
import { encodeLogHeader, recordBytes, sealRecord } from '../../../../adapters/native/wal/wal-format.ts'
import { blockOf } from '../../../../src/model/cell-block.ts'
import { LoopTurns } from '../../../../src/model/loop-turns.ts'

const CELL = {
  row: Buffer.from('r'),
  family: Buffer.from('f'),
  qualifier: Buffer.from('q'),
  timestamp: 1n,
  type: 4,
  value: Buffer.from('v'),
  tags: Buffer.alloc(0),
}

/** A log of two records, which is torn, or damaged, in its second record where `isDamaged`. */
function log(isDamaged: boolean): Buffer {
  const cells = blockOf([CELL])
  const records = [1, 2].map((sequenceId) => {
    const record = Buffer.alloc(recordBytes(cells.byteLength))
    cells.buffer.copy(record, recordBytes(0), cells.start, cells.end)
    sealRecord(record, 0, record.length, sequenceId, 1)
    return record
  })
  const bytes = Buffer.concat([encodeLogHeader(1), ...records])
  if (isDamaged) bytes[bytes.length - 1]! ^= 1
  return bytes
}

/** The order of what the reader of a log does. */
async function orderOf(isDamaged: boolean, mayBeTorn: boolean): Promise<string[]> {
  const bytes = log(isDamaged)
  const order: string[] = []
  const file: Partial<OpenFile> = {
    read: (target, offset, length, position) => bytes.copy(target, offset, position, position + length),
    truncate: () => order.push('cut'),
    sync: async () => void order.push('sync'),
    close: () => order.push('close'),
    size: () => bytes.length,
  }
  const fileSystem = { open: () => file } as unknown as FileSystem
  const expected = { number: 1, bytes: bytes.length, mayBeTorn, mayLackHeader: false, lastSequenceId: 0 }
  const reading: LogReading = {
    turns: new LoopTurns(() => 0),
    onRecord: ({ sequenceId }) => {
      order.push(`${sequenceId}`)
    },
    onRead: function* () {
      yield
      order.push('read')
    },
  }
  await readLog(fileSystem, '/log', expected, reading).catch(() => order.push('refused'))
  return order
}

test('the caller learns that all records were read before the log is cut, or refused', async () => {
  expect(await orderOf(false, true)).toEqual(['1', '2', 'read', 'sync', 'close'])
  expect(await orderOf(true, true)).toEqual(['1', 'read', 'cut', 'sync', 'close'])
  expect(await orderOf(true, false)).toEqual(['1', 'read', 'close', 'refused'])
})
