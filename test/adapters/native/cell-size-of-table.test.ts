import { expect, test } from 'vitest'
import { CellType } from '../../../src/model/cell.ts'
import { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const [ROW, FAMILY, QUALIFIER] = ['r', 'f', 'q'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
/** Of a cell without its value: lengths, row, family, qualifier, timestamp, type. */
const KEY_BYTES = 4 + 8 + 2 + 1 + 1 + 1 + 1 + 8 + 1

async function withLimit(stated: string): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ cellBytesMax: 500 })
  await session.createTable({
    ...tableOf('f'),
    attributes: new Map([['hbase.server.keyvalue.maxsize', stated]]),
  })
  return session
}

/** The message of the refusal of a put whose cell has so many bytes; undefined: it is stored. */
async function put(session: StoreUnderTest, bytes: number): Promise<string | undefined> {
  const batch = new MutationBatch()
  batch.put(ROW, FAMILY, QUALIFIER, Buffer.alloc(bytes - KEY_BYTES)).endMutation()
  const [failure] = await session.store.rows.mutate(TABLE, batch, OWN_CALL)
  return failure?.error.message
}

function append(session: StoreUnderTest, bytes: number): Promise<unknown> {
  const cells = new CellBlockBuilder()
  cells.append(ROW, FAMILY, QUALIFIER, 0x7fffffff, -1, CellType.Put, Buffer.alloc(bytes))
  const operations = [{ kind: 'append' as const, cells: cells.block() }]
  return session.store.rows.mutateRow(
    TABLE,
    { row: ROW, operations, options: DEFAULT_MUTATION_OPTIONS },
    OWN_CALL,
  )
}

test('a table’s largest cell: puts and appends make none larger', async () => {
  const session = await withLimit('1000')
  expect(await put(session, 1001)).toBe(
    `Cell[r/f:q/LATEST_TIMESTAMP/Put/vlen=${1001 - KEY_BYTES}/seqid=0] with size 1001 exceeds limit of 1000 bytes`,
  )
  expect(await put(session, 1000)).toBeUndefined()
  await expect(append(session, 1)).rejects.toThrow('Cell with size 1001 exceeds limit of 1000 bytes')
  expect(await put(session, 999)).toBeUndefined()
  await append(session, 1)
})

test.each(['0', '-1'])('a table whose largest cell is stated as %s has no limit', async (stated) => {
  const session = await withLimit(stated)
  expect(await put(session, 900)).toBeUndefined()
  await append(session, 5000)
})

test('a table that states no number keeps the server’s limit', async () => {
  const session = await withLimit('many')
  expect(await put(session, 501)).toContain('exceeds limit of 500 bytes')
  expect(await put(session, 450)).toBeUndefined()
  await expect(append(session, 100)).rejects.toThrow('exceeds limit of 500 bytes')
})
