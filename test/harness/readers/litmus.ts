/** A store, and a thread that reads it: both stop at the points that a case names. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { NativeStore } from '../../../adapters/native/native-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../adapters/native/options/compaction-options.ts'
import type { FileSystem, OpenFile } from '../../../adapters/native/platform/file-system.ts'
import { NODE_FILE_SYSTEM } from '../../../adapters/native/platform/node-file-system.ts'
import { ThreadWords } from '../../../adapters/native/platform/thread-words.ts'
import type { MessageToWriter } from '../../../adapters/native/threads/reader-messages.ts'

import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type RowPart } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'

import { packageRoot } from '../../../src/package-root.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { type LitmusReaderData, type ReadAnswer, STATES, type WantedRead } from './litmus-messages.ts'
import { type Fault, StoppedWords } from './stopped-words.ts'

const TABLE = parseTableName('litmus')

/** The disk, which is not waited for: no case loses power. */
const UNSYNCED: FileSystem = Object.assign(Object.create(NODE_FILE_SYSTEM) as FileSystem, {
  open: (path: string, mode: 'read' | 'append' | 'create') => {
    const file = NODE_FILE_SYSTEM.open(path, mode)
    return Object.assign(Object.create(file) as OpenFile, {
      append: (buffers: readonly Buffer[]) => file.append(buffers),
      read: (target: Buffer, offset: number, length: number, position: number) =>
        file.read(target, offset, length, position),
      size: () => file.size(),
      truncate: (bytes: number) => file.truncate(bytes),
      sync: async () => undefined,
      close: () => file.close(),
    })
  },
  syncDirectory: async () => undefined,
})
/** The reader is stuck where it takes longer. */
const WAIT_MS = 5000

function partOf(row: string, value: string): RowPart {
  const batch = new MutationBatch()
  for (const family of ['f', 'g'])
    batch.put(Buffer.from(row), Buffer.from(family), Buffer.from('q'), Buffer.from(value))
  return {
    row: Buffer.from(row),
    operations: [{ kind: 'mutate', cells: batch.cells.block() }],
    options: DEFAULT_MUTATION_OPTIONS,
  }
}

async function flushTable(store: Store): Promise<void> {
  await store.upkeep.flushes?.flushTable(TABLE, OWN_CALL)
}

async function compactTable({ upkeep }: Store): Promise<void> {
  const compactions = upkeep.compactions!
  await compactions.compactTable(TABLE, { major: true }, OWN_CALL)
  while ((await compactions.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

/** The changes that go by while a reader is stopped. Each commits several times. */
export const DISTURBANCES = {
  overwrites: async (litmus: Litmus): Promise<void> => {
    for (let i = 0; i < 3; i++) await litmus.write()
  },
  'a flush': async (litmus: Litmus): Promise<void> => {
    await litmus.write()
    await flushTable(litmus.store)
    await litmus.write()
    await litmus.write()
  },
  'a compaction': async (litmus: Litmus): Promise<void> => {
    await litmus.write()
    await flushTable(litmus.store)
    await litmus.write()
    await compactTable(litmus.store)
    await litmus.write()
  },
  // The index of a new memstore grows with each of its first rows.
  'a flush and growth': async (litmus: Litmus): Promise<void> => {
    await flushTable(litmus.store)
    await litmus.write()
    await litmus.fill(300)
    await litmus.write()
    await litmus.write()
  },
  'a split and a merge': async (litmus: Litmus): Promise<void> => {
    const { regions } = litmus.store.upkeep
    await litmus.write()
    await regions?.splitTable(TABLE, Buffer.from('m'), OWN_CALL)
    await litmus.write()
    const names = (await litmus.store.catalog.regions(TABLE, OWN_CALL)).map(({ name }) => name)
    await regions?.mergeRegions(names, true, OWN_CALL)
    await litmus.write()
  },
} as const
export type Disturbance = keyof typeof DISTURBANCES

export interface LitmusFaults {
  readonly reader?: Fault | undefined
  readonly writer?: Fault | undefined
}

export class Litmus {
  readonly store: NativeStore
  readonly #words: StoppedWords
  readonly #worker: Worker
  readonly #state: Int32Array
  readonly #folder: string
  readonly #close: () => void
  /** The value of all rows, which each write raises. */
  #value = 0
  #filled = 0
  #isStuck = false

  private constructor(parts: {
    readonly store: NativeStore
    readonly words: StoppedWords
    readonly worker: Worker
    readonly state: Int32Array
    readonly folder: string
    readonly close: () => void
  }) {
    this.store = parts.store
    this.#words = parts.words
    this.#worker = parts.worker
    this.#state = parts.state
    this.#folder = parts.folder
    this.#close = parts.close
  }

  static async open(faults: LitmusFaults = {}): Promise<Litmus> {
    const folder = mkdtempSync(join(tmpdir(), 'tidegate-litmus-'))
    const memory = ThreadWords.memoryFor(1)
    const words = new StoppedWords(memory, faults.writer)
    const store = await openNativeStore({
      directory: join(folder, 'store'),
      fileSystem: UNSYNCED,
      clock: { now: Date.now },
      random: Math.random,
      words,
      options: { poisonReleased: true, compaction: DEFAULT_COMPACTION_OPTIONS },
    })
    const families = ['f', 'g'].map((name) => familyDescriptor(name, [['IN_MEMORY_COMPACTION', 'EAGER']]))
    await store.catalog.createTable(tableDescriptor(TABLE, families), [], OWN_CALL)
    const { port1, port2 } = new MessageChannel()
    const connection = store.connectReader({ postMessage: (messages) => port1.postMessage(messages) })
    port1.on('message', (message: MessageToWriter) => connection.received(message))
    const state = new SharedArrayBuffer(4)
    const data: LitmusReaderData = {
      words: connection.words,
      reader: connection.reader,
      port: port2,
      state,
      fault: faults.reader,
      // Smaller than one block: each read goes to the file.
      blockCacheBytes: 1000,
    }
    const program = fileURLToPath(new URL('dist/test/harness/readers/litmus-worker.js', packageRoot()))
    const worker = new Worker(program, { workerData: data, transferList: [port2] })
    const close = (): void => {
      connection.close()
      port1.close()
    }
    const litmus = new Litmus({ store, words, worker, state: new Int32Array(state), folder, close })
    await litmus.write()
    return litmus
  }

  /** Gives all rows the next value, in one change. */
  async write(): Promise<void> {
    const value = String(this.#value + 1)
    const parts = ['a', 'b', 'c'].map((row) => partOf(row, value))
    await this.store.rows.mutateRows(TABLE, { parts }, OWN_CALL)
    this.#value++
  }

  /** Puts new rows before those that are read, which move to other nodes of the index, in one change. Their value is the present one. */
  async fill(rows: number): Promise<void> {
    const batch = new MutationBatch()
    for (let i = 0; i < rows; i++) {
      const row = Buffer.from(`A${this.#filled++ % 400}`)
      batch.put(row, Buffer.from('f'), Buffer.from('q'), Buffer.from('x'.repeat(60)))
      batch.endMutation()
    }
    await this.store.rows.mutate(TABLE, batch, OWN_CALL)
  }

  /** The answer to a read that goes on while nothing changes; undefined: it found what it had to. */
  async undisturbed(kind: WantedRead['kind']): Promise<string | undefined> {
    const from = this.#value
    const answer = this.#answer()
    this.#begin(kind, Number.POSITIVE_INFINITY)
    return this.#faultOf(await answer, from, this.#value)
  }

  /** The fault of a read that begins when all changes have been answered, before the thread's event loop has run; undefined: it has none. */
  async afterwards(kind: WantedRead['kind'], disturbance: Disturbance): Promise<string | undefined> {
    const answer = this.#answer()
    this.#begin(kind, -1)
    this.#changed(STATES.reading)
    await DISTURBANCES[disturbance](this)
    const value = this.#value
    this.#goOn('scan in turns')
    return this.#faultOf(await answer, value, value)
  }

  /**
   * Stops a read at one point, and makes changes until one of their points; then the read goes on to its end, and the changes do. Returns the fault of the
   * answer, if it has one, and which of the points were reached.
   */
  async disturbed(
    kind: WantedRead['kind'],
    readerStop: number,
    disturbance: Disturbance,
    writerStop: number,
  ): Promise<{ readonly fault: string | undefined; readonly reader: boolean; readonly writer: boolean }> {
    const from = this.#value
    const answer = this.#answer()
    this.#begin(kind, readerStop)
    const isStopped = this.#changed(STATES.reading) === STATES.stopped
    let points = 0
    let to = this.#value
    let isReached = false
    this.#words.point = () => {
      if (points++ !== writerStop) return
      isReached = true
      to = this.#value + 1
      this.#goOn(kind)
    }
    await DISTURBANCES[disturbance](this)
    this.#words.point = () => undefined
    if (!isReached) {
      to = this.#value
      this.#goOn(kind)
    }
    if (this.#isStuck) return { fault: 'the reader is stuck', reader: false, writer: false }
    const result = await answer
    // A scan in turns needs the writer's turns of the event loop, too: it ends later.
    if (kind === 'scan in turns') to = this.#value
    return { fault: this.#faultOf(result, from, to), reader: isStopped, writer: isReached }
  }

  /** Tries all stops of a read, each with one of `stride` of the writer's; undefined: all answers are right. */
  async firstFault(
    kind: WantedRead['kind'],
    disturbance: Disturbance,
    stride: number,
  ): Promise<string | undefined> {
    const alone = (await this.undisturbed(kind)) ?? (await this.afterwards(kind, disturbance))
    if (alone !== undefined) return alone
    for (let readerStop = 0, goesOn = true; goesOn; readerStop++) {
      // Another part of the writer's points with each of the read's.
      for (let writerStop = readerStop % stride, writes = true; writes; writerStop += stride) {
        const { fault, reader, writer } = await this.disturbed(kind, readerStop, disturbance, writerStop)
        if (fault !== undefined)
          return `${fault}; the read was stopped at its point ${readerStop}, the writer at ${writerStop}`
        goesOn = reader
        writes = writer && reader
      }
    }
    return undefined
  }

  #answer(): Promise<ReadAnswer> {
    return new Promise((resolve, reject) => {
      this.#worker.once('error', reject)
      this.#worker.once('message', (answer: ReadAnswer) => {
        this.#worker.off('error', reject)
        resolve(answer)
      })
    })
  }

  #begin(kind: WantedRead['kind'], stopAt: number): void {
    Atomics.store(this.#state, 0, STATES.reading)
    const wanted: WantedRead = { kind, stopAt }
    this.#worker.postMessage(wanted)
  }

  /**
   * Waits, without a turn of the event loop, until the reader has another state, and returns that. It throws nothing: the writer is in the midst of its
   * work.
   */
  #changed(from: number): number {
    if (Atomics.wait(this.#state, 0, from, WAIT_MS) === 'timed-out') this.#isStuck = true
    return Atomics.load(this.#state, 0)
  }

  #goOn(kind: WantedRead['kind']): void {
    if (Atomics.load(this.#state, 0) !== STATES.stopped) return
    Atomics.store(this.#state, 0, STATES.goesOn)
    Atomics.notify(this.#state, 0)
    if (kind !== 'scan in turns') this.#changed(STATES.goesOn)
  }

  /** All cells must have one value, which the rows had at some moment of the read. */
  #faultOf(answer: ReadAnswer, from: number, to: number): string | undefined {
    if ('error' in answer) return answer.error
    const values = answer.values.filter((value) => !value.startsWith('x'))
    const wanted = answer.values.length > 2 ? 6 : 2
    const [first] = values
    const isOne = values.length === wanted && values.every((value) => value === first)
    if (isOne && Number(first) >= from && Number(first) <= to) return undefined
    return `found ${values.join(' ') || 'nothing'}, where the rows had ${from} to ${to}`
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
    this.#close()
    await this.store.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
