import { expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { importCells } from '../../src/transfer/files.ts'
import { FORMATS } from '../../src/transfer/formats/formats.ts'
import { TransferProgress } from '../../src/transfer/progress.ts'
import { RateLimit } from '../../src/transfer/rate-limit.ts'

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  if (text !== '') yield Buffer.from(text)
}

const silent = (): void => undefined

/** The cells that were imported from NDJSON. */
async function imported(store: Store, table: string, text: string): Promise<number> {
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
