import type { FamilyDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'
import type { CellRun } from '../cells/cell-run.ts'
import { type CachePolicy, cachePolicyOf, USUAL_CACHE_POLICY } from '../hfile/cache-policy.ts'
import { familyRules } from '../read/family-rules.ts'
import type { FamilyRuns } from '../read/family-runs.ts'
import type { HeldRegion, OnReplaced } from '../read/read-region.ts'
import type { RegionRequests } from '../read/region-requests.ts'
import { HeldRuns } from '../region/held-runs.ts'
import { type ReadTools, ServedRegion } from '../region/served-region.ts'
import type { RegionView } from '../threads/reader-messages.ts'
import type { ReaderInbox } from './reader-inbox.ts'
import type { ReaderRun, ReaderRuns } from './reader-runs.ts'
import type { RequestsToWriter } from './requests-to-writer.ts'
import { ViewedMemstore } from './viewed-memstore.ts'

export interface ReaderRegionTools extends ReadTools {
  readonly runs: ReaderRuns
  readonly inbox: ReaderInbox
  readonly requests: RequestsToWriter
}

interface ReaderFamily {
  readonly name: Buffer
  readonly view: RegionView['families'][number]
  readonly runs: readonly ReaderRun[]
  readonly memstores: readonly ViewedMemstore[]
  readonly cells: readonly CellRun[]
}

/** A family that the table has. */
interface ServedFamily {
  readonly family: ReaderFamily
  readonly runs: FamilyRuns
}

/** A region that another thread writes, as that thread has shown it last. */
export class ReaderRegion extends ServedRegion {
  readonly #tools: ReaderRegionTools
  #families: readonly ReaderFamily[] = []
  /** The families of the table's descriptor, which may come a little before or after the region's view. */
  #served: readonly ServedFamily[] = []
  #runs: readonly FamilyRuns[] = []
  /** The reads that were taken by `takeReads` so far. */
  #taken = { reads: 0, filteredReads: 0 }

  constructor(table: TableDescriptor, view: RegionView, tools: ReaderRegionTools) {
    const [startKey, endKey] = [Buffer.from(view.startKey), Buffer.from(view.endKey)]
    super(table, { ...view, startKey, endKey }, tools)
    this.#tools = tools
    this.show(view)
  }

  /** Goes on in another state of the region. */
  show(view: RegionView): void {
    this.#tools.waiting.beforeChange(this)
    const before = this.#families
    // The new runs first: most of them are the old ones.
    this.#families = view.families.map((family) => this.#familyOf(family))
    this.#serve()
    for (const { runs } of before) for (const run of runs) run.shared.release()
    if (view.isClosed !== this.closed.isClosed || view.closedCopies.join() !== this.closed.copies.join())
      this.setClosed(view.isClosed, view.closedCopies)
  }

  #familyOf(view: ReaderFamily['view']): ReaderFamily {
    const name = Buffer.from(view.name)
    // Looked up for each block that is read: an alter may change it.
    const cachePolicy = (): CachePolicy => {
      const descriptor = this.#descriptorOf(name)
      return descriptor === undefined ? USUAL_CACHE_POLICY : cachePolicyOf(descriptor)
    }
    const runs = view.runs.map((run) => this.#tools.runs.take(run, cachePolicy))
    const cells = runs.map(({ shared }) => shared.run)
    return { name, view, runs, memstores: cells.filter((run) => run instanceof ViewedMemstore), cells }
  }

  #serve(): void {
    this.#served = this.#families.flatMap((family) => {
      const descriptor = this.#descriptorOf(family.name)
      if (descriptor === undefined) return []
      return { family, runs: { rules: familyRules(descriptor, family.view.isLabelled), runs: family.cells } }
    })
    this.#runs = this.#served.map(({ runs }) => runs)
  }

  #descriptorOf(name: Buffer): FamilyDescriptor | undefined {
    return this.table.families.find((family) => family.name.equals(name))
  }

  /** Goes on with the rules of another descriptor. */
  setTable(table: TableDescriptor): void {
    this.#tools.waiting.beforeChange(this)
    this.table = table
    this.#serve()
  }

  hasFamily(name: Buffer): boolean {
    return this.#served.some(({ family }) => family.name.equals(name))
  }

  families(): readonly FamilyRuns[] {
    for (const { family } of this.#served) for (const memstore of family.memstores) memstore.refresh()
    this.#tools.inbox.takeGrowth()
    return this.#runs
  }

  keepReadPoint(readPoint: number): () => void {
    return this.#tools.requests.keepReadPoint(this.table.name, this.number, readPoint)
  }

  keepReadPointOfTable(readPoint: number): () => void {
    return this.#tools.requests.keepReadPoint(this.table.name, undefined, readPoint)
  }

  hold(onReplaced: OnReplaced): HeldRegion {
    const { inbox, requests } = this.#tools
    const held = this.#served.map(({ family: { runs }, runs: families }) => {
      const memstores = runs.filter(({ shared }) => shared.run instanceof ViewedMemstore)
      const end = requests.hold(memstores.map(({ number }) => number))
      return new HeldRuns(
        families,
        runs.map(({ shared }) => shared),
        end,
        onReplaced,
      )
    })
    const resume = (): void => {
      for (const { runs } of held) runs.runs.forEach(refresh)
      inbox.takeGrowth()
    }
    return {
      requests: this.requests,
      get families() {
        resume()
        return held.map(({ runs }) => runs)
      },
      resume,
      release: () => {
        for (const each of held) each.release()
      },
    }
  }

  /** The reads since the last call. */
  takeReads(): Pick<RegionRequests, 'reads' | 'filteredReads'> {
    const { reads, filteredReads } = this.requests
    const taken = this.#taken
    this.#taken = { reads, filteredReads }
    return { reads: reads - taken.reads, filteredReads: filteredReads - taken.filteredReads }
  }

  /** The region is served no more. */
  gone(): void {
    this.isOpen = false
    this.#tools.waiting.beforeChange(this)
    const before = this.#families
    this.#families = []
    this.#serve()
    for (const { runs } of before) for (const run of runs) run.shared.release()
  }
}

function refresh(run: CellRun): void {
  if (run instanceof ViewedMemstore) run.refresh()
}
