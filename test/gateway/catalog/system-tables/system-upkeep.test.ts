import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { type AdvertisedStore, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import { META_TABLE } from '../../../../src/model/meta-table.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'

const SERVER = { host: 'localhost', port: 27103, startCode: 1_795_352_091_265 }
const NAMESPACES = parseTableName('hbase:namespace')

let store: AdvertisedStore

beforeEach(() => {
  store = withSystemTables(advertised(openMemoryStore({ clock: { now: () => 1 } }), SERVER), SERVER)
})

afterEach(async () => {
  await store.close()
})

describe('upkeep of the system tables', () => {
  // As HBase, whose own have nothing to write most of the time.
  test.each([META_TABLE, NAMESPACES])('%s and its region are flushed and compacted', async (name) => {
    const { flushes, compactions } = store.upkeep
    const region = (await store.catalog.regions(name, OWN_CALL))[0]!.name
    await flushes!.flushTable(name, OWN_CALL)
    expect(await flushes!.flushRegion(region, undefined, OWN_CALL)).toBe(false)
    await compactions!.compactTable(name, { major: true }, OWN_CALL)
    await compactions!.compactRegion(region, { major: false }, OWN_CALL)
    expect(await compactions!.compactionState(name, OWN_CALL)).toBe('NONE')
  })

  test("that of other tables is the store's", async () => {
    const { flushes, compactions } = store.upkeep
    const missing = parseTableName('none')
    await expect(flushes!.flushTable(missing, OWN_CALL)).rejects.toThrow('none')
    await expect(compactions!.compactTable(missing, { major: true }, OWN_CALL)).rejects.toThrow('none')
    const region = Buffer.from('none,,1.0123456789abcdef0123456789abcdef.')
    await expect(flushes!.flushRegion(region, undefined, OWN_CALL)).rejects.toThrow()
  })
})
