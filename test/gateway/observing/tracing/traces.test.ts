/** Servers with traces, asked through each door; a collector of the test's own gets their spans. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../../src/library/start-tidegate.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { Thrift1Client } from '../../../harness/demo/thrift1-client.ts'
import { openRpcStore } from '../../../harness/rpc-store.ts'
import { inTemporaryFolder } from '../../../harness/tidegate-process.ts'
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts'

const OCTETS = { 'content-type': 'application/octet-stream', accept: 'application/octet-stream' }
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

let collector: OtlpReceiver
let otlpEndpoint: string

beforeEach(async () => {
  collector = new OtlpReceiver()
  otlpEndpoint = await collector.listen()
})

afterEach(() => collector.close())

async function makeTable({ ports }: Tidegate): Promise<string> {
  const url = `http://127.0.0.1:${ports.rest}`
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/t/schema`, { method: 'PUT', headers, body: '{"ColumnSchema":[{"name":"f"}]}' })
  await fetch(`${url}/t/secret-row/f:q`, { method: 'PUT', headers: OCTETS, body: 'secret-value' })
  return url
}

/** Runs the work on a server of the embedded engine; resolves once the collector has all spans. */
async function traced(options: TidegateOptions, work: (server: Tidegate) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const server = await startTidegate({ store: `native:${folder}/data`, otlpEndpoint, ...options })
    try {
      await work(server)
    } finally {
      await server.stop()
    }
  })
}

/** From the root: `name` and, deeper, its children in the order of their begin. */
function treeOf(spans: readonly ReceivedSpan[], root: ReceivedSpan): string[] {
  const children = spans
    .filter(({ parentSpanId }) => parentSpanId === root.spanId)
    .toSorted((a, b) => Number(a.startNanos - b.startNanos))
  return [root.name, ...children.flatMap((child) => treeOf(spans, child).map((line) => `  ${line}`))]
}

function named(name: string): ReceivedSpan {
  return collector.spans.find((span) => span.name === name)!
}

test('each request of each door is a span with the stages of the engine, and no row or value', async () => {
  await traced({ rpc: 0 }, async (server) => {
    const url = await makeTable(server)
    expect(await (await fetch(`${url}/t/secret-row/f:q`, { headers: OCTETS })).text()).toBe('secret-value')
    const thrift = new Thrift1Client(server.ports.thrift!)
    await thrift.client['getRow']!(Buffer.from('t'), Buffer.from('secret-row'), [])
    thrift.close()
    const rpc = await openRpcStore(server.ports.rpc!)
    await rpc.rows.get('t' as never, [get(Buffer.from('secret-row'))], { bytes: 1e6 }, OWN_CALL)
    await rpc.close()
  })
  expect(treeOf(collector.spans, named('PUT row'))).toEqual([
    'PUT row',
    '  store mutate',
    '    memstore',
    '    log',
  ])
  expect(treeOf(collector.spans, named('GET row'))).toEqual(['GET row', '  store get', '    read'])
  expect(treeOf(collector.spans, named('Hbase/getRow'))).toEqual(['Hbase/getRow', '  store get', '    read'])
  expect(named('GET row')).toMatchObject({ kind: 2, parentSpanId: undefined, isFailed: false })
  expect(named('GET row').attributes).toMatchObject({
    'tidegate.door': 'rest',
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'db.collection.name': 't',
    'tidegate.rows': 1,
    'tidegate.request.bytes': expect.any(Number) as number,
    'tidegate.response.bytes': expect.any(Number) as number,
  })
  expect(named('hbase.pb.ClientService/Get').attributes).toMatchObject({
    'tidegate.door': 'rpc',
    'rpc.system': 'HBASE_RPC',
    'db.collection.name': 't',
    'tidegate.rows': 1,
    'enduser.id': 'tester',
  })
  expect(collector.resource).toMatchObject({ 'service.name': 'tidegate' })
  expect(JSON.stringify(collector.spans.map(({ attributes, name }) => [attributes, name]))).not.toContain(
    'secret',
  )
})

test('spans have row keys and paths where an operator asks for them, and the access log still has none', async () => {
  await traced({ traceRows: true }, async (server) => {
    await makeTable(server)
  })
  expect(named('PUT row').attributes['tidegate.asked']).toBe('/t/secret-row/f:q')
})

test("a client's trace goes on through a gateway and its cluster, with what other systems add to it", async () => {
  await traced({ rpc: 0 }, async (cluster) => {
    await makeTable(cluster)
    const store = `hbase:127.0.0.1:${cluster.ports.rpc}`
    const gateway = await startTidegate({ store, otlpEndpoint })
    const headers = { ...OCTETS, traceparent: `00-${TRACE_ID}-${CALLER}-01`, tracestate: 'other=1' }
    const answer = await fetch(`http://127.0.0.1:${gateway.ports.rest}/t/secret-row/f:q`, { headers })
    expect(await answer.text()).toBe('secret-value')
    await gateway.stop()
  })
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE_ID)
  const root = spans.find(({ parentSpanId }) => parentSpanId === CALLER)!
  const tree = treeOf(spans, root)
  expect(tree.slice(0, 2)).toEqual(['GET row', '  store get'])
  const call = tree.indexOf('    hbase.pb.ClientService/Get')
  expect(tree.slice(call)).toEqual([
    '    hbase.pb.ClientService/Get',
    '      hbase.pb.ClientService/Get',
    '        store get',
    '          read',
  ])
  expect(spans.every(({ traceState }) => traceState === 'other=1')).toBe(true)
})

test('a trace that its caller does not record is not recorded here', async () => {
  await traced({}, async (server) => {
    const url = `http://127.0.0.1:${server.ports.rest}`
    await fetch(`${url}/version`, { headers: { traceparent: `00-${TRACE_ID}-${CALLER}-00` } })
    await fetch(`${url}/`, { headers: { traceparent: 'nonsense' } })
  })
  expect(collector.spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ['GET tables', undefined],
  ])
})

test("a refused request tells its error, and only the server's own fault is a failure", async () => {
  await traced({}, async (server) => {
    await fetch(`http://127.0.0.1:${server.ports.rest}/none/row`)
  })
  expect(named('GET row')).toMatchObject({ isFailed: false })
  expect(named('GET row').attributes).toMatchObject({
    'error.type': 'TABLE_NOT_FOUND',
    'http.response.status_code': 404,
  })
})

test('a missing collector does not affect requests, and /metrics show the waiting spans', async () => {
  await collector.close()
  await traced({ web: 0 }, async (server) => {
    const url = await makeTable(server)
    for (let i = 0; i < 5; i++) expect((await fetch(`${url}/t/secret-row/f:q`)).status).toBe(200)
    const metrics = await (await fetch(`http://127.0.0.1:${server.ports.web}/metrics`)).text()
    expect(metrics).toMatch(/^tidegate_trace_spans_total\{outcome="dropped"\} 0$/m)
    expect(metrics).toMatch(/^tidegate_trace_queue_spans [1-9]/m)
  })
  await collector.listen()
})
