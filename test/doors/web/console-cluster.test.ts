import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { ConsoleRequest } from '../../../src/doors/web/console/console-request.ts'
import { table } from '../../../src/doors/web/console/tables.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets } from '../../../src/store/decorate.ts'
import { loadOfRegion } from '../load-of-region.ts'

test('a table of a cluster is shown with the load that the cluster reports for its region', async () => {
  const memory = openMemoryStore({ clock: Date })
  const name = parseTableName('t')
  await memory.catalog.createTable(tableDescriptor(name, [familyDescriptor('f')]), [], OWN_CALL)
  const [region] = await memory.catalog.regions(name, OWN_CALL)
  const cluster = { status: async () => ({ liveServers: [{ regions: [loadOfRegion(region!.name)] }] }) }
  const store = withFacets(memory, { upkeep: { ...memory.upkeep, cluster } as never })
  const request = { store, call: OWN_CALL, query: new URLSearchParams({ name: 't' }) }
  const answer = JSON.stringify(await table(request as unknown as ConsoleRequest))
  expect(JSON.parse(answer)).toMatchObject({ regions: [{ load: { storeFiles: 2, readRequests: 9 } }] })
})
