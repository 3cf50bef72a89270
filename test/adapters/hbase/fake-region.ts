import type { ScanRequest, ScanResponse } from '../../../adapters/hbase/messages/scan-method.ts'
import type { Mutation } from '../../../adapters/hbase/messages/write-mutation.ts'
import { compareBytes } from '../../../src/model/bytes.ts'
import type { CellParts } from '../../../src/model/cell.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import { remote } from './remote.ts'

export interface FakeAnswer {
  readonly message: unknown
  readonly cells: CellParts[]
}

interface FakeScanner {
  readonly scan: Scan
  /** Cells that are still to come. */
  cells: CellParts[]
  sequence: number
  /** The row of which a part was answered last. */
  partOf: Buffer | undefined
}

let lastScannerId = 0n

/** The number of rows that each answer to a scan reports as passed over by its filter, if the scan asks for it. */
export const FILTERED_AN_ANSWER = 3

/** Cells of a range of rows, in their order, and the scanners over them. */
export class FakeRegion {
  readonly startKey: string
  readonly endKey: string
  readonly regionId: number
  readonly name: Buffer
  readonly cells: CellParts[] = []
  server: ServerName
  /** Its server is the one that had it last. */
  isClosed = false
  /** How often it was opened. */
  openings = 2
  readonly #scanners = new Map<bigint, FakeScanner>()

  constructor(region: Pick<FakeRegion, 'startKey' | 'endKey' | 'regionId' | 'name' | 'server'>) {
    this.startKey = region.startKey
    this.endKey = region.endKey
    this.regionId = region.regionId
    this.name = region.name
    this.server = region.server
  }

  readonly hasScanner = (id: bigint): boolean => this.#scanners.has(id)

  get openScanners(): number {
    return this.#scanners.size
  }

  has(row: Buffer): boolean {
    const isFrom = compareBytes(row, Buffer.from(this.startKey)) >= 0
    return isFrom && (this.endKey === '' || compareBytes(row, Buffer.from(this.endKey)) < 0)
  }

  add(cell: CellParts): void {
    this.cells.push(cell)
  }

  moveTo(server: ServerName): void {
    this.server = server
    this.openings++
    this.forgetScanners()
  }

  forgetScanners(): void {
    this.#scanners.clear()
  }

  get(row: Buffer): FakeAnswer {
    const cells = this.cells.filter((cell) => cell.row.equals(row))
    return { message: { cellCount: cells.length, own: undefined }, cells }
  }

  apply(_mutation: Mutation, cells: readonly CellParts[]): void {
    for (const cell of cells) this.add(cell)
  }

  open(request: ScanRequest & { kind: 'open' }, budget: number): FakeAnswer {
    const { scan, part } = request
    const [start, stop] = [part.startRow, scan.stopRow]
    const direction = scan.reversed ? -1 : 1
    const wanted = this.cells.filter(({ row }) => {
      const fromStart = start.length === 0 ? 1 : compareBytes(row, start) * direction
      const toStop = stop.length === 0 ? -1 : compareBytes(row, stop) * direction
      const isFrom = fromStart > 0 || (fromStart === 0 && part.includeStartRow)
      return isFrom && (toStop < 0 || (toStop === 0 && scan.includeStopRow))
    })
    const cells = scan.reversed ? rowsBackwards(wanted) : wanted
    const id = ++lastScannerId
    this.#scanners.set(id, { scan, cells, sequence: 0, partOf: undefined })
    return this.#answer(id, request, budget)
  }

  goOn(request: Exclude<ScanRequest, { kind: 'open' }>, budget: number): FakeAnswer {
    if (request.kind === 'close') {
      this.#scanners.delete(request.scannerId)
      return { message: {}, cells: [] }
    }
    const scanner = this.#scanners.get(request.scannerId)!
    if (scanner.sequence++ !== request.sequence) throw remote('exceptions.OutOfOrderScannerNextException')
    return this.#answer(request.scannerId, request, budget)
  }

  /** As RSRpcServices.scan: `budget` cells and `rows` results at most, and rows up to `limit`. */
  #answer(id: bigint, { rows, limit, countsRows = false }: Asked, budget: number): FakeAnswer {
    const scanner = this.#scanners.get(id)!
    const answered: CellParts[] = []
    const counts: number[] = []
    const mayGoOn: boolean[] = []
    const batch = scanner.scan.batch > 0 ? scanner.scan.batch : Number.POSITIVE_INFINITY
    let complete = 0
    let { partOf } = scanner
    const isAtLimit = (): boolean => limit > 0 && complete >= limit
    while (scanner.cells.length > 0 && counts.length < rows && answered.length < budget) {
      const { row } = scanner.cells[0]!
      if (partOf !== undefined && !partOf.equals(row)) complete++
      if (isAtLimit()) break
      const ended = scanner.cells.findIndex((cell) => !cell.row.equals(row))
      const ofRow = ended < 0 ? scanner.cells.length : ended
      const count = Math.min(ofRow, batch, budget - answered.length)
      answered.push(...scanner.cells.splice(0, count))
      // That the row has ended is only seen when one more cell is looked at.
      const isCut = count === batch || answered.length === budget
      counts.push(count)
      mayGoOn.push(isCut)
      partOf = isCut ? row : undefined
      if (!isCut) complete++
      if (isAtLimit()) break
    }
    scanner.partOf = partOf
    const moreInRegion = scanner.cells.length > 0 || mayGoOn.at(-1) === true
    const moreResults = !isAtLimit()
    if (!moreInRegion || !moreResults) this.#scanners.delete(id)
    const lastMayGoOn = mayGoOn.at(-1) ?? false
    const message: ScanResponse = {
      scannerId: id,
      moreResults,
      moreResultsInRegion: moreInRegion,
      counts,
      lastMayGoOn,
      mayGoOn: mayGoOn.slice(0, -1).includes(true) ? mayGoOn : undefined,
      readPoint: 5n,
      cursorRow: counts.length === 0 && moreInRegion ? scanner.cells[0]!.row : Buffer.alloc(0),
      rows: countsRows ? { scanned: complete + FILTERED_AN_ANSWER, filtered: FILTERED_AN_ANSWER } : undefined,
    }
    return { message, cells: answered }
  }
}

interface Asked {
  readonly rows: number
  readonly limit: number
  readonly countsRows?: boolean
}

/** Rows in descending order, each with its cells ascending. */
function rowsBackwards(cells: readonly CellParts[]): CellParts[] {
  const rows: CellParts[][] = []
  for (const cell of cells) {
    const last = rows.at(-1)
    if (last?.[0]!.row.equals(cell.row)) last.push(cell)
    else rows.push([cell])
  }
  return rows.reverse().flat()
}
