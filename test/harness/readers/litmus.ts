/** A store, and a thread that reads it: both stop at the points that a case names. */

import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { ThreadWords } from '../../../adapters/native/platform/thread-words.ts'
import type { ReaderConnection } from '../../../adapters/native/threads/publisher.ts'
import type { MessageToWriter, ToReader } from '../../../adapters/native/threads/reader-messages.ts'
import { packageRoot } from '../../../src/package-root.ts'
import type { Change } from './litmus-changes.ts'
import { type LitmusReaderData, type ReadAnswer, STATES, type WantedRead } from './litmus-messages.ts'
import { LitmusStore, type LitmusStoreSettings, LOADED } from './litmus-store.ts'
import { plantEarlyDrops, plantEarlyPublication, releaseOf } from './planted-faults.ts'
import { type Fault, StoppedWords } from './stopped-words.ts'

/** The reader is stuck where it takes longer. */
const WAIT_MS = 5000

const PAIRS_A_COMPACTION = 8

const NOTHING = (): void => undefined

export interface LitmusSettings extends LitmusStoreSettings {
  readonly fault?: Fault
}

interface LitmusParts {
  readonly store: LitmusStore
  readonly words: StoppedWords
  readonly worker: Worker
  readonly state: Int32Array
  readonly connection: ReaderConnection
  readonly port: MessagePort
  readonly endFault: () => void
}

/** The messages to the reader and from it; a fault may answer in the reader's name. */
function connected(
  { store }: LitmusStore,
  words: StoppedWords,
  fault: Fault | undefined,
): { readonly connection: ReaderConnection; readonly port: MessagePort; readonly ofReader: MessagePort } {
  const { port1, port2 } = new MessageChannel()
  const lost =
    fault === 'a file is not kept' ? 'file' : fault === 'a memstore is not kept' ? 'memstore' : undefined
  const connection = store.connectReader({
    postMessage: (messages: readonly ToReader[]) => {
      words.point()
      port1.postMessage(messages)
      words.point()
      // The writer knows the connection a little later.
      if (lost !== undefined) queueMicrotask(() => connection.received(releaseOf(messages, lost)))
    },
  })
  port1.on('message', (message: MessageToWriter) => connection.received(message))
  return { connection, port: port1, ofReader: port2 }
}

export class Litmus {
  readonly store: LitmusStore
  readonly #words: StoppedWords
  readonly #worker: Worker
  readonly #state: Int32Array
  readonly #parts: LitmusParts
  #isStuck = false

  private constructor(parts: LitmusParts) {
    this.store = parts.store
    this.#words = parts.words
    this.#worker = parts.worker
    this.#state = parts.state
    this.#parts = parts
  }

  static async open(settings: LitmusSettings = {}): Promise<Litmus> {
    const { fault } = settings
    const words = new StoppedWords(ThreadWords.memoryFor(1), fault)
    const store = await LitmusStore.open(words, settings)
    const { connection, port, ofReader } = connected(store, words, fault)
    store.disk.afterLog = () => words.point()
    store.disk.beforeLog = () => words.point()
    const state = new SharedArrayBuffer(4)
    const data: LitmusReaderData = {
      words: connection.words,
      reader: connection.reader,
      port: ofReader,
      state,
      fault,
      // Smaller than one block: each read goes to the file.
      blockCacheBytes: 1000,
    }
    const program = fileURLToPath(new URL('dist/test/harness/readers/litmus-worker.js', packageRoot()))
    const worker = new Worker(program, { workerData: data, transferList: [ofReader] })
    const endFault =
      fault === 'writes are shown before they are logged'
        ? plantEarlyPublication(store.disk)
        : fault === 'versions are dropped for writes that are refused'
          ? plantEarlyDrops()
          : NOTHING
    return new Litmus({ store, words, worker, state: new Int32Array(state), connection, port, endFault })
  }

  /** The answer to a read that goes on while nothing changes; undefined: it found what it had to. */
  async undisturbed(kind: WantedRead['kind']): Promise<string | undefined> {
    const from = this.store.value
    const answer = this.#answer()
    this.#begin(kind, Number.POSITIVE_INFINITY)
    return this.#faultOf(await answer, from, this.store.value)
  }

  /** The fault of a read that begins when all changes have been answered, before the thread's event loop has run; undefined: it has none. */
  async afterwards(kind: WantedRead['kind'], change: Change): Promise<string | undefined> {
    const answer = this.#answer()
    this.#begin(kind, -1)
    this.#changed(STATES.reading)
    await change(this.store)
    const { value } = this.store
    this.store.isLoaded = false
    this.#goOn('scan in turns')
    return this.#faultOf(await answer, value, value)
  }

  /**
   * Stops a read at one point, or before its begin (-1), and makes changes until one of their points; then the read goes on to its end, and the changes do. Returns the fault of the
   * answer, if it has one, and which of the points were reached.
   */
  async disturbed(
    kind: WantedRead['kind'],
    readerStop: number,
    change: Change,
    writerStop: number,
  ): Promise<{ readonly fault: string | undefined; readonly reader: boolean; readonly writer: boolean }> {
    let from = this.store.value
    this.store.isLoaded = false
    const answer = this.#answer()
    this.#begin(kind, readerStop)
    const isStopped = this.#changed(STATES.reading) === STATES.stopped
    let points = 0
    let to = this.store.value
    let isReached = false
    this.#words.point = () => {
      if (points++ !== writerStop) return
      isReached = true
      if (readerStop < 0) from = this.store.value
      to = this.store.valueMax
      this.#goOn(kind)
    }
    await change(this.store)
    this.#words.point = () => undefined
    if (!isReached) {
      to = this.store.value
      this.#goOn(kind)
    }
    if (this.#isStuck) return { fault: 'the reader is stuck', reader: false, writer: false }
    const result = await answer
    // A scan in turns needs the writer's turns of the event loop, too: it ends later.
    if (kind === 'scan in turns') to = this.store.value
    return { fault: this.#faultOf(result, from, to), reader: isStopped, writer: isReached }
  }

  /** Tries all stops of a read, each with one of `stride` of the writer's; undefined: all answers are right. */
  async firstFault(kind: WantedRead['kind'], change: Change, stride: number): Promise<string | undefined> {
    const alone = (await this.undisturbed(kind)) ?? (await this.afterwards(kind, change))
    if (alone !== undefined) return alone
    let pairs = 0
    for (let readerStop = -1, goesOn = true; goesOn; readerStop++) {
      // Another part of the writer's points with each of the read's.
      for (let writerStop = (readerStop + 1) % stride, writes = true; writes; writerStop += stride) {
        const { fault, reader, writer } = await this.disturbed(kind, readerStop, change, writerStop)
        if (fault !== undefined)
          return `${fault}; the read was stopped at its point ${readerStop}, the writer at ${writerStop}`
        // Each get looks into all files.
        if (++pairs % PAIRS_A_COMPACTION === 0) await this.store.compact()
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
    if (isOne && Number(first) === LOADED && this.store.isLoaded) return undefined
    return `found ${values.join(' ') || 'nothing'}, where the rows had ${from} to ${to}`
  }

  /** Ends the thread in the midst of a read, at one of its points. False: the read has fewer. */
  async endWithin(kind: WantedRead['kind'], stopAt: number): Promise<boolean> {
    const answer = this.#answer()
    this.#begin(kind, stopAt)
    const isStopped = this.#changed(STATES.reading) === STATES.stopped
    if (!isStopped) await answer
    await this.#worker.terminate()
    this.#parts.connection.close()
    return isStopped
  }

  async close(): Promise<void> {
    const { connection, port, endFault } = this.#parts
    await this.#worker.terminate()
    connection.close()
    port.close()
    endFault()
    await this.store.close()
  }
}
