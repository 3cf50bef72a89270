import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { exportTable } from '../../../adapters/native/transfer/export-table.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { CrashableFileSystem } from '../simulation/crashable-file-system.ts'

const TABLE = parseTableName('t')

/** An HFile for a bulk load, as another program has written it: the rows of a family, all of one value. */
export async function loadedFile(family: string, rows: readonly string[], value: string): Promise<Buffer> {
  const fileSystem = new CrashableFileSystem()
  const parts = {
    directory: '/s',
    fileSystem,
    clock: { now: Date.now },
    random: Math.random,
    log: (): void => undefined,
  }
  const store = await openNativeStore(parts)
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor(family)]), [], OWN_CALL)
  const batch = new MutationBatch()
  for (const row of rows) {
    batch.put(Buffer.from(row), Buffer.from(family), Buffer.from('q'), Buffer.from(value))
    batch.endMutation()
  }
  await store.rows.mutate(TABLE, batch, OWN_CALL)
  await store.close()
  await exportTable(parts, TABLE, '/out')
  const [path] = fileSystem.paths().filter((known) => known.startsWith(`/out/${family}/`))
  return fileSystem.bytesOf(path!)
}
