import { afterAll, beforeAll, expect, test } from 'vitest'
import { jmxAnswer } from '../../../src/doors/web/hbase/jmx-query.ts'
import { doRestWork } from '../../harness/figures/rest-work.ts'
import { OF_REST } from '../../harness/figures/shared-work.ts'
import { b64, ConsoleClient } from './console-client.ts'

let client: ConsoleClient
beforeAll(async () => {
  client = await ConsoleClient.start({ consoleWrites: true })
  const families = [{ name: b64('<b>f') }]
  await client.change({ kind: 'createTable', table: 't', families })
})
afterAll(() => client.server.stop())

async function page(path: string): Promise<string> {
  const answer = await client.ask(path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  return await answer.text()
}

test('pages are at the paths of HBase’s, and show names as text', async () => {
  expect(await page('/master-status')).toContain('<a href="table.jsp?name=t">t</a>')
  expect(await page('/rs-status')).toContain('<h1>RegionServer: Tidegate')
  const table = await page('/table.jsp?name=t')
  expect(table).toContain('<td>&lt;b&gt;f</td>')
  expect(table).not.toContain('<b>')
  expect(table).toContain('VERSIONS =&gt; 1')
  expect(await page('/table.jsp?name=default:t')).toContain('<h1>Table t</h1>')
  const odd = await client.ask(`/table.jsp?name=${encodeURIComponent('<script>')}`)
  expect([odd.status, odd.headers.get('content-type')]).toEqual([400, 'application/json'])
  expect((await client.ask('/table.jsp?name=nowhere')).status).toBe(404)
})

async function names(answer: Response): Promise<string[]> {
  return [...(await answer.text()).matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!)
}

test('metrics are at HBase’s path of them, too', async () => {
  const [own, hbase] = [await client.ask('/metrics'), await client.ask('/prometheus')]
  expect(hbase.headers.get('content-type')).toBe(own.headers.get('content-type'))
  expect(await names(hbase)).toEqual(await names(own))
})

async function jmx(query: string): Promise<[number, { beans?: Record<string, unknown>[] }]> {
  const answer = await client.ask(`/jmx${query}`)
  return [answer.status, (await answer.json()) as { beans?: Record<string, unknown>[] }]
}

test('beans have HBase’s names, and count what was asked', async () => {
  const rest = `http://127.0.0.1:${client.server.ports.rest}`
  await (await fetch(`${rest}/t/nothing`)).text()
  await (await fetch(`${rest}/version`)).text()
  const [status, { beans }] = await jmx('')
  expect(status).toBe(200)
  expect(beans!.map(({ name }) => name)).toEqual([
    'java.lang:type=Memory',
    'java.lang:type=Runtime',
    'Hadoop:service=HBase,name=Info',
    'Hadoop:service=HBase,name=JvmMetrics',
    'Hadoop:service=HBase,name=REST',
    'Hadoop:service=HBase,name=Thrift,sub=ThriftOne',
    'Hadoop:service=HBase,name=Thrift,sub=ThriftTwo',
    'Hadoop:service=HBase,name=RegionServer,sub=Server',
    'Hadoop:service=HBase,name=Master,sub=Server',
  ])
  const [, { beans: found }] = await jmx('?get=Hadoop:service=HBase,name=REST::requests,failedGet')
  expect(found).toEqual([{ name: 'Hadoop:service=HBase,name=REST', requests: 2, failedGet: 1 }])
  expect((await jmx('?get=Hadoop:service=HBase,name=REST'))[0]).toBe(400)
  expect((await jmx('?get=Hadoop:service=HBase,name=REST::nothing'))[0]).toBe(404)
})

test('the bean of REST counts as HBase’s does after the same requests', async () => {
  await client.change({ kind: 'createTable', table: OF_REST, families: [{ name: b64('f') }] })
  const [, { beans: [before] = [] }] = await jmx('?qry=Hadoop:service=HBase,name=REST')
  await doRestWork(client.server.ports.rest!)
  const [, { beans: [after] = [] }] = await jmx('?qry=Hadoop:service=HBase,name=REST')
  const grown = Object.entries(after!).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value - Number(before![name])] as const] : [],
  )
  expect(Object.fromEntries(grown)).toEqual({
    requests: 26,
    successfulGet: 15,
    failedGet: 6,
    successfulPut: 3,
    failedPut: 1,
    successfulDelete: 2,
    failedDelete: 1,
    successfulScanCount: 2,
    failedScanCount: 0,
  })
})

test('the bean of the region server counts the regions of hbase:meta and of hbase:namespace, too', async () => {
  const [, { beans: [server] = [] }] = await jmx('?qry=Hadoop:service=HBase,name=RegionServer,sub=Server')
  const { tables } = await client.read<{ tables: object[] }>('tables')
  // hbase:meta has three families, hbase:namespace one, and each table of the tests one.
  expect(server).toMatchObject({ regionCount: tables.length + 2, storeCount: tables.length + 4 })
  const [, { beans: [master] = [] }] = await jmx('?qry=Hadoop:service=HBase,name=Master,sub=Server')
  expect(master).toMatchObject({ averageLoad: tables.length + 2 })
})

test('the list of tables has the region of hbase:meta', async () => {
  const { systemTables } = await client.read<{ systemTables: { name: string; regions: number }[] }>('tables')
  expect(systemTables.map(({ name, regions }) => [name, regions])).toEqual([
    ['hbase:meta', 1],
    ['hbase:namespace', 1],
  ])
})

test.each([
  ['*:*', 3],
  ['Hadoop:*', 2],
  ['Hadoop:service=HBase,name=RegionServer,sub=*', 1],
  ['Hadoop:sub=Server,name=RegionServer,service=HBase', 1],
  ['Hadoop:service=HBase,*', 2],
  ['Hadoop:service=HBase', 0],
  ['java.lang:type=M?mory', 1],
  [`${'*a'.repeat(200)}:*`, 0],
])('the pattern %s finds beans', (pattern, count) => {
  const all = [
    'java.lang:type=Memory',
    'Hadoop:service=HBase,name=REST',
    'Hadoop:service=HBase,name=RegionServer,sub=Server',
  ]
  const { body } = jmxAnswer(
    all.map((name) => ({ name })),
    new URLSearchParams({ qry: pattern }),
  )
  expect((body as { beans: unknown[] }).beans).toHaveLength(count)
})
