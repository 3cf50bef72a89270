/**
 * A cluster for tests: servers that hold the cells of one table in regions, answer reads and writes as region servers do,
 * and misbehave where a test wants it. Messages are passed as objects: the codecs have tests of their own.
 */

import { Cluster } from '../../../adapters/hbase/cluster/cluster.ts'
import { DEFAULT_HBASE_OPTIONS, type HBaseOptions } from '../../../adapters/hbase/config/hbase-options.ts'
import type { UserPassing } from '../../../adapters/hbase/connections/passed-user.ts'
import type { GetRequest } from '../../../adapters/hbase/messages/get-method.ts'
import type { ActionResult, MultiRequest } from '../../../adapters/hbase/messages/multi-method.ts'
import type { MutateRequest } from '../../../adapters/hbase/messages/mutate-method.ts'
import { NO_RESULT, type ResultMessage } from '../../../adapters/hbase/messages/result-message.ts'
import type { ScanRequest } from '../../../adapters/hbase/messages/scan-method.ts'
import { areGone, type Callers, watchCallers } from '../../../adapters/hbase/rpc/caller-watch.ts'
import type { CallOptions } from '../../../adapters/hbase/rpc/rpc-connection.ts'
import type { CellParts } from '../../../src/model/cell.ts'
import { type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import { regionName, replicaName } from '../../../src/model/region-name.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import type { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { FakeMeta, type MetaRegion, SERVER_A, SERVER_B } from './cluster/fake-meta.ts'
import { FakeConnection } from './fake-connection.ts'
import { type FakeAnswer, FakeRegion } from './fake-region.ts'
import { gate } from './gate.ts'
import { remote } from './remote.ts'
import { ManualTime, settled } from './retry/manual-time.ts'
import { cancelled, unanswered } from './unanswered-call.ts'

export const TABLE: TableName = parseTableName('t')
export const SERVERS: readonly ServerName[] = [SERVER_A, SERVER_B]

/** Called before a call is carried out; what it throws is the answer. */
export type Mischief = (method: string, request: unknown) => void

export class FakeCluster {
  readonly time: ManualTime = new ManualTime()
  readonly meta: FakeMeta = new FakeMeta()
  readonly cluster: Cluster
  /** Of the table's regions, what was asked: `Scan a` where it was server a. */
  readonly calls: string[] = []
  readonly requests: unknown[] = []
  /** Of everything, hbase:meta too, whose call it was: `Get as u`. */
  readonly users: string[] = []
  readonly options: CallOptions[] = []
  before: Mischief = () => undefined
  /** After it has been carried out: the answer is lost where it throws. */
  after: Mischief = () => undefined
  /** The results that a Multi returns for the mutations of a region, out of all its results. */
  said: (results: readonly ActionResult[]) => readonly ActionResult[] = (results) => results
  /** Servers that do not answer the calls that they get. */
  readonly silentHosts: Set<string> = new Set()
  /** Rows of which no server wants to hear. */
  readonly refusedRows: Set<string> = new Set()
  /** Rows that no answer has room for. */
  readonly fullRows: Set<string> = new Set()
  /** How many cells the next answer of a scan has at most. */
  cellsOfAnswer: () => number = () => 1_000_000
  regions: FakeRegion[] = []
  /** By the name of the region that they are copies of, in the order of their numbers. */
  readonly #copies = new Map<string, FakeRegion[]>()
  readonly #loans: (() => void)[] = []
  #gate: Promise<void> | undefined
  #nextRegionId = 1_700_000_000_000

  constructor(options: Partial<HBaseOptions> = {}, passing?: UserPassing) {
    this.meta.states.set('t', 'ENABLED')
    this.cluster = new Cluster({
      cluster: { registry: 'bootstrap', servers: [{ host: 'seed', port: 1 }], znodeParent: '/hbase' },
      options: { ...DEFAULT_HBASE_OPTIONS, ...options },
      user: 'u',
      time: this.time,
      random: () => 0,
      passing,
      connect: ({ host, user }) => Promise.resolve(new FakeConnection(this, host, user)),
    })
  }

  /** Calls of the table's regions wait until the function that it returns is called. */
  hold(): () => void {
    const { promise, open } = gate()
    this.#gate = promise
    return open
  }

  /** When a call may be carried out. Rejects where its callers hang up before that. */
  async turn(callers: Callers, host: string): Promise<void> {
    if (areGone(callers)) throw cancelled()
    const gone = new Promise<never>((_, reject) => {
      watchCallers(callers, { callerGone: () => void (areGone(callers) && reject(cancelled())) })
    })
    const silence = this.silentHosts.has(host) ? unanswered(this.time, this.cluster.options) : undefined
    await Promise.race([silence ?? this.#gate ?? Promise.resolve(), gone])
  }

  /** As HBaseHandouts.lend. */
  readonly lend = (release: () => void): number => this.#loans.push(release) - 1

  release(loan: number | undefined): void {
    if (loan !== undefined) this.#loans[loan]!()
  }

  /** Cuts the table at these keys; the regions are on the servers in turn. */
  layOut(splitKeys: readonly string[], cells: readonly CellParts[]): void {
    this.regions = ['', ...splitKeys].map((startKey, index) => {
      return this.#region(startKey, splitKeys[index] ?? '', SERVERS[index % SERVERS.length]!)
    })
    for (const cell of cells) this.#regionOf(cell.row).add(cell)
    this.#publish()
  }

  move(index: number): void {
    const region = this.regions[index % this.regions.length]!
    region.moveTo(region.server === SERVER_A ? SERVER_B : SERVER_A)
    this.#publish()
  }

  /** Another copy for reads of the region, which has these cells and is on that server. */
  addCopy(index: number, server: ServerName, cells: readonly CellParts[]): FakeRegion {
    const { startKey, endKey, regionId, name } = this.regions[index]!
    const copies = this.#copies.get(name.toString()) ?? []
    const own = replicaName(name, copies.length + 1).name
    const copy = new FakeRegion({ startKey, endKey, regionId, name: own, server })
    for (const cell of cells) copy.add(cell)
    this.#copies.set(name.toString(), [...copies, copy])
    this.#publish()
    return copy
  }

  moveCopy(copy: FakeRegion, server: ServerName): void {
    copy.moveTo(server)
    this.#publish()
  }

  /** The region that has the key between its borders; its scanners are gone. */
  split(key: string): void {
    const parent = this.#regionOf(Buffer.from(key))
    if (parent.startKey === key) return
    const halves = [this.#region(parent.startKey, key, SERVER_B), this.#region(key, parent.endKey, SERVER_A)]
    this.regions.splice(this.regions.indexOf(parent), 1, ...halves)
    for (const cell of parent.cells) this.#regionOf(cell.row).add(cell)
    this.#publish()
  }

  /** The region that has the key and the one behind it; their scanners are gone. */
  merge(key: string): void {
    const at = this.regions.indexOf(this.#regionOf(Buffer.from(key)))
    const [first, second] = this.regions.slice(at, at + 2)
    if (first === undefined || second === undefined) return
    const merged = this.#region(first.startKey, second.endKey, SERVER_A)
    for (const cell of [...first.cells, ...second.cells]) merged.add(cell)
    this.regions.splice(at, 2, merged)
    this.#publish()
  }

  forgetScanners(): void {
    for (const region of this.regions) region.forgetScanners()
  }

  /** The outcome of a promise, while time passes as fast as possible. */
  async passing<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false
    const done = promise.finally(() => {
      isSettled = true
    })
    done.catch(() => undefined)
    for (let turn = 0; turn < 10_000; turn++) {
      await settled()
      if (isSettled) return done
      if (this.time.timers > 0) await this.time.next()
    }
    throw new Error('it does not end')
  }

  answer(host: string, method: string, request: unknown, cells: CellBlock | undefined): FakeAnswer {
    this.calls.push(`${method} ${host}`)
    this.requests.push(request)
    this.before(method, request)
    const answer = this.#carryOut(host, method, request, cells)
    this.after(method, request)
    return answer
  }

  #carryOut(host: string, method: string, request: unknown, cells: CellBlock | undefined): FakeAnswer {
    const mine = cells === undefined ? [] : cellsOf(cells)
    switch (method) {
      case 'Get': {
        const { regionName: name, get } = request as GetRequest
        this.#checkRow(get.row)
        return this.#served(host, name).get(get.row)
      }
      case 'Scan':
        return this.#scan(host, request as ScanRequest)
      case 'Mutate': {
        const { regionName: name, mutation } = request as MutateRequest
        this.#checkRow(mutation.row)
        this.#served(host, name).apply(mutation, mine)
        return { message: { processed: true, result: { cellCount: 0, own: undefined } }, cells: [] }
      }
      default:
        return this.#multi(host, request as MultiRequest, mine)
    }
  }

  #scan(host: string, request: ScanRequest): FakeAnswer {
    const here = this.#all().filter(({ server }) => server.host === host)
    if (request.kind !== 'open') {
      const region = here.find(({ hasScanner }) => hasScanner(request.scannerId))
      if (region === undefined) throw remote('UnknownScannerException')
      return region.goOn(request, this.cellsOfAnswer())
    }
    return this.#served(host, request.regionName).open(request, this.cellsOfAnswer())
  }

  #multi(host: string, { regionActions }: MultiRequest, mine: CellParts[]): FakeAnswer {
    const cells: CellParts[] = []
    const message = regionActions.map(({ regionName: name, gets = [], mutations = [], atomic = false }) => {
      try {
        const region = this.#served(host, name)
        const results = gets.map((get, index) =>
          this.#action(index, get.row, () => {
            const found = region.get(get.row)
            cells.push(...found.cells)
            return found.message as ResultMessage
          }),
        )
        const applied = mutations.map((mutation, index) => {
          const own = mine.splice(0, mutation.cellCount)
          return this.#action(index, mutation.row, () => {
            region.apply(mutation, own)
            return NO_RESULT
          })
        })
        return {
          results: [...results, ...(atomic ? [] : this.said(applied))],
          exception: undefined,
          processed: true,
        }
      } catch (exception) {
        for (const { cellCount } of mutations) mine.splice(0, cellCount)
        return { results: [], exception, processed: false }
      }
    })
    return { message, cells }
  }

  #action(index: number, row: Buffer, carryOut: () => ResultMessage): ActionResult {
    try {
      this.#checkRow(row)
      return { index, result: carryOut(), exception: undefined }
    } catch (exception) {
      return { index, result: NO_RESULT, exception: exception as RemoteException }
    }
  }

  #checkRow(row: Buffer): void {
    if (this.fullRows.has(row.toString())) throw remote('MultiActionResultTooLarge', 'Max size exceeded')
    if (this.refusedRows.has(row.toString())) throw remote('regionserver.NoSuchColumnFamilyException')
  }

  #served(host: string, name: Buffer): FakeRegion {
    const region = this.#all().find((candidate) => candidate.name.equals(name))
    const isHere = region?.server.host === host && !region.isClosed
    if (region === undefined || !isHere) throw remote('NotServingRegionException')
    return region
  }

  #all(): FakeRegion[] {
    return [...this.regions, ...[...this.#copies.values()].flat()]
  }

  #regionOf(row: Buffer): FakeRegion {
    return this.regions.find((region) => region.has(row))!
  }

  #region(startKey: string, endKey: string, server: ServerName): FakeRegion {
    const regionId = this.#nextRegionId++
    const { name } = regionName(TABLE, Buffer.from(startKey), regionId)
    return new FakeRegion({ startKey, endKey, regionId, name, server })
  }

  #publish(): void {
    this.meta.regions = this.regions.map(
      ({ startKey, endKey, regionId, name, server, openings }): MetaRegion => ({
        table: 't',
        startKey,
        endKey,
        regionId,
        server,
        openSequenceId: openings,
        copies: (this.#copies.get(name.toString()) ?? []).map((copy, at) => ({
          replica: at + 1,
          server: copy.server,
          openSequenceId: copy.openings,
          isClosed: copy.isClosed,
        })),
      }),
    )
  }
}
