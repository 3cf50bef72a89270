/** Files of cells that are damaged, or made to hurt. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import type { CellParts } from '../../src/model/cell.ts'
import { cellsOf } from '../../src/model/cell-block.ts'
import type { CellReader } from '../../src/transfer/formats/cell-format.ts'
import { fieldsReader } from '../../src/transfer/formats/cell-table.ts'
import { FORMATS } from '../../src/transfer/formats/formats.ts'
import { SequenceWriter } from '../../src/transfer/formats/sequence-file.ts'
import { resumeFile } from '../../src/transfer/resume-file.ts'
import { CellType } from '../../src/wire/rpc/gen/cell_pb.ts'
import { ResultSchema } from '../../src/wire/rpc/gen/client_pb.ts'

const KEY_CLASS = 'org.apache.hadoop.hbase.io.ImmutableBytesWritable'
const VALUE_CLASS = 'org.apache.hadoop.hbase.client.Result'
const SYNC = Buffer.alloc(16, 7)
const MIB = 1024 * 1024

async function* chunksOf(first: Buffer, again: Buffer, times: number): AsyncGenerator<Buffer> {
  yield first
  for (let i = 0; i < times; i++) yield again
}

async function read(
  reader: CellReader,
  first: Buffer,
  again = Buffer.alloc(0),
  times = 0,
): Promise<CellParts[]> {
  const cells: CellParts[] = []
  for await (const { cells: block } of reader(chunksOf(first, again, times))) cells.push(...cellsOf(block))
  return cells
}

test('bytes of a CSV file that are no UTF-8 stay as they are, and are refused where text has a form for them', async () => {
  const reader = fieldsReader(['HBASE_ROW_KEY', 'f:a'], 1n)
  const cells = await read(reader, Buffer.from('r\xff,"caf\xe9, ""x"""\n', 'latin1'))
  expect(cells.map(({ row, value }) => [row, value].map((bytes) => bytes.toString('latin1')))).toEqual([
    ['r\xff', 'caf\xe9, "x"'],
  ])
  const own = Buffer.from('row,column,timestamp,type,value\nr,f:a,1,Put,caf\xe9\n', 'latin1')
  await expect(read(FORMATS.csv.read, own)).rejects.toThrow('line 2: a field is not UTF-8')
})

test('an unclosed quote does not gather a file without end', async () => {
  const line = Buffer.alloc(64 * MIB, 'x')
  line[line.length - 1] = 0x0a
  const reading = read(fieldsReader(['HBASE_ROW_KEY', 'f:a'], 1n), Buffer.from('"'), line, 1000)
  await expect(reading).rejects.toThrow('line 1: a record of more than')
})

test.each([CellType.MINIMUM, CellType.MAXIMUM])(
  'a cell of the type %i in a sequence file is refused',
  async (cellType) => {
    const [row, family, qualifier] = [Buffer.from('r'), Buffer.from('f'), Buffer.from('q')]
    const message = create(ResultSchema, { cell: [{ row, family, qualifier, timestamp: 1n, cellType }] })
    const result = toBinary(ResultSchema, message)
    const writer = new SequenceWriter()
    const record = writer.record(
      Buffer.from('\0\0\0\x01r'),
      Buffer.concat([Buffer.from([result.length]), result]),
    )
    const file = Buffer.concat([writer.header(KEY_CLASS, VALUE_CLASS), record])
    await expect(read(FORMATS.sequence.read, file)).rejects.toThrow('is the type of no cell')
  },
)

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
}

/** Hadoop's WritableUtils.writeVInt, of four bytes. */
function vint(value: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt32BE(value, 1)
  bytes[0] = 256 - 112 - 4
  return bytes
}

test('a block whose lengths alone would take much memory is refused', async () => {
  const zeros = deflateSync(Buffer.alloc(17 * MIB))
  const none = deflateSync(Buffer.alloc(0))
  const parts = [zeros, none, zeros, none].flatMap((part) => [vint(part.length), part])
  const codec = text('org.apache.hadoop.io.compress.DefaultCodec')
  const classes = [text(KEY_CLASS), text(VALUE_CLASS)]
  const head = [Buffer.from('SEQ\x06'), ...classes, Buffer.from([1, 1]), codec, Buffer.alloc(4), SYNC]
  const file = Buffer.concat([...head, Buffer.alloc(4, 0xff), SYNC, vint(17 * MIB), ...parts])
  await expect(read(FORMATS.sequence.read, file)).rejects.toThrow('Cannot create a Buffer larger than')
})

test('a resume file with anything else is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-resume-'))
  const path = join(folder, 'state')
  const other = [
    'null',
    '[]',
    '{"job":"j"}',
    '{"job":"j","tables":null}',
    '{"job":"j","tables":{"t t":null}}',
  ]
  for (const content of [...other, '{"job":"j","tables":{"t t":{"row":5,"done":false}}}', '{"job":']) {
    writeFileSync(path, content)
    expect(() => resumeFile(path).load()).toThrow('is no resume file')
  }
  writeFileSync(path, '{"job":"j","tables":{"t t":{"row":"YQ==","done":false}}}')
  expect(resumeFile(path).load()?.tables['t t']).toEqual({ row: 'YQ==', done: false })
  rmSync(folder, { recursive: true })
})
