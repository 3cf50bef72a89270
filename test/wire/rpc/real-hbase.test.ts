import { randomBytes } from 'node:crypto'
import { fromBinary } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { ColumnsBuilder, get, scan } from '../../../src/model/query.ts'
import { GZIP } from '../../../src/wire/rpc/cell-block-compressor.ts'
import { GET, MULTI, MUTATE, type OpenScanRequest, SCAN } from '../../../src/wire/rpc/client-service.ts'
import { type RegionInfo, RegionInfoSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { ClientMetaService } from '../../../src/wire/rpc/gen/registry_pb.ts'
import { MutationType } from '../../../src/wire/rpc/mutation-messages.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { connect, type RpcConnection } from '../../../src/wire/rpc/rpc-connection.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'

/** As the launcher of a real HBase prints it: `... regionserver=PORT ...`. */
const port = /\bregionserver[:=](\d+)/.exec(process.env['TIDEGATE_REAL_HBASE'] ?? '')?.[1]

const META = Buffer.from('hbase:meta,,1')
const SYSTEM_PRIORITY = 200
const family = Buffer.from('f')
const qualifier = Buffer.from('q')
const columns = new ColumnsBuilder().addColumn(family, qualifier).build()

function open(region: Buffer, options: Partial<OpenScanRequest> = {}): OpenScanRequest {
  return {
    region,
    scan: scan(),
    startRow: EMPTY,
    includeStartRow: true,
    stopRow: EMPTY,
    includeStopRow: false,
    maxResultSize: 2_000_000,
    caching: 1000,
    rows: 1000,
    ...options,
  }
}

describe.runIf(port !== undefined)('a real HBase', () => {
  const table = {
    namespace: Buffer.from('default'),
    qualifier: Buffer.from(`rpc_${randomBytes(4).toString('hex')}`),
  }
  const connections: RpcConnection[] = []
  let client: RpcConnection
  let master: RpcConnection
  let region: Buffer

  async function connected(at: number, service: string, compress = false): Promise<RpcConnection> {
    const compressor = compress ? GZIP : undefined
    const connection = await connect({ host: '127.0.0.1', port: at, service, user: 'tidegate', compressor })
    connections.push(connection)
    return connection
  }

  /** Waits for a procedure of the master. */
  async function finished(procId: bigint): Promise<void> {
    for (;;) {
      const asked = rpcMethod(MasterService.method.getProcedureResult)
      const { message } = await master.call(asked, { procId })
      expect(message.exception).toBeUndefined()
      if (message.state !== 1) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  beforeAll(async () => {
    const registry = await connected(Number(port), 'ClientMetaService')
    const { message } = await registry.call(rpcMethod(ClientMetaService.method.getActiveMaster), {})
    master = await connected(message.serverName!.port, 'MasterService')
    client = await connected(Number(port), 'ClientService')
    const tableSchema = { tableName: table, columnFamilies: [{ name: family }] }
    const created = await master.call(rpcMethod(MasterService.method.createTable), { tableSchema })
    await finished(created.message.procId)
    const start = Buffer.concat([table.qualifier, Buffer.from(',,')])
    const info = new ColumnsBuilder().addColumn(Buffer.from('info'), Buffer.from('regioninfo')).build()
    const rows = await client.call(
      SCAN,
      open(META, { scan: scan({ columns: info }), startRow: start, rows: 1, close: true }),
      { priority: SYSTEM_PRIORITY },
    )
    region = Buffer.from(cellsOf(rows.cells)[0]!.row)
  })

  afterAll(async () => {
    const disabled = await master.call(rpcMethod(MasterService.method.disableTable), { tableName: table })
    await finished(disabled.message.procId)
    const deleted = await master.call(rpcMethod(MasterService.method.deleteTable), { tableName: table })
    await finished(deleted.message.procId)
    for (const connection of connections) connection.close()
  })

  test('answers as a registry', async () => {
    const registry = await connected(Number(port), 'ClientMetaService')
    const { method } = ClientMetaService
    const id = await registry.call(rpcMethod(method.getClusterId), {})
    expect(id.message.clusterId).toMatch(/^[0-9a-f-]{36}$/)
    const masters = await registry.call(rpcMethod(method.getMasters), {})
    expect(masters.message.masterServers.some(({ isActive }) => isActive)).toBe(true)
    const meta = await registry.call(rpcMethod(method.getMetaRegionLocations), {})
    expect(meta.message.metaLocations[0]?.regionInfo?.tableName?.qualifier).toEqual(Buffer.from('meta'))
    const bootstrap = await registry.call(rpcMethod(method.getBootstrapNodes), {})
    expect(bootstrap.message.serverName.map((server) => server.port)).toContain(Number(port))
  })

  test('gives a row of hbase:meta to a get, and all of them to a scan', async () => {
    const got = await client.call(GET, { region: META, get: get(region) }, { priority: SYSTEM_PRIORITY })
    expect(got.message.cellCount).toBe(got.cellCount)
    const cells = cellsOf(got.cells)
    expect(cells.every(({ row }) => row.equals(region))).toBe(true)
    const { value } = cells.find((cell) => cell.qualifier.equals(Buffer.from('regioninfo')))!
    expect(value.subarray(0, 4).toString()).toBe('PBUF')
    const info: RegionInfo = fromBinary(RegionInfoSchema, value.subarray(4))
    expect(info.tableName?.qualifier).toEqual(table.qualifier)
    const all = await client.call(SCAN, open(META), { priority: SYSTEM_PRIORITY })
    expect(all.message.cellsPerResult.reduce((sum, count) => sum + count)).toBe(all.cellCount)
    expect(cellsOf(all.cells).some(({ row }) => row.equals(region))).toBe(true)
  })

  test.each([false, true])('takes writes and reads them back, cells compressed: %s', async (compress) => {
    const connection = await connected(Number(port), 'ClientService', compress)
    const batch = new MutationBatch()
    for (let i = 0; i < 100; i++) {
      batch.put(Buffer.from(`row${i}`), family, qualifier, Buffer.from(`value ${i}`)).endMutation()
    }
    const mutations = batch.ends.map((_, index) => ({
      index,
      type: MutationType.Put,
      row: Buffer.from(`row${index}`),
      cellCount: 1,
      durability: 'USE_DEFAULT' as const,
    }))
    const cells: CellBlock[] = [batch.cells.block()]
    const put = await connection.call(MULTI, { regions: [{ region, mutations }] }, { cells })
    const { actions } = put.message.regions[0]!
    // Answered in the order of the rows.
    expect(actions.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
      mutations.map(({ index }) => index),
    )
    expect(actions.every(({ exception }) => exception === undefined)).toBe(true)
    const gets = ['row7', 'none', 'row99'].map((row, index) => ({
      index,
      get: get(Buffer.from(row), { columns }),
    }))
    const read = await connection.call(MULTI, { regions: [{ region, gets }] })
    expect(read.message.regions[0]?.actions.map(({ result }) => result?.cellCount)).toEqual([1, 0, 1])
    expect(cellsOf(read.cells).map(({ value }) => value.toString())).toEqual(['value 7', 'value 99'])

    const opened = await connection.call(SCAN, open(region, { rows: 30, scan: scan({ columns }) }))
    expect(opened.message).toMatchObject({ moreResults: true, moreResultsInRegion: true })
    const scannerId = opened.message.scannerId!
    const counts = [opened.cellCount]
    let more = true
    for (let nextCallSeq = 0; more; nextCallSeq++) {
      const step = await connection.call(SCAN, { scannerId, nextCallSeq, rows: 30 })
      counts.push(step.cellCount)
      more = step.message.moreResultsInRegion
    }
    expect(counts).toEqual([30, 30, 30, 10])

    const early = await connection.call(SCAN, open(region, { rows: 1, scan: scan({ columns }) }))
    const id = early.message.scannerId!
    await connection.call(SCAN, { scannerId: id, nextCallSeq: 0, rows: 0, renew: true })
    await connection.call(SCAN, { scannerId: id, nextCallSeq: 1, rows: 0, close: true })
    const closed = await connection
      .call(SCAN, { scannerId: id, nextCallSeq: 2, rows: 1 })
      .catch((error: unknown) => error)
    expect(closed).toBeInstanceOf(RemoteException)
  })

  test('counts, once a nonce', async () => {
    const row = Buffer.from('counter')
    const amount = Buffer.from('0000000000000005', 'hex')
    const cells = [new MutationBatch().put(row, family, qualifier, amount).cells.block()]
    // The server remembers nonces of all tables.
    const nonce = randomBytes(8).readBigUInt64BE()
    const mutation = {
      type: MutationType.Increment,
      row,
      cellCount: 1,
      durability: 'USE_DEFAULT' as const,
      nonce,
    }
    const request = { region, mutation, nonceGroup: 2n ** 63n }
    const first = await client.call(MUTATE, request, { cells })
    expect(cellsOf(first.cells)[0]?.value).toEqual(amount)
    const again = await client.call(MUTATE, request, { cells })
    expect(cellsOf(again.cells)[0]?.value).toEqual(amount)
    const next = await client.call(
      MUTATE,
      { ...request, mutation: { ...mutation, nonce: nonce ^ 1n } },
      { cells },
    )
    expect(cellsOf(next.cells)[0]?.value.readBigInt64BE()).toBe(10n)
  })

  test('changes a row on a condition', async () => {
    const row = Buffer.from('checked')
    const cells = [new MutationBatch().put(row, family, qualifier, Buffer.from('v')).cells.block()]
    const mutation = { type: MutationType.Put, row, cellCount: 1, durability: 'USE_DEFAULT' as const }
    const condition = { family, qualifier, operator: 'EQUAL' as const, value: undefined }
    const request = { region, mutation, condition }
    expect((await client.call(MUTATE, request, { cells })).message.processed).toBe(true)
    expect((await client.call(MUTATE, request, { cells })).message.processed).toBe(false)
    const matching = { ...condition, value: Buffer.from('v') }
    const increment = {
      index: 0,
      type: MutationType.Increment,
      row,
      cellCount: 1,
      durability: 'USE_DEFAULT' as const,
    }
    const one = Buffer.from('0000000000000001', 'hex')
    const counter = [new MutationBatch().put(row, family, Buffer.from('n'), one).cells.block()]
    const atomic = { region, atomic: true, mutations: [increment], condition: matching }
    const answer = await client.call(MULTI, { regions: [atomic] }, { cells: counter })
    expect(answer.message.regions[0]?.processed).toBe(true)
    const { result } = answer.message.regions[0]!.actions[0]!
    expect(cellsOf(result!.inlineCells!)[0]?.value).toEqual(one)
  })

  test('refuses with its exceptions', async () => {
    const gone = await client
      .call(GET, { region: Buffer.from('none,,1'), get: get(Buffer.from('a')) })
      .catch((error: unknown) => error)
    expect(gone).toBeInstanceOf(RemoteException)
    expect(gone).toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.NotServingRegionException',
      doNotRetry: false,
    })
    const wrong = new ColumnsBuilder().addFamily(Buffer.from('no')).build()
    const refused = await client
      .call(GET, { region, get: get(Buffer.from('a'), { columns: wrong }) })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException',
      doNotRetry: true,
    })
    expect(client.closedBy).toBeUndefined()
    const unknown = await connect({
      host: '127.0.0.1',
      port: Number(port),
      service: 'NoService',
      user: 'tidegate',
    })
    const method = { ...GET, service: 'NoService' }
    const closed = await unknown.call(method, { region, get: get(region) }).catch((error: unknown) => error)
    expect(closed).toMatchObject({ code: 'CONNECTION_CLOSED' })
  })
})
