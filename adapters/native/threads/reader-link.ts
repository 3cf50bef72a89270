/** The writer's side of one thread that reads: what it has been shown, and what it has asked to be kept. */

import type { HBaseError } from '../../../src/model/errors.ts'
import type { CellRun } from '../cells/cell-run.ts'
import { HFile } from '../hfile/hfile.ts'
import { Memstore } from '../memstore/memstore.ts'
import type { HeldSnapshots } from '../region/held-snapshots.ts'
import type { Region } from '../region/region.ts'
import type { RunReader, SharedRun } from '../region/shared-run.ts'
import type { TableMap } from '../tables/table-map.ts'
import type { TableRegions } from '../tables/table-regions.ts'
import type { MessageToWriter, ToReader, ToWriter } from './reader-messages.ts'
import { errorOfView, type RunNumbers, viewOfRegion, viewOfRun, viewOfTable } from './views.ts'

/** The end of a message channel. */
export interface ReaderPort {
  postMessage(messages: readonly ToReader[]): void
}

/** Called for a file that a reader could not read. */
export type OnFault = (file: HFile, error: HBaseError) => void

export interface ReaderLinkParts {
  readonly onFault: OnFault
  readonly heldSnapshots: HeldSnapshots
}

/** Memstores that the scans of a reader hold. */
class Held implements RunReader {
  readonly #link: ReaderLink
  readonly #ends: (() => void)[] = []
  readonly #held = new Set<SharedRun<CellRun>>()

  constructor(link: ReaderLink, runs: readonly SharedRun<CellRun>[]) {
    this.#link = link
    for (const shared of runs) this.#hold(shared)
  }

  #hold(shared: SharedRun<CellRun>): void {
    shared.retainFor(this)
    this.#held.add(shared)
    if (shared.run instanceof Memstore) this.#ends.push(shared.run.read())
    this.#link.heldSnapshots.readerCame(shared)
  }

  replaceRun(from: SharedRun<CellRun>, by: SharedRun<CellRun> | undefined): void {
    this.#link.replace(from, by)
    this.#held.delete(from)
    from.releaseBy(this)
  }

  release(): void {
    for (const end of this.#ends) end()
    for (const shared of this.#held) shared.releaseBy(this)
    this.#held.clear()
  }
}

interface ShownRun {
  readonly shared: SharedRun<CellRun>
  /** How often the reader was shown it, less than it has answered for. */
  shown: number
}

export class ReaderLink {
  readonly #port: ReaderPort
  readonly #tables: TableMap
  readonly #numbers: RunNumbers
  /** The runs that the reader has, by their numbers. */
  readonly #runs = new Map<number, ShownRun>()
  readonly heldSnapshots: HeldSnapshots
  readonly #onFault: OnFault
  /** Numbers of the regions that the reader has. */
  readonly #regions = new Set<number>()
  readonly #kept = new Map<number, () => void>()
  #messages: ToReader[] = []
  #isClosed = false

  constructor(port: ReaderPort, tables: TableMap, numbers: RunNumbers, parts: ReaderLinkParts) {
    this.#onFault = parts.onFault
    this.heldSnapshots = parts.heldSnapshots
    this.#port = port
    this.#tables = tables
    this.#numbers = numbers
  }

  add(message: ToReader): void {
    if (!this.#isClosed) this.#messages.push(message)
  }

  /** Shows a table, as it is now, and those of its regions that were not shown yet. */
  addTable(table: TableRegions): void {
    for (const region of table.regions) if (!this.#regions.has(region.number)) this.addRegion(region)
    this.add({ kind: 'table', view: viewOfTable(table, this.#numbers) })
  }

  removeRegion(number: number): void {
    if (this.#regions.delete(number)) this.add({ kind: 'noRegion', number })
  }

  /** Shows a region, as it is now. */
  addRegion(region: Region): void {
    this.#regions.add(region.number)
    for (const store of region.stores) for (const shared of store.sharedRuns()) this.#show(shared)
    this.add({ kind: 'region', view: viewOfRegion(region, this.#numbers) })
  }

  #show(shared: SharedRun<CellRun>): void {
    if (this.#isClosed) return
    const number = this.#numbers.of(shared.run)
    const known = this.#runs.get(number)
    if (known === undefined) {
      shared.retain()
      this.#runs.set(number, { shared, shown: 1 })
    } else known.shown++
  }

  replace(from: SharedRun<CellRun>, by: SharedRun<CellRun> | undefined): void {
    if (by !== undefined) this.#show(by)
    const view = by && viewOfRun(by, this.#numbers)
    this.add({ kind: 'replace', run: this.#numbers.of(from.run), by: view })
    this.post()
  }

  post(): void {
    const messages = this.#messages
    if (messages.length === 0) return
    this.#messages = []
    this.#port.postMessage(messages)
  }

  /** Called for each message of the reader. */
  received({ message, list }: MessageToWriter): void {
    if (this.#isClosed) return
    let asksForAnswer = false
    for (const each of list) {
      this.#heard(each)
      asksForAnswer ||= each.kind === 'keep' || each.kind === 'hold'
    }
    if (asksForAnswer) this.add({ kind: 'kept', message })
    this.post()
  }

  #heard(message: ToWriter): void {
    switch (message.kind) {
      case 'keep': {
        const { keep, table, region: number, readPoint } = message
        const region = number === undefined ? undefined : this.#tables.regions.get(number)
        // A region that is gone may have left its rows to others of the table.
        const giveUp =
          region === undefined
            ? this.#tables.waiting.readPointsOf(table).keep(readPoint)
            : region.keepReadPoint(readPoint)
        this.#kept.set(keep, giveUp)
        return
      }
      case 'hold': {
        const held = new Held(
          this,
          message.runs.flatMap((run) => this.#runs.get(run)?.shared ?? []),
        )
        this.#kept.set(message.keep, () => held.release())
        return
      }
      case 'giveUp':
        this.#kept.get(message.keep)?.()
        this.#kept.delete(message.keep)
        return
      case 'released':
        for (const { run, seen } of message.runs) this.#released(run, seen)
        return
      case 'fault': {
        const run = this.#runs.get(message.run)?.shared.run
        if (run instanceof HFile) this.#onFault(run, errorOfView(message.error))
        return
      }
      case 'reads':
        for (const { region, reads, filteredReads } of message.counts) {
          const requests = this.#tables.regions.get(region)?.requests
          if (requests === undefined) continue
          requests.reads += reads
          requests.filteredReads += filteredReads
        }
    }
  }

  #released(number: number, seen: number): void {
    const run = this.#runs.get(number)
    if (run === undefined) return
    run.shown -= seen
    if (run.shown > 0) return
    this.#runs.delete(number)
    run.shared.release()
  }

  /** The thread has ended: lets go of all that it has. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const end of this.#kept.values()) end()
    this.#kept.clear()
    for (const { shared } of this.#runs.values()) shared.release()
    this.#runs.clear()
  }
}
