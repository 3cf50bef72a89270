import {
  exceptionOf,
  type RequestLog,
  shownBytes,
  type TracedRequest,
} from '../../../gateway/observing/logs/access-log.ts'
import { tableOfRegion } from '../../../model/region-name.ts'
import type { Call } from '../../../store/call.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { MalformedMessage, MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { RequestFrame } from '../../../wire/rpc/request-frame.ts'
import { readTraceInfo } from '../../../wire/rpc/trace-info.ts'
import { readRegionSpecifier } from '../regions/read-region.ts'

/** A call that gets a line in the access log when it ends. */
export class NotedCall {
  readonly #log: RequestLog
  readonly #door: string
  readonly #call: Call
  readonly #service: string
  readonly #method: string
  readonly #bytesIn: number
  readonly #asked: Asked
  readonly #since: number = performance.now()
  readonly #traced: TracedRequest | undefined

  /** `buffer`: the frame. It is read here, and not kept. */
  constructor(
    log: RequestLog,
    door: string,
    call: Call,
    service: string,
    frame: RequestFrame,
    buffer: Buffer,
  ) {
    this.#log = log
    this.#door = door
    this.#call = call
    this.#service = service
    this.#method = frame.method
    this.#bytesIn = buffer.length
    this.#traced = log.begin?.(readTraceInfo(frame.traceInfo))
    this.#asked = askedOf(frame, buffer, log.showsRows)
  }

  /** The trace for the call of the store; undefined where the call is not traced. */
  get trace(): string | undefined {
    return this.#traced?.trace
  }

  end(bytesOut: number, error?: unknown): void {
    const { client, principal } = this.#call
    const access = {
      door: this.#door,
      client,
      principal: principal?.user,
      method: this.#service,
      call: this.#method,
      table: this.#asked.table,
      exception: error === undefined ? undefined : exceptionWord(error),
      bytesIn: this.#bytesIn,
      bytesOut,
      ms: Math.round((performance.now() - this.#since) * 1000) / 1000,
      asked: this.#asked.row,
    }
    this.#log.write(access, this.#traced)
  }
}

function exceptionWord(error: unknown): string {
  return error instanceof MalformedMessage ? 'PROTOCOL' : exceptionOf(error)
}

interface Asked {
  readonly table?: string | undefined
  readonly row?: string | undefined
}

const REGION = 1
/** For each method whose requests begin with a region: the field of the message that has the row, and the row's field in it. */
const ROWS: Readonly<Record<string, readonly [message: number, row: number]>> = {
  Get: [Field.GetRequest.get, Field.Get.row],
  Mutate: [Field.MutateRequest.mutation, Field.Mutation.row],
  Scan: [Field.ScanRequest.scan, Field.Scan.startRow],
}
const REGION_METHODS: ReadonlySet<string> = new Set([
  ...Object.keys(ROWS),
  'Multi',
  'ExecService',
  'GetRegionInfo',
  'FlushRegion',
  'CompactRegion',
  'BulkLoadHFile',
])

/** The table and row that a request names; absent where it names none, or cannot be read. */
function askedOf({ method, parameter }: RequestFrame, buffer: Buffer, showsRow: boolean): Asked {
  if (parameter === undefined || !REGION_METHODS.has(method)) return {}
  try {
    return readAsked(method, new MessageReader(buffer, parameter.start, parameter.end), showsRow)
  } catch {
    return {}
  }
}

function readAsked(method: string, reader: MessageReader, showsRow: boolean): Asked {
  const [message, rowField] = (showsRow ? ROWS[method] : undefined) ?? []
  let table: string | undefined
  let row: string | undefined
  while (reader.next()) {
    if (reader.field === REGION && table === undefined) {
      table = method === 'Multi' ? tableOfFirst(reader.message()) : tableOf(reader.message())
      if (message === undefined) break
    } else if (reader.field === message) {
      row = bytesOf(reader.message(), rowField)
      break
    } else reader.skip()
  }
  return { table, row }
}

/** The table of a RegionAction. */
function tableOfFirst(reader: MessageReader): string | undefined {
  while (reader.next()) {
    if (reader.field === Field.RegionAction.region) return tableOf(reader.message())
    reader.skip()
  }
  return undefined
}

function tableOf(reader: MessageReader): string | undefined {
  return tableOfRegion(readRegionSpecifier(reader).name)
}

function bytesOf(reader: MessageReader, field: number | undefined): string | undefined {
  while (reader.next()) {
    if (reader.field === field) return shownBytes(reader.bytes(), 'latin1')
    reader.skip()
  }
  return undefined
}
