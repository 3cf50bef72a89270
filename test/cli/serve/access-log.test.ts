/** A server with an access log, asked through each door. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../src/library/start-tidegate.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { oneCall } from '../../doors/rpc/one-call.ts'
import { Thrift1Client } from '../../harness/demo/thrift1-client.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'

type Line = Readonly<Record<string, string | number>>

const OCTETS = { 'content-type': 'application/octet-stream', accept: 'application/octet-stream' }

/** The lines of a server's access log after `work`. */
async function linesOf(
  options: TidegateOptions,
  work: (server: Tidegate, url: string) => Promise<unknown>,
): Promise<Line[]> {
  let lines: Line[] = []
  await inTemporaryFolder(async (folder) => {
    const accessLog = join(folder, 'access.log')
    const server = await startTidegate({ web: 0, accessLog, ...options })
    await work(server, `http://127.0.0.1:${server.ports.rest}`)
    await server.stop()
    const text = readFileSync(accessLog, 'utf8')
    lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
  })
  return lines
}

async function putAndGet(server: Tidegate, url: string): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const body = '{"ColumnSchema":[{"name":"f"}]}'
  await fetch(`${url}/t/schema`, { method: 'PUT', headers: json, body })
  await fetch(`${url}/t/secret-row/f:q`, { method: 'PUT', headers: OCTETS, body: 'value' })
  expect(await (await fetch(`${url}/t/secret-row/f:q`, { headers: OCTETS })).text()).toBe('value')
  await fetch(`${url}/none/secret-row`)
  await fetch(`http://127.0.0.1:${server.ports.web}/health`)
  const thrift = new Thrift1Client(server.ports.thrift!)
  const row = Buffer.from('secret-row')
  await thrift.client['getRow']!(Buffer.from('t'), row, [])
  await expect(thrift.client['getRow']!(Buffer.from('none'), row, [])).rejects.toThrow()
  thrift.close()
}

function summary(lines: readonly Line[]): unknown[] {
  return lines.map(({ door, method, call, table, status, exception }) =>
    [door, method, call, table, status, exception].filter((part) => part !== undefined).join(' '),
  )
}

test('a request at the port of the master has that door’s name', async () => {
  const lines = await linesOf({ rpc: 0, master: 0 }, async ({ ports }) => {
    await oneCall(ports.master!, MasterService.method.isMasterRunning, {})
    await oneCall(ports.rpc!, MasterService.method.isMasterRunning, {})
  })
  expect(summary(lines)).toEqual([
    'master MasterService IsMasterRunning',
    'rpc MasterService IsMasterRunning',
  ])
})

test('each request of each door has a line: who, what, how it ended, bytes and time, and no row', async () => {
  const lines = await linesOf({}, putAndGet)
  expect(summary(lines)).toEqual([
    'rest PUT schema t 201',
    'rest PUT row t 200',
    'rest GET row t 200',
    'rest GET row none 404 TABLE_NOT_FOUND',
    'web GET health 200',
    'thrift Hbase getRow t',
    'thrift Hbase getRow none TABLE_NOT_FOUND',
  ])
  for (const line of lines) {
    expect(line).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      client: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
      ms: expect.any(Number) as number,
    })
    expect(line['bytesIn']).toBeGreaterThan(20)
    expect(line['bytesOut']).toBeGreaterThan(20)
  }
  expect(JSON.stringify(lines)).not.toContain('secret')
})

test('row keys are there for whoever asks for them', async () => {
  const lines = await linesOf({ accessLogRows: true }, putAndGet)
  expect(lines.map(({ asked }) => asked)).toEqual([
    '/t/schema',
    '/t/secret-row/f:q',
    '/t/secret-row/f:q',
    '/none/secret-row',
    '/health',
    'secret-row',
    'secret-row',
  ])
})

test('a file that cannot be opened is told at the start', async () => {
  await expect(startTidegate({ accessLog: '/nonexistent/access.log' })).rejects.toThrow(
    /^accessLog: \/nonexistent\/access\.log: the file cannot be opened \(ENOENT/,
  )
})

test.runIf(process.platform === 'linux')('a full disk of the access log costs its lines only', async () => {
  const server = await startTidegate({ accessLog: '/dev/full', thrift: 'off' })
  const url = `http://127.0.0.1:${server.ports.rest}/version`
  for (let i = 0; i < 200; i++) expect((await fetch(url)).status).toBe(200)
  await server.stop()
})
