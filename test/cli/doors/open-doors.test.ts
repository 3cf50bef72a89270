import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { openDoors } from '../../../src/cli/doors/open-doors.ts'
import { ownServer } from '../../../src/cli/settings/advertise-options.ts'
import { openServedStore } from '../../../src/cli/stores/served-store.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { parsedSettings } from '../parsed-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidegate-doors-'))
afterEach(() => rmSync(folder, { recursive: true }))

test('hbase.rest.readonly refuses changes at the REST door, and at no other', async () => {
  const config = join(folder, 'hbase-site.xml')
  const property = '<property><name>hbase.rest.readonly</name><value>true</value></property>'
  writeFileSync(config, `<configuration>${property}</configuration>`)
  const settings = parsedSettings(
    '--store',
    'memory',
    '--config',
    config,
    '--rest',
    '0',
    '--thrift',
    'off',
    '--rpc',
    'off',
    '--zookeeper',
    'off',
    '--web',
    'off',
  )
  const logger = pino({ level: 'silent' })
  const store = await openServedStore(settings, logger)
  const doors = await openDoors(
    { store, server: ownServer('off'), limits: settings.limits, memory: new MemoryBudget(), logger },
    settings,
  )
  await store.catalog.createTable(tableDescriptor(parseTableName('t'), [familyDescriptor('f')]), [], OWN_CALL)
  const url = `http://127.0.0.1:${doors.get('rest')!.port}/t`
  const put = await fetch(`${url}/r/f:q`, { method: 'PUT', body: Buffer.from('x') })
  const schema = await fetch(`${url}/schema`)
  expect([put.status, schema.status]).toEqual([403, 200])
  await doors.get('rest')!.close()
  await store.close()
})
