import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { DeferredScanner } from '../../../src/gateway/reads/deferred-scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { scan } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withMethods } from '../../../src/store/decorate.ts'

test('the store learns how many rows the first call asks for, also where the scanner is opened again', async () => {
  const { rows, handouts, catalog } = openMemoryStore({ clock: Date })
  const table = parseTableName('t')
  await catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
  const asked: (number | undefined)[] = []
  const openScanner: typeof rows.openScanner = (target, query, call) => {
    asked.push(query.firstRows)
    return rows.openScanner(target, query, call)
  }
  const store = { rows: withMethods(rows, { openScanner }), handouts }
  const scanner = new DeferredScanner(store, table, scan({}))
  const next = (count: number) => scanner.next({ rows: count, bytes: 1000, allowPartial: false }, OWN_CALL)
  await next(7)
  await next(9)
  await scanner.resumeAfter(Buffer.from('a'))
  await next(11)
  await scanner.close()
  expect(asked).toEqual([7, 11])
})
