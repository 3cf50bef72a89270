import { expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { SUPERUSER } from '../../../harness/access/people.ts'
import { callOf, startAuthorizedServer } from './authorized-server.ts'

test('only administrators of a table see the paths of its store files', async () => {
  const server = await startAuthorizedServer()
  const { catalog, upkeep } = server.store
  const [table, family] = [parseTableName('t'), Buffer.from('f')]
  await catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], callOf(SUPERUSER))
  const [region] = await catalog.regions(table, callOf(SUPERUSER))
  const filesFor = (user: string): Promise<string[]> =>
    upkeep.files!.storeFiles(region!.name, [family], callOf(user))
  expect(await filesFor(SUPERUSER)).toEqual([])
  await expect(filesFor('reader')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  await server.close()
})
