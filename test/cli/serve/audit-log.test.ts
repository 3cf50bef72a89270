/** A server with an audit log, asked through each door. */

import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { writeUser } from '../../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../src/library/start-tidegate.ts'
import { ClientService, GetRequestSchema } from '../../../src/wire/rpc/gen/client_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { oneCall } from '../../doors/rpc/one-call.ts'
import { Thrift1Client } from '../../harness/demo/thrift1-client.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'

type Line = Readonly<Record<string, string | boolean>>

const ROW = 'secret-row'
const BODY = '{"ColumnSchema":[{"name":"f"}]}'

function parsed(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

async function withLog(
  options: TidegateOptions,
  work: (server: Tidegate, file: string) => Promise<unknown>,
): Promise<Line[]> {
  let lines: Line[] = []
  await inTemporaryFolder(async (folder) => {
    const auditLog = join(folder, 'audit.log')
    const server = await startTidegate({ rpc: 0, auditLog, ...options })
    await work(server, auditLog)
    await server.stop()
    lines = parsed(readFileSync(auditLog, 'utf8'))
  })
  return lines
}

function rest({ ports }: Tidegate, method: string, path: string, body?: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${ports.rest}${path}`, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    ...(body !== undefined && { body }),
  })
}

function summary(lines: readonly Line[]): string[] {
  return lines.map(({ door, user, action, scope, allowed, reason, failure }) =>
    [door, user, action, scope, allowed, reason, failure].filter((part) => part !== undefined).join(' '),
  )
}

test('each change and each read has a line: who, through which door, what, and no row', async () => {
  const lines = await withLog({}, async (server) => {
    await rest(server, 'PUT', '/t/schema', BODY)
    await rest(server, 'GET', `/t/${ROW}`)
    await rest(server, 'GET', `/none/${ROW}`)
    const thrift = new Thrift1Client(server.ports.thrift!)
    await thrift.client['getRow']!(Buffer.from('t'), Buffer.from(ROW), [])
    thrift.close()
    const { message } = await oneCall(server.ports.rpc!, MasterService.method.listTableNamesByNamespace, {
      namespaceName: 'default',
    })
    expect(message.tableName).toHaveLength(1)
    await rest(server, 'DELETE', '/t/schema')
  })
  expect(summary(lines)).toEqual([
    'rest createTable t true',
    'rest get t true',
    'rest get none true TABLE_NOT_FOUND',
    'thrift get t true',
    'rest disableTable t true',
    'rest deleteTable t true',
  ])
  for (const line of lines) expect(line).toMatchObject({ log: 'audit', address: '127.0.0.1' })
  expect(JSON.stringify(lines)).not.toContain(ROW)
})

test('the user that a client of native RPC names, and regions without their keys', async () => {
  const lines = await withLog({}, async (server) => {
    await rest(server, 'PUT', '/t/schema', BODY)
    const regions = await rest(server, 'GET', '/t/regions')
    const { Region } = (await regions.json()) as { Region: { name: string }[] }
    const value = Buffer.from(Region[0]!.name)
    const get = create(GetRequestSchema, { region: { type: 1, value }, get: { row: Buffer.from(ROW) } })
    await oneCall(server.ports.rpc!, ClientService.method.get, get, { user: 'carol' })
  })
  expect(summary(lines)).toEqual(['rest createTable t true', 'rpc carol get t true'])
})

function namespaceMessage(name: string): { namespaceDescriptor: { name: Buffer } } {
  return { namespaceDescriptor: { name: Buffer.from(name) } }
}

test('changes at the port of the master have its name, and those at the door’s own port have the door’s', async () => {
  const lines = await withLog({ master: 0 }, async ({ ports }) => {
    const { createNamespace } = MasterService.method
    await oneCall(ports.master!, createNamespace, namespaceMessage('n'))
    await oneCall(ports.rpc!, createNamespace, namespaceMessage('o'))
  })
  expect(summary(lines)).toEqual([
    'master tester createNamespace n true',
    'rpc tester createNamespace o true',
  ])
})

test('rows that the console shows and its changes have lines, and pages that only look have none', async () => {
  const lines = await withLog({ web: 0, consoleWrites: true }, async ({ ports }) => {
    const ask = async (path: string, body?: object): Promise<void> => {
      const headers = { 'content-type': 'application/json', 'x-tidegate-console': '1' }
      const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`http://127.0.0.1:${ports.web}${path}`, init)
      expect([path, answer.status, await answer.text()]).toMatchObject([path, 200, expect.anything()])
    }
    const [family, row] = ['f', ROW].map((text) => Buffer.from(text).toString('base64'))
    await ask('/console/api/changes', { kind: 'createTable', table: 't', families: [{ name: family }] })
    await ask('/console/api/changes', { kind: 'put', table: 't', row, family, qualifier: row, value: row })
    await ask('/console/api/rows?table=t')
    for (const page of ['overview', 'load', 'tables', 'table?name=t', 'compactions', 'slow'])
      await ask(`/console/api/${page}`)
    for (const page of [
      '/',
      '/health',
      '/metrics',
      '/jmx',
      '/master-status',
      '/rs-status',
      '/table.jsp?name=t',
    ])
      await ask(page)
  })
  expect(summary(lines)).toEqual(['web createTable t true', 'web mutate t true', 'web openScanner t true'])
  expect(JSON.stringify(lines)).not.toContain(ROW)
})

test('a page that needs no login leaves no line, and one that needs a login leaves one refusal', async () => {
  await inTemporaryFolder(async (folder) => {
    const users = join(folder, 'users')
    await writeUser(users, 'alice', 'secret')
    const lines = await withLog({ web: 0, users }, async ({ ports }) => {
      const ask = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
        const answer = await fetch(`http://127.0.0.1:${ports.web}${path}`, { headers })
        await answer.arrayBuffer()
        return answer.status
      }
      expect([await ask('/health'), await ask('/health')]).toEqual([200, 200])
      expect(await ask('/metrics')).toBe(401)
      expect(await ask('/health', { authorization: 'Unknown x' })).toBe(401)
    })
    expect(lines.map(({ door, action, allowed }) => [door, action, allowed])).toEqual([
      ['web', 'login', false],
      ['web', 'login', false],
    ])
  })
})

test('what is refused says why', async () => {
  const lines = await withLog({ readOnly: true }, async (server) => {
    expect((await rest(server, 'PUT', '/t/schema', BODY)).status).toBe(403)
  })
  expect(summary(lines)).toEqual(['rest createTable t false this server takes no changes (--read-only)'])
})

test('a file that was moved away is followed by another one', async () => {
  let first: Line[] = []
  const second = await withLog({}, async (server, file) => {
    const lineOf = async (table: string, path: string): Promise<void> => {
      await rest(server, 'GET', `/${table}/row`)
      await expect.poll(() => readFileSync(path, 'utf8'), { timeout: 5000 }).toContain(table)
    }
    await lineOf('before', file)
    renameSync(file, `${file}.1`)
    await lineOf('after', file)
    first = parsed(readFileSync(`${file}.1`, 'utf8'))
  })
  expect([first, second].map(summary)).toEqual([
    ['rest get before true TABLE_NOT_FOUND'],
    ['rest get after true TABLE_NOT_FOUND'],
  ])
})

test('a file that cannot be opened keeps the server from starting', async () => {
  await expect(startTidegate({ auditLog: '/nowhere/audit.log' })).rejects.toThrow(
    'auditLog: /nowhere/audit.log: the file cannot be opened',
  )
})
