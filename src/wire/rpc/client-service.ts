/** The methods of ClientService that reads and writes consist of, written by hand: a call costs little more than its bytes. */

import type { Condition } from '../../model/mutation.ts'
import { MessageReader } from './message-reader.ts'
import type { MessageWriter } from './message-writer.ts'
import { type MutationMessage, writeCondition, writeMutation } from './mutation-messages.ts'
import { type GetMessage, type ScanMessage, writeGet, writeRegion, writeScan } from './query-messages.ts'
import {
  type MultiResponse,
  type MutateResponse,
  type ResultMessage,
  readGetResponse,
  readMultiResponse,
  readMutateResponse,
  readScanResponse,
  type ScanResponse,
} from './result-messages.ts'
import type { RpcMethod } from './rpc-method.ts'

export interface GetRequest extends GetMessage {
  /** The region's full name. */
  readonly region: Buffer
}

export interface MutateRequest {
  readonly region: Buffer
  readonly mutation: MutationMessage
  readonly condition?: Condition | undefined
  readonly nonceGroup?: bigint | undefined
}

/** Opens a scanner, and reads from it at once. */
export interface OpenScanRequest extends ScanMessage, ScanStep {
  readonly region: Buffer
}

/** Goes on with a scanner. */
export interface NextScanRequest extends ScanStep {
  readonly scannerId: bigint
  /** 0 for the first step after the one that opened it, and so on: the server refuses one that comes twice. */
  readonly nextCallSeq: number
  /** Asks for nothing but that the scanner lives on. */
  readonly renew?: boolean
}

interface ScanStep {
  /** Rows to answer with at most; 0: just open, or close. */
  readonly rows: number
  readonly close?: boolean
  /** Rows until the scan is over: the server then closes the scanner itself. 0: no limit. */
  readonly limitOfRows?: number
}

export interface GetAction extends GetMessage {
  readonly index: number
}

export interface MutationAction extends MutationMessage {
  readonly index: number
}

export interface RegionAction {
  readonly region: Buffer
  /** All or nothing; the mutations are then of one row. */
  readonly atomic?: boolean
  readonly gets?: readonly GetAction[]
  readonly mutations?: readonly MutationAction[]
  /** Of an atomic one: nothing is done where it does not hold. */
  readonly condition?: Condition | undefined
}

export interface MultiRequest {
  readonly regions: readonly RegionAction[]
  readonly nonceGroup?: bigint | undefined
}

const SERVICE = 'ClientService'

export const GET: RpcMethod<GetRequest, ResultMessage> = {
  service: SERVICE,
  name: 'Get',
  encode(request, writer) {
    writeRegion(writer, 1, request.region)
    writeGet(writer, 2, request)
  },
  decode: (buffer, start, end) => readGetResponse(new MessageReader(buffer, start, end)),
}

export const MUTATE: RpcMethod<MutateRequest, MutateResponse> = {
  service: SERVICE,
  name: 'Mutate',
  encode(request, writer) {
    writeRegion(writer, 1, request.region)
    writeMutation(writer, 2, request.mutation)
    if (request.condition !== undefined) writeCondition(writer, 3, request.mutation.row, request.condition)
    if (request.nonceGroup !== undefined) writer.int64(4, request.nonceGroup)
  },
  decode: (buffer, start, end) => readMutateResponse(new MessageReader(buffer, start, end)),
}

/** Field numbers of ScanRequest. PERSISTED: never renumber. */
const ScanField = {
  region: 1,
  scan: 2,
  scannerId: 3,
  numberOfRows: 4,
  closeScanner: 5,
  nextCallSeq: 6,
  clientHandlesPartials: 7,
  clientHandlesHeartbeats: 8,
  renew: 10,
  limitOfRows: 11,
} as const

export const SCAN: RpcMethod<OpenScanRequest | NextScanRequest, ScanResponse> = {
  service: SERVICE,
  name: 'Scan',
  encode(request, writer) {
    if ('region' in request) {
      writeRegion(writer, ScanField.region, request.region)
      writeScan(writer, ScanField.scan, request)
    } else {
      writer.int64(ScanField.scannerId, request.scannerId)
      writer.uint32(ScanField.nextCallSeq, request.nextCallSeq)
      if (request.renew === true) writer.bool(ScanField.renew, true)
    }
    writer.uint32(ScanField.numberOfRows, request.rows)
    if (request.close === true) writer.bool(ScanField.closeScanner, true)
    writer.bool(ScanField.clientHandlesPartials, true)
    writer.bool(ScanField.clientHandlesHeartbeats, true)
    const limit = request.limitOfRows ?? 0
    if (limit > 0) writer.uint32(ScanField.limitOfRows, limit)
  },
  decode: (buffer, start, end) => readScanResponse(new MessageReader(buffer, start, end)),
}

export const MULTI: RpcMethod<MultiRequest, MultiResponse> = {
  service: SERVICE,
  name: 'Multi',
  encode(request, writer) {
    for (const region of request.regions) writeRegionAction(writer, region)
    if (request.nonceGroup !== undefined) writer.int64(2, request.nonceGroup)
  },
  decode: (buffer, start, end) => readMultiResponse(new MessageReader(buffer, start, end)),
}

function writeRegionAction(writer: MessageWriter, action: RegionAction): void {
  const start = writer.begin(1)
  writeRegion(writer, 1, action.region)
  if (action.atomic === true) writer.bool(2, true)
  for (const get of action.gets ?? []) {
    const at = writer.begin(3)
    writer.uint32(1, get.index)
    writeGet(writer, 3, get)
    writer.end(at)
  }
  const mutations = action.mutations ?? []
  for (const mutation of mutations) {
    const at = writer.begin(3)
    writer.uint32(1, mutation.index)
    writeMutation(writer, 2, mutation)
    writer.end(at)
  }
  if (action.condition !== undefined && mutations.length > 0) {
    writeCondition(writer, 4, mutations[0]!.row, action.condition)
  }
  writer.end(start)
}
