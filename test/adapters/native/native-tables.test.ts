import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withMethods } from '../../../src/store/decorate.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

describe('tables of the native store', () => {
  it('survive a kill with all that was said of them', async () => {
    const session = await StoreUnderTest.open()
    const { store } = session
    await store.catalog.createNamespace({ name: 'ns', properties: new Map([['a', 'b']]) }, OWN_CALL)
    await store.catalog.createTable(tableOf('f', 'g'), [Buffer.from([0xff, 0])], OWN_CALL)
    await store.catalog.disableTable(TABLE, OWN_CALL)
    const before = {
      table: await store.catalog.table(TABLE, OWN_CALL),
      regions: await store.catalog.regions(TABLE, OWN_CALL),
    }
    const again = await session.killed()
    expect(await again.store.catalog.tableState(TABLE, OWN_CALL)).toBe('DISABLED')
    expect(await again.store.catalog.table(TABLE, OWN_CALL)).toEqual(before.table)
    expect(await again.store.catalog.namespace('ns', OWN_CALL)).toEqual({
      name: 'ns',
      properties: new Map([['a', 'b']]),
    })
    expect(await again.store.catalog.regions(TABLE, OWN_CALL)).toMatchObject(
      before.regions.map(({ name, startKey, endKey }) => ({ name, startKey, endKey })),
    )
    await again.store.catalog.deleteTable(TABLE, OWN_CALL)
    await again.store.catalog.deleteNamespace('ns', OWN_CALL)
    const last = await again.killed()
    expect(await last.store.catalog.listTables(OWN_CALL)).toEqual([])
    expect((await last.store.catalog.listNamespaces(OWN_CALL)).map(({ name }) => name)).toEqual([
      'default',
      'hbase',
    ])
  })

  it('answer one list of regions until a region changes', async () => {
    const { store } = await StoreUnderTest.open()
    await store.catalog.createTable(tableOf('f'), [Buffer.from('m')], OWN_CALL)
    const { catalog } = store
    const regions = store.upkeep.regions!
    const listed = await catalog.regions(TABLE, OWN_CALL)
    expect(await catalog.regions(TABLE, OWN_CALL)).toBe(listed)
    await regions.unassignRegion(listed[0]!.name, OWN_CALL)
    expect(listed[0]!.closedReplicas).toBeUndefined()
    expect((await catalog.regions(TABLE, OWN_CALL))[0]!.closedReplicas).toEqual([0])
    await regions.assignRegion(listed[0]!.name, OWN_CALL)
    expect((await catalog.regions(TABLE, OWN_CALL))[0]!.closedReplicas).toBeUndefined()
    await regions.splitTable(TABLE, Buffer.from('t'), OWN_CALL)
    const starts = (await catalog.regions(TABLE, OWN_CALL)).map(({ startKey }) => startKey.toString())
    expect(starts).toEqual(['', 'm', 't'])
  })

  it('leave nothing to the table that is made in their place', async () => {
    const session = await StoreUnderTest.open()
    const { store } = session
    await session.createTable(tableOf('f'))
    await session.put(['flushed'])
    await session.flush()
    await session.put(['logged'])
    await store.catalog.disableTable(TABLE, OWN_CALL)
    await store.catalog.truncateTable(TABLE, true, OWN_CALL)
    await session.put(['new'])
    expect(await session.rows()).toEqual(['new=v'])
    const again = await session.killed()
    expect(await again.rows()).toEqual(['new=v'])
    expect(again.paths('/s/data')).toEqual([])
  })

  it('are truncated though the disk keeps their files, which is told; the next start removes them', async () => {
    const session = await StoreUnderTest.open()
    const { store, fileSystem } = session
    await session.createTable(tableOf('f'))
    await session.put(['flushed'])
    await session.flush()
    const [file] = session.paths('/s/data')
    fileSystem.removeLarge = () => Promise.reject(new Error('EIO: i/o error'))
    await store.catalog.disableTable(TABLE, OWN_CALL)
    await store.catalog.truncateTable(TABLE, true, OWN_CALL)
    expect(session.logged).toContain(`error: ${file} is not needed any more and could not be removed`)
    await session.put(['new'])
    expect(await session.rows()).toEqual(['new=v'])
    expect(session.paths('/s/data')).toEqual([file])
    const again = await session.killed()
    expect(await again.rows()).toEqual(['new=v'])
    expect(again.paths('/s/data')).toEqual([])
  })

  it('keep the store open until their files are removed', async () => {
    const session = await StoreUnderTest.open()
    const { store, fileSystem } = session
    await session.createTable(tableOf('f', 'g'))
    await session.put(['a'], { family: 'g' })
    await session.flush()
    let isFree = false
    fileSystem.removeLarge = async (path) => {
      const isLarge = path.startsWith('/s/data')
      if (isLarge) for (let turn = 0; turn < 100; turn++) await nextTurn()
      fileSystem.remove(path)
      isFree ||= isLarge
    }
    await store.catalog.modifyTable(tableOf('f'), OWN_CALL)
    expect(isFree).toBe(false)
    await store.close()
    expect(isFree).toBe(true)
  })

  it('drop the cells of a family that is removed, also if it comes back', async () => {
    const session = await StoreUnderTest.open()
    const { store } = session
    await session.createTable(tableOf('f', 'g'))
    await session.put(['a'], { family: 'g', value: 'flushed' })
    await session.flush()
    await session.put(['b'], { family: 'g', value: 'logged' })
    await session.put(['a'], { family: 'f', value: 'kept' })
    await store.catalog.modifyTable(tableOf('f'), OWN_CALL)
    // The table was flushed before: what is there is of the other family.
    expect(session.paths('/s/data').filter((path) => path.includes('/g/'))).toEqual([])
    expect((await session.put(['x'], { family: 'g' })).map(({ error }) => error.code)).toEqual([
      'NO_SUCH_COLUMN_FAMILY',
    ])
    await store.catalog.modifyTable(tableOf('f', 'g'), OWN_CALL)
    await session.put(['c'], { family: 'g', value: 'again' })
    const expected = ['a=kept', 'c=again']
    expect(await session.rows()).toEqual(expected)
    const again = await session.killed()
    expect(await again.rows()).toEqual(expected)
    await again.flush()
    expect(await (await again.killed()).rows()).toEqual(expected)
  })

  it('say what they miss as HBase does', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
    const message =
      `Column family zz does not exist in region ${region!.name.toString()} in table 't', {TABLE_ATTRIBUTES => ` +
      `{METADATA => {'hbase.store.file-tracker.impl' => 'DEFAULT'}}}, {NAME => 'f', INDEX_BLOCK_ENCODING => 'NONE', ` +
      `VERSIONS => '1', KEEP_DELETED_CELLS => 'FALSE', DATA_BLOCK_ENCODING => 'NONE', TTL => 'FOREVER', ` +
      `MIN_VERSIONS => '0', REPLICATION_SCOPE => '0', BLOOMFILTER => 'ROW', IN_MEMORY => 'false', ` +
      `COMPRESSION => 'NONE', BLOCKCACHE => 'true', BLOCKSIZE => '65536 B (64KB)'}`
    const [failure] = await session.put(['r'], { family: 'zz' })
    expect(failure).toMatchObject({ index: 0, error: { code: 'NO_SUCH_COLUMN_FAMILY', message } })
    const columns = [{ family: Buffer.from('zz'), qualifiers: undefined }]
    await expect(session.rows({ columns })).rejects.toMatchObject({ message })
  })

  it('are read only where they say so', async () => {
    const session = await StoreUnderTest.open()
    const readOnly = { ...tableOf('f'), attributes: new Map([['READONLY', 'true']]) }
    await session.createTable(readOnly)
    await expect(session.put(['a'])).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: 'region is read only',
    })
  })

  it('keep none of the bytes that they were made of', async () => {
    const session = await StoreUnderTest.open()
    const { catalog } = session.store
    for (const change of ['createTable', 'modifyTable'] as const) {
      const table = tableOf('f', 'g')
      const key = Buffer.from('m')
      if (change === 'createTable') await catalog.createTable(table, [key], OWN_CALL)
      else await catalog.modifyTable(table, OWN_CALL)
      for (const { name } of table.families) name.fill('x')
      key.fill('x')
      const { families } = await catalog.table(TABLE, OWN_CALL)
      expect(families.map(({ name }) => name.toString())).toEqual(['f', 'g'])
      expect(await session.put(['a'], { family: 'g' })).toEqual([])
    }
    const again = await session.killed()
    const regions = await again.store.catalog.regions(TABLE, OWN_CALL)
    expect(regions.map(({ startKey }) => startKey.toString())).toEqual(['', 'm'])
    expect(await again.rows()).toEqual(['a=v'])
  })

  it('are told of by a catalog whose methods can be replaced one by one', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'), ['m'])
    const catalog = withMethods(session.store.catalog, { listTables: async () => [] })
    expect(await catalog.tableExists(TABLE, OWN_CALL)).toBe(true)
    expect(await catalog.regions(TABLE, OWN_CALL)).toHaveLength(2)
    expect(await catalog.listTables()).toEqual([])
  })
})
