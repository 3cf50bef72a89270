import { expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { importCells } from '../../src/transfer/files.ts'
import { FORMATS } from '../../src/transfer/formats/formats.ts'
import { MadeTable } from '../../src/transfer/made-table.ts'
import { TransferProgress } from '../../src/transfer/progress.ts'
import { RateLimit } from '../../src/transfer/rate-limit.ts'

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  if (text !== '') yield Buffer.from(text)
}

const silent = (): void => undefined

/** The cells that were imported from NDJSON. */
async function imported(store: Store, table: string, text: string, made?: MadeTable): Promise<number> {
  const progress = new TransferProgress(table, () => 0, silent, silent)
  await importCells({
    store,
    table: parseTableName(table),
    call: OWN_CALL,
    progress,
    rate: new RateLimit(
      Number.POSITIVE_INFINITY,
      () => 0,
      async () => undefined,
    ),
    read: FORMATS.ndjson.read,
    chunks: chunksOf(text),
    made,
    pause: async () => undefined,
  })
  return progress.cells
}

test('a table that is not there is refused, of an empty file too', async () => {
  const store = openMemoryStore({ clock: { now: () => 5 } })
  const line = '{"key":"r","cells":[{"column":"f:q","timestamp":1,"value":"v"}]}\n'
  for (const text of ['', line])
    await expect(imported(store, 'none', text)).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
      message: 'none',
    })
  await store.catalog.createTable(
    tableDescriptor(parseTableName('t'), [familyDescriptor('f', [])]),
    [],
    OWN_CALL,
  )
  expect(await imported(store, 't', '')).toBe(0)
  expect(await imported(store, 't', line)).toBe(1)
})

function lineOf(row: string, column: string): string {
  return `{"key":"${row}","cells":[{"column":"${column}","timestamp":1,"value":"v"}]}\n`
}

async function familiesOf(store: Store, table: string): Promise<string[]> {
  const { families } = await store.catalog.table(parseTableName(table), OWN_CALL)
  return families.map(({ name }) => name.toString())
}

test('a table is made with the families of the cells, and gets those that come later', async () => {
  const store = openMemoryStore({ clock: { now: () => 5 } })
  const made = await MadeTable.open(store.catalog, parseTableName('ns:t'), undefined, OWN_CALL)
  expect(() => made.checkIsMade()).toThrow('there are no cells, by whose families ns:t could be made')
  expect(await store.catalog.tableExists(parseTableName('ns:t'), OWN_CALL)).toBe(false)
  expect(await imported(store, 'ns:t', lineOf('a', 'f:q'), made)).toBe(1)
  expect(await familiesOf(store, 'ns:t')).toEqual(['f'])
  expect(await imported(store, 'ns:t', lineOf('b', 'f:q') + lineOf('c', 'g:q'), made)).toBe(2)
  expect(await familiesOf(store, 'ns:t')).toEqual(['f', 'g'])
  made.checkIsMade()
})

test('a table with stated families is made at once, and one that is there is not changed', async () => {
  const store = openMemoryStore({ clock: { now: () => 5 } })
  const families = [Buffer.from('f'), Buffer.from('g')]
  const made = await MadeTable.open(store.catalog, parseTableName('t'), families, OWN_CALL)
  expect(await familiesOf(store, 't')).toEqual(['f', 'g'])
  await expect(imported(store, 't', lineOf('a', 'h:q'), made)).rejects.toMatchObject({
    code: 'NO_SUCH_COLUMN_FAMILY',
  })
  const again = await MadeTable.open(store.catalog, parseTableName('t'), undefined, OWN_CALL)
  await expect(imported(store, 't', lineOf('a', 'h:q'), again)).rejects.toThrow('h')
  expect(await familiesOf(store, 't')).toEqual(['f', 'g'])
})
