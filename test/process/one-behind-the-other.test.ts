import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChildServer } from '../harness/child-server.ts'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'

async function ask(server: ChildServer, method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server.port('rest')}/${path}`, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return `${response.status} ${await response.text()}`
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('a server takes another, by its native RPC, for a cluster, and changes its tables', async () => {
  await inTemporaryFolder(async (folder) => {
    const behind = await startTidegate(`native:${join(folder, 'data')}`, '--rpc', '0')
    const front = await startTidegate(`hbase:127.0.0.1:${behind.port('rpc')}`)
    try {
      expect(await ask(front, 'POST', 'namespaces/n')).toMatch(/^201 /)
      expect(await ask(front, 'PUT', 'n:t/schema', { name: 'n:t', ColumnSchema: [{ name: 'f' }] })).toBe(
        '201 ',
      )
      const cell = { column: base64('f:q'), timestamp: 7, $: base64('v') }
      const row = { Row: [{ key: base64('r'), Cell: [cell] }] }
      expect(await ask(front, 'PUT', 'n:t/r', row)).toBe('200 ')
      expect(JSON.parse((await ask(behind, 'GET', 'n:t/r')).slice(4))).toEqual(row)
      expect(JSON.parse((await ask(front, 'GET', 'n:t/r')).slice(4))).toEqual(row)
      expect(await ask(front, 'GET', '')).toBe('200 {"table":[{"name":"n:t"}]}')
      expect(await ask(front, 'GET', 'status/cluster')).toContain('"requests"')
      expect(await ask(front, 'DELETE', 'n:t/schema')).toBe('200 ')
      expect(await ask(behind, 'GET', '')).toBe('200 {"table":[]}')
      expect(await ask(front, 'DELETE', 'namespaces/n')).toBe('200 ')
    } finally {
      expect(await front.stop()).toBe(0)
      expect(await behind.stop()).toBe(0)
    }
  })
})
