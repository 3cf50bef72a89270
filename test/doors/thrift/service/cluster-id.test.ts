import { expect, test } from 'vitest'
import { startThriftServer } from './thrift-server.ts'

test('both services answer the id of the store', async () => {
  const server = await startThriftServer()
  try {
    const id = await server.store.clusterId()
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await server.thrift1()['getClusterId']!()).toBe(id)
    expect(await server.thrift2()['getClusterId']!()).toBe(id)
  } finally {
    await server.close()
  }
})
