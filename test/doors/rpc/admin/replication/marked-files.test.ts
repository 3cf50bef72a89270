/** Bulk loads of another cluster, whose log has only the names of files. */

import { create, toBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportTable } from '../../../../../adapters/native/transfer/export-table.ts'
import { OWN_CALL } from '../../../../../src/store/call.ts'
import { BulkLoadDescriptorSchema } from '../../../../../src/wire/rpc/gen/wal_pb.ts'
import { StoreUnderTest, tableOf, TABLE as WRITTEN } from '../../../../adapters/native/store-under-test.ts'
import { transferParts } from '../../../../adapters/native/transfer-parts.ts'
import { type RpcServer, startRpcServer, TABLE } from '../../rpc-server.ts'
import { cell, replicate, type SentEntry, type SentFolders } from './sent-entries.ts'

const REGION = 'a'.repeat(32)
const FOLDERS = {
  sourceBaseNamespaceDirPath: 'file:/source/data',
  sourceHFileArchiveDirPath: 'file:/source/archive',
}

let session: StoreUnderTest
let server: RpcServer

beforeEach(async () => {
  session = await StoreUnderTest.open()
  server = await startRpcServer({ own: session.store })
})
afterEach(() => server.close())

/** Puts an HFile of the rows at the path. */
async function write(path: string, rows: readonly string[]): Promise<void> {
  const other = await StoreUnderTest.open()
  await other.createTable(tableOf('f'))
  await other.put(rows, { value: 'loaded' })
  await other.store.close()
  const files = other.fileSystem.killed()
  await exportTable(transferParts(files), WRITTEN, '/out')
  const [made] = files.paths().filter((known) => known.startsWith('/out/f/'))
  session.fileSystem.replace(path, files.bytesOf(made!))
}

function marked(...files: readonly string[]): SentEntry {
  return markedWith({}, ...files)
}

function markedWith(more: object, ...storeFile: readonly string[]): SentEntry {
  const descriptor = create(BulkLoadDescriptorSchema, {
    tableName: { namespace: Buffer.from('default'), qualifier: Buffer.from('t') },
    encodedRegionName: Buffer.from(REGION),
    bulkloadSeqNum: 1n,
    stores: [{ familyName: Buffer.from('f'), storeHomeDir: 'f', storeFile: [...storeFile] }],
    ...more,
  })
  const value = Buffer.from(toBinary(BulkLoadDescriptorSchema, descriptor))
  const qualifier = Buffer.from('HBASE::BULK_LOAD')
  return { table: 't', cells: [{ ...cell('region', 'METAFAMILY:', ''), qualifier, value }] }
}

function send(entry: SentEntry, folders: SentFolders = FOLDERS): Promise<void> {
  return replicate(server.door.port, [entry], { folders })
}

test('files are loaded from where they lie, or from the archive, into the region of their rows', async () => {
  await write(`/source/data/default/t/${REGION}/f/one`, ['a', 'b'])
  await write(`/source/archive/default/t/${REGION}/f/two`, ['x', 'y'])
  await send(marked('one', 'two'))
  const loaded = ['a=loaded', 'b=loaded', 'x=loaded', 'y=loaded']
  expect(await session.rows()).toEqual(loaded)
  await send(marked('one', 'two'))
  expect(await session.rows()).toEqual(loaded)
  await send(markedWith({ replicate: false }, 'three'))
})

test('what cannot be loaded fails the batch with the reason', async () => {
  await write(`/source/data/default/t/${REGION}/f/both`, ['a', 'x'])
  await expect(send(marked('both'))).rejects.toThrow('has rows of several regions')
  await expect(send(marked('none'))).rejects.toThrow(
    `/source/archive/default/t/${REGION}/f/none cannot be read`,
  )
  await expect(send(marked('..'))).rejects.toThrow('".." is no name of a file')
  await expect(send(marked('../both'))).rejects.toThrow('is no name of a file')
  await expect(send(marked('both'), {})).rejects.toThrow('does not say where its files lie')
  expect(await session.rows()).toEqual([])
  expect(await server.store.catalog.tableExists(TABLE, OWN_CALL)).toBe(true)
})
