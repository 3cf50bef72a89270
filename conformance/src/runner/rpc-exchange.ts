/** Sends requests of native RPC, and fills in what only the running server knows: names of regions, ids of scanners. */

import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import type { ScanResponse } from '../../../src/wire/rpc/gen/client_pb.ts'
import { type RegionInfo, RegionInfoSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import {
  type GetProcedureResultResponse,
  GetProcedureResultResponse_State as State,
} from '../../../src/wire/rpc/gen/master_pb.ts'
import {
  type MutateRowsRequest,
  MutateRowsRequestSchema,
} from '../../../src/wire/rpc/gen/multi-row-mutation_pb.ts'
import { LAST_SCANNER, RegionInfoOf, RegionOf, type RpcFields, type RpcRequest, rpc } from './case.ts'
import { keepOwnNames, type OwnNames } from './own-names.ts'
import { printProcedureEnd, printRpcAnswer, printRpcRequest } from './print-rpc.ts'
import { decodeCells } from './rpc-cells.ts'
import { type RpcAnswer, RpcClient } from './rpc-client.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** Where the services listen: a region server and a master, which may be one. */
export interface RpcTarget {
  readonly regionServer: Address
  readonly master: Address
}

const META_REGION = Buffer.from('hbase:meta,,1')
const REGION_NAME = 1
/** Before the bytes of a message in a cell of hbase:meta. */
const MAGIC = Buffer.from('PBUF')
const REGIONS_MAX = 10_000
const PROCEDURE_TRIES = 600
const PROCEDURE_MS_MAX = 50
/** In the place of a region of a table that is not there. */
const NO_REGION = {
  regionId: 1n,
  tableName: { namespace: Buffer.from('default'), qualifier: Buffer.from('conf_rpc_none') },
}
/** An MD5 in hexadecimal digits. */
const ENCODED_BYTES = 32

export class RpcExchanger {
  readonly #target: RpcTarget
  readonly #isOwn: OwnNames
  readonly #timeoutMs: number
  readonly #clients = new Map<string, RpcClient>()
  /** Servers remember nonces for half an hour: those of an earlier run must not count. */
  readonly #ownNonces = randomBytes(8).readBigUInt64BE() >> 1n
  #scannerId = 0n

  /** `isOwn`: of the scenario. */
  constructor(target: RpcTarget, timeoutMs: number, isOwn: OwnNames) {
    this.#isOwn = isOwn
    this.#target = target
    this.#timeoutMs = timeoutMs
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
  }

  /** Rejects where the server does not answer as the protocol asks. */
  async send(request: RpcRequest): Promise<string> {
    const asked = printRpcRequest(request)
    const message = (await this.#filled(request.message)) as RpcFields
    const answer = await this.#call(request, message)
    if (answer.kind === 'result' && request.method === 'Scan') {
      const { scannerId } = answer.message as ScanResponse
      if (scannerId !== 0n) this.#scannerId = scannerId
    }
    if (answer.kind === 'result') keepOwnNames(answer.message, this.#isOwn)
    const exchanged = `${asked}\n${printRpcAnswer(answer)}`
    const procedure = answer.kind === 'result' ? (answer.message as { procId?: bigint }).procId : undefined
    return procedure === undefined || procedure === 0n
      ? exchanged
      : `${exchanged}\n  ${await this.#endOf(procedure)}`
  }

  /** The outcome of a master's procedure, in words. */
  async #endOf(procId: bigint): Promise<string> {
    for (let tries = 0; tries < PROCEDURE_TRIES; tries++) {
      const message = { procId }
      const asked = rpc('MasterService', 'getProcedureResult', message)
      const answer = await this.#call(asked, message)
      if (answer.kind === 'exception') return printRpcAnswer(answer)
      const { state, exception } = answer.message as GetProcedureResultResponse
      if (state !== State.RUNNING)
        return printProcedureEnd(state === State.FINISHED, exception?.genericException)
      await pause(Math.min(2 ** tries, PROCEDURE_MS_MAX))
    }
    throw new Error(`procedure ${procId} does not end`)
  }

  #call(request: RpcRequest, message: RpcFields): Promise<RpcAnswer> {
    const { service, withoutCodec = false, release } = request
    const key = `${service} ${withoutCodec} ${JSON.stringify(release)}`
    const address = service === 'MasterService' ? this.#target.master : this.#target.regionServer
    let client = this.#clients.get(key)
    if (client === undefined) {
      client = new RpcClient(address, request, this.#timeoutMs)
      this.#clients.set(key, client)
    }
    return client.call(request, message)
  }

  /** One after the other: a client has one call at a time. */
  async #filled(value: unknown): Promise<unknown> {
    if (value === LAST_SCANNER) return this.#scannerId
    if (value instanceof RegionOf) return this.#regionName(value)
    if (value instanceof RegionInfoOf) return this.#regionInfo(value)
    if (Array.isArray(value)) {
      const elements: unknown[] = []
      for (const each of value) elements.push(await this.#filled(each))
      return elements
    }
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
    const fields: Record<string, unknown> = {}
    for (const [name, each] of Object.entries(value)) {
      if (each === undefined) continue
      const isNonceGroup = name === 'nonceGroup' && typeof each === 'bigint' && each !== 0n
      fields[name] = isNonceGroup ? each ^ this.#ownNonces : await this.#filled(each)
    }
    const { methodName, request } = fields
    if (methodName === 'MutateRows' && Buffer.isBuffer(request))
      fields['request'] = this.#withOwnNonces(request)
    return fields
  }

  /** A call of the endpoint has its nonces within its bytes. */
  #withOwnNonces(request: Buffer): Buffer {
    let message: MutateRowsRequest
    try {
      message = fromBinary(MutateRowsRequestSchema, request)
    } catch {
      return request
    }
    if (message.nonceGroup === 0n) return request
    message.nonceGroup ^= this.#ownNonces
    return Buffer.from(toBinary(MutateRowsRequestSchema, message))
  }

  async #regionInfo({ table, row, replica }: RegionInfoOf): Promise<unknown> {
    const info = (await this.#regionOf(table, row))?.info
    return info === undefined ? NO_REGION : { ...info, replicaId: replica }
  }

  /** A name of no region for a table that is not there. */
  async #regionName({ table, row, isEncoded, replica }: RegionOf): Promise<Buffer> {
    if (table === 'hbase:meta') return META_REGION
    const found = await this.#regionOf(table, row)
    const first = found?.name ?? Buffer.from(`${table},,1.${'0'.repeat(32)}.`)
    const name = replica === 0 ? first : replicaName(first, replica)
    return isEncoded ? encodedName(name) : name
  }

  /** Reads hbase:meta as clients do. */
  async #regionOf(table: string, row: Buffer): Promise<{ name: Buffer; info: RegionInfo } | undefined> {
    const scan = {
      // HBase: MetaTableAccessor.getTableStartRowForMeta. Keys of hbase:meta are compared part by part.
      startRow: Buffer.from(`${table},,`),
      stopRow: Buffer.from(`${table} ,,`),
      column: [{ family: Buffer.from('info'), qualifier: [Buffer.from('regioninfo')] }],
    }
    const region = { type: REGION_NAME, value: META_REGION }
    const message = { region, scan, numberOfRows: REGIONS_MAX, closeScanner: true }
    const answer = await this.#call(rpc('ClientService', 'Scan', message), message)
    if (answer.kind === 'exception') throw new Error(`hbase:meta: ${answer.exception.exceptionClassName}`)
    const regions = decodeCells(answer.cells).map((cell) => ({
      name: cell.row,
      info: regionInfo(cell.value),
    }))
    return regions.find(({ info }) => holds(info, row))
  }
}

function regionInfo(value: Buffer): RegionInfo {
  const length = value.length - MAGIC.length
  return fromBinary(RegionInfoSchema, value.subarray(MAGIC.length, MAGIC.length + length))
}

function holds({ startKey, endKey, offline, split }: RegionInfo, row: Buffer): boolean {
  if (offline || split) return false
  return Buffer.compare(row, startKey) >= 0 && (endKey.length === 0 || Buffer.compare(row, endKey) < 0)
}

/** HBase: RegionInfo.createRegionName. */
function replicaName(first: Buffer, replica: number): Buffer {
  const number = replica.toString(16).toUpperCase().padStart(4, '0')
  const named = Buffer.concat([first.subarray(0, -ENCODED_BYTES - 2), Buffer.from(`_${number}`)])
  return Buffer.concat([named, Buffer.from(`.${createHash('md5').update(named).digest('hex')}.`)])
}

/** Between the last two dots. */
function encodedName(name: Buffer): Buffer {
  return name.subarray(name.length - ENCODED_BYTES - 1, name.length - 1)
}
