/** hbase:meta on a server for tests: rows in a list, answered as a region server answers scans and gets of it. */

import { create, toBinary } from '@bufbuild/protobuf'
import type { ConnectionRegistry } from '../../../../adapters/hbase/registry/connection-registry.ts'
import type {
  CallOptions,
  RpcConnection,
  RpcResponse,
} from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import type { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import type { CellParts } from '../../../../src/model/cell.ts'
import { blockOf, CellBlock } from '../../../../src/model/cell-block.ts'
import { regionName, replicaSuffix } from '../../../../src/model/region-name.ts'
import type { ServerName } from '../../../../src/model/server-name.ts'
import { namespaceOf, parseTableName, qualifierOf } from '../../../../src/model/table-name.ts'
import type { RegionCopy } from '../../../../src/store/catalog.ts'
import type { GetRequest, ScanRequest } from '../../../../src/wire/rpc/gen/client_pb.ts'
import {
  RegionInfoSchema,
  TableState_State,
  TableStateSchema,
} from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import type { RpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'
import { gate } from '../gate.ts'

export const SERVER_A: ServerName = { host: 'a', port: 16020, startCode: 1_700_000_000_001 }
export const SERVER_B: ServerName = { host: 'b', port: 16020, startCode: 1_700_000_000_002 }

export interface MetaRegion {
  readonly table: string
  readonly startKey: string
  readonly endKey: string
  readonly regionId?: number
  readonly server?: ServerName | undefined
  readonly openSequenceId?: number
  readonly isSplit?: boolean
  readonly copies?: readonly MetaCopy[]
}

export interface MetaCopy {
  readonly replica: number
  readonly server?: ServerName | undefined
  readonly openSequenceId?: number
  /** No server has it open any more; the one that had it last is still named. */
  readonly isClosed?: boolean
}

interface MetaRow {
  readonly key: Buffer
  readonly cells: readonly CellParts[]
}

export class FakeMeta implements RpcConnection {
  readonly states: Map<string, keyof typeof TableState_State> = new Map()
  readonly calls: {
    readonly method: string
    readonly timeoutMs: number | undefined
    readonly priority: number | undefined
  }[] = []
  /** One failure per call. */
  readonly failures: unknown[] = []
  /** Where the registry says that hbase:meta is; each question counts. */
  readonly metaServers: ServerName[] = [SERVER_A]
  readonly metaCopies: RegionCopy[] = []
  questions = 0
  readonly pending = 0
  readonly closedBy: RpcError | undefined = undefined
  #gate: Promise<void> | undefined
  #rows: MetaRow[] = []

  set regions(regions: readonly MetaRegion[]) {
    this.#rows = regions.map(rowOf).sort((a, b) => compareMetaKeys(a.key, b.key))
  }

  /** Holds all answers until the returned function is called. */
  hold(): () => void {
    const { promise, open } = gate()
    this.#gate = promise
    return open
  }

  async call<Request, Response>(
    method: RpcMethod<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<RpcResponse<Response>> {
    this.calls.push({ method: method.name, timeoutMs: options?.timeoutMs, priority: options?.priority })
    await this.#gate
    const failure = this.failures.shift()
    if (failure !== undefined) throw failure
    const { message, cells } = this.#answer(method.name, request)
    return { message: message as Response, cells: blockOf(cells), cellCount: cells.length }
  }

  beforeSending(work: () => void): void {
    setImmediate(work)
  }

  onClose(): void {
    // It never closes.
  }

  close(): void {
    // Nothing is open.
  }

  /** The registry that says where it is. */
  registry(): ConnectionRegistry {
    return {
      clusterId: () => Promise.resolve('id'),
      activeMaster: () => Promise.resolve(SERVER_A),
      metaLocation: () => {
        const server = this.metaServers[Math.min(this.questions, this.metaServers.length - 1)]!
        this.questions++
        return Promise.resolve({ server, copies: [...this.metaCopies] })
      },
      close: () => Promise.resolve(),
    }
  }

  #answer(method: string, request: unknown): { message: unknown; cells: CellParts[] } {
    if (method === 'Scan') return this.#scan(request as ScanRequest)
    if (method === 'Get') return this.#get(request as GetRequest)
    const { host, port, startCode } = this.metaServers[0]!
    const serverName = { hostName: host, port, startCode: BigInt(startCode) }
    const messages: Readonly<Record<string, object>> = {
      GetMetaRegionLocations: { metaLocations: [{ serverName }] },
      GetActiveMaster: { serverName },
      GetBootstrapNodes: { serverName: [serverName] },
    }
    return { message: messages[method], cells: [] }
  }

  #scan({ scan, limitOfRows }: ScanRequest): { message: unknown; cells: CellParts[] } {
    const { startRow, stopRow, reversed, includeStartRow } = scan!
    const [start, stop] = [Buffer.from(startRow), Buffer.from(stopRow)]
    const rows = reversed ? this.#rows.toReversed() : this.#rows
    const direction = reversed ? -1 : 1
    const wanted = rows.filter(({ key }) => {
      const fromStart = compareMetaKeys(key, start) * direction
      const afterStart = fromStart > 0 || (fromStart === 0 && includeStartRow)
      return afterStart && compareMetaKeys(key, stop) * direction < 0
    })
    const page = wanted.slice(0, limitOfRows)
    const cells = page.flatMap((row) => row.cells)
    return { message: { moreResultsInRegion: page.length < wanted.length }, cells }
  }

  #get({ get }: GetRequest): { message: unknown; cells: CellParts[] } {
    const row = Buffer.from(get!.row)
    const state = this.states.get(row.toString())
    if (state === undefined) return { message: {}, cells: [] }
    const value = toBinary(TableStateSchema, create(TableStateSchema, { state: TableState_State[state] }))
    return { message: {}, cells: [cellOf(row, 'table', 'state', Buffer.from(value))] }
  }
}

/** A block of rows as a server sends them. */
export function metaBlock(regions: readonly MetaRegion[]): CellBlock {
  return blockOf(regions.flatMap((region) => rowOf(region).cells))
}

function rowOf(region: MetaRegion): MetaRow {
  const { startKey, endKey, server, isSplit = false, openSequenceId = 2 } = region
  const table = parseTableName(region.table)
  const regionId = region.regionId ?? 1_700_000_000_000
  const key = regionName(table, Buffer.from(startKey), regionId).name
  const info = create(RegionInfoSchema, {
    regionId: BigInt(regionId),
    tableName: { namespace: Buffer.from(namespaceOf(table)), qualifier: Buffer.from(qualifierOf(table)) },
    startKey: Buffer.from(startKey),
    endKey: Buffer.from(endKey),
    offline: isSplit,
    split: isSplit,
  })
  const regionInfo = Buffer.concat([Buffer.from('PBUF'), toBinary(RegionInfoSchema, info)])
  const cells = [cellOf(key, 'info', 'regioninfo', regionInfo)]
  const openings = [{ replica: 0, server, openSequenceId }, ...(region.copies ?? [])]
  for (const opening of openings) cells.push(...openingCells(key, opening))
  cells.push(cellOf(key, 'info', 'state', Buffer.from(isSplit ? 'SPLIT' : 'OPEN')))
  return { key, cells }
}

/** In the order of their columns, of one copy; a copy without a server has an empty column of it. */
function openingCells(
  key: Buffer,
  { replica, server, openSequenceId = 2, isClosed = false }: MetaCopy,
): CellParts[] {
  if (server === undefined)
    return replica === 0 ? [] : [cellOf(key, 'info', column('server', replica), EMPTY)]
  return [
    cellOf(key, 'info', column('seqnumDuringOpen', replica), long(openSequenceId)),
    cellOf(key, 'info', column('server', replica), Buffer.from(`${server.host}:${server.port}`)),
    cellOf(key, 'info', column('serverstartcode', replica), long(server.startCode)),
    cellOf(key, 'info', column('state', replica), Buffer.from(isClosed ? 'CLOSED' : 'OPEN')),
  ]
}

function column(name: string, replica: number): string {
  return name + replicaSuffix(replica)
}

function cellOf(row: Buffer, family: string, qualifier: string, value: Buffer): CellParts {
  return {
    row,
    family: Buffer.from(family),
    qualifier: Buffer.from(qualifier),
    timestamp: 1n,
    type: 4,
    value,
  }
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

/** HBase: MetaRowComparator. */
function compareMetaKeys(a: Buffer, b: Buffer): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  return left[0].compare(right[0]) || left[1].compare(right[1]) || left[2].compare(right[2])
}

function partsOf(key: Buffer): readonly [Buffer, Buffer, Buffer] {
  const first = key.indexOf(',')
  const last = key.lastIndexOf(',')
  return [key.subarray(0, first), key.subarray(first + 1, last), key.subarray(last + 1)]
}
