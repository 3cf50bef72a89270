import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { NODE_FILE_SYSTEM } from '../../adapters/native/platform/node-file-system.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'

/** The store of the documents' examples: a table `orders` of 2000 rows. */
export async function makeShop(directory: string): Promise<void> {
  const clock = { now: (): number => 1_700_000_000_000 }
  const store = await openNativeStore({ directory, fileSystem: NODE_FILE_SYSTEM, clock, random: () => 0.5 })
  const table = parseTableName('orders')
  await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
  const batch = new MutationBatch()
  for (let number = 0; number < 2000; number++) {
    const row = Buffer.from(`order-${String(number).padStart(5, '0')}`)
    batch.put(row, Buffer.from('f'), Buffer.from('total'), Buffer.from(`${number}.00 of 100`)).endMutation()
  }
  await store.rows.mutate(table, batch, OWN_CALL)
  await store.close()
}
