/**
 * Shows the engine's commits to the threads that read. See docs/engine.md, "Threads", for the order and its reasons.
 */

import { assert } from '../../../src/model/assert.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Publications, PublishedMemstore } from '../memstore/published-memstore.ts'
import type { ThreadWords } from '../platform/thread-words.ts'
import type { Region } from '../region/region.ts'
import type { TableMap } from '../tables/table-map.ts'
import { ReaderLink, type ReaderLinkParts, type ReaderPort } from './reader-link.ts'
import type { MessageToWriter, ToReader } from './reader-messages.ts'
import { SeenReaders } from './seen-readers.ts'
import { RunNumbers } from './views.ts'

/** A thread that reads: see NativeStore.connectReader. */
export interface ReaderConnection {
  /** For ReaderConfig. */
  readonly words: SharedArrayBuffer
  readonly reader: number
  /** Takes in a message of the thread. */
  received(message: MessageToWriter): void
  /** Must be called once the thread has ended. */
  close(): void
}

export class Publisher implements Publications {
  readonly words: ThreadWords
  readonly readers: SeenReaders
  readonly poisons: boolean
  readonly #numbers = new RunNumbers()
  /** By the numbers of the readers. */
  readonly #links: (ReaderLink | undefined)[]
  #tables: TableMap | undefined
  /** Memstores that the next publication shows. */
  #changed: PublishedMemstore[] = []
  /** Memstores with nodes or cells that readers may still need. */
  readonly #waiting = new Set<PublishedMemstore>()
  readonly #changedTables = new Set<TableName>()
  readonly #changedRegions = new Set<number>()
  #isPostDue = false
  readonly #parts: ReaderLinkParts

  /** `words`: with place for all threads that will read. */
  constructor(words: ThreadWords, parts: ReaderLinkParts, poisons = false) {
    this.#parts = parts
    this.#links = Array.from({ length: words.readers }, () => undefined)
    this.words = words
    this.readers = new SeenReaders(words)
    this.poisons = poisons
  }

  /** From now on notices the changes of the tables. */
  watch(tables: TableMap): void {
    this.#tables = tables
    tables.onChange = (name) => {
      this.#changedTables.add(name)
      this.#postSoon()
    }
    tables.waiting.onChange = (region) => {
      this.#changedRegions.add((region as Region).number)
      this.#postSoon()
    }
  }

  /** Gives a thread all there is, and from now on all that changes. */
  connect(port: ReaderPort): ReaderConnection {
    const reader = this.#links.indexOf(undefined)
    assert(reader >= 0, 'the store has all of its readers')
    const tables = this.#tables!
    this.#post()
    const link = new ReaderLink(port, tables, this.#numbers, this.#parts)
    this.#links[reader] = link
    for (const region of tables.regions.values()) link.addRegion(region)
    for (const name of tables.names()) link.addTable(tables.get(name))
    link.post()
    return {
      words: this.words.memory,
      reader,
      received: (message) => link.received(message),
      close: () => this.#close(link, reader),
    }
  }

  #close(link: ReaderLink, reader: number): void {
    if (this.#links[reader] !== link) return
    this.#links[reader] = undefined
    this.words.end(reader)
    link.close()
  }

  /** The store closes: lets go of all that readers have. */
  close(): void {
    for (const [reader, link] of this.#links.entries()) if (link !== undefined) this.#close(link, reader)
  }

  changed(memstore: PublishedMemstore): void {
    this.#changed.push(memstore)
  }

  /** Shows the writes up to the read point, whose cells all are in the memstores. */
  publish(readPoint: number): void {
    const changed = this.#changed
    const epoch = (this.words.epoch + 2) | 0
    // After a refused write these have cells that were published before: a reader must not meet them without a root.
    for (const memstore of changed) if (!memstore.isGiven) this.#show(memstore, epoch)
    this.#post()
    for (const memstore of changed) if (memstore.isChanged) this.#show(memstore, epoch)
    this.words.publish(readPoint)
    this.readers.lookAgain()
    changed.length = 0
    this.#reclaim()
  }

  #show(memstore: PublishedMemstore, epoch: number): void {
    if (memstore.isFreed) return
    memstore.publish(epoch)
    this.#waiting.add(memstore)
  }

  #reclaim(): void {
    if (this.#waiting.size === 0) return
    const epoch = this.words.oldestPin
    for (const memstore of this.#waiting)
      if (memstore.isFreed || !memstore.reclaim(epoch)) this.#waiting.delete(memstore)
  }

  #postSoon(): void {
    if (this.#isPostDue) return
    this.#isPostDue = true
    // Before the change is answered, whose promise settles in a later microtask.
    queueMicrotask(() => this.#post())
  }

  /** Posts all changes so far, and the new memory of memstores that are about to be published. */
  #post(): void {
    this.#isPostDue = false
    const grown = this.#growth()
    if (grown.length === 0 && this.#changedRegions.size === 0 && this.#changedTables.size === 0) return
    for (const link of this.#links) {
      if (link === undefined) continue
      this.#addChanges(link)
      for (const message of grown) link.add(message)
      link.post()
    }
    this.#changedRegions.clear()
    this.#changedTables.clear()
    this.words.countViews()
  }

  #addChanges(link: ReaderLink): void {
    const tables = this.#tables!
    for (const number of this.#changedRegions) {
      const region = tables.regions.get(number)
      if (region !== undefined) link.addRegion(region)
    }
    for (const name of this.#changedTables) {
      const table = tables.find(name)
      if (table === undefined) link.add({ kind: 'noTable', name })
      else link.addTable(table)
    }
    // Last: a table may have others in their place.
    for (const number of this.#changedRegions) if (!tables.regions.has(number)) link.removeRegion(number)
  }

  #growth(): ToReader[] {
    const messages: ToReader[] = []
    for (const memstore of this.#changed) {
      const growth = memstore.isFreed ? undefined : memstore.takeGrowth()
      if (growth !== undefined)
        messages.push({ kind: 'growth', run: this.#numbers.of(memstore.memstore), growth })
    }
    return messages
  }
}
