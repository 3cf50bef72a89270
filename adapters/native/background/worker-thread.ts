import { Worker } from 'node:worker_threads'
import { messageOf } from '../../../src/model/message-of.ts'
import type { CellSource, FileJob, FileJobOutcome, JobControl } from './file-job.ts'
import { errorOf, type Order, type PackedSource, type Report } from './job-message.ts'

const WORKER_URL: URL = new URL('./file-worker.js', import.meta.url)

/** The thread has ended, by a bug or for want of memory, or has never started; its jobs are not done. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

interface Running {
  readonly kind: FileJob['kind']
  readonly control: JobControl
  readonly resolve: (outcome: FileJobOutcome) => void
  readonly reject: (error: Error) => void
  isCancelled: boolean
}

/** One worker thread and its jobs, as the store's thread sees them. */
export class WorkerThread {
  readonly #worker: Worker
  readonly #jobs = new Map<number, Running>()
  #nextId = 1
  #error: unknown
  #hasEnded = false
  readonly #ended: Promise<void>

  /** Throws ThreadEnded where the system starts no thread. */
  constructor(url: URL = WORKER_URL) {
    this.#worker = startedWorker(url)
    this.#worker.on('message', (report: Report) => this.#receive(report))
    this.#worker.on('error', (error) => {
      this.#error = error
    })
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#end(code)
        resolve()
      })
    })
    // An idle thread keeps no process alive.
    this.#worker.unref()
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  get jobCount(): number {
    return this.#jobs.size
  }

  get compactionCount(): number {
    return [...this.#jobs.values()].filter(({ kind }) => kind === 'compaction').length
  }

  /** Rejects with ThreadEnded, or with what failed. */
  async run(job: FileJob, source: CellSource, control: JobControl): Promise<FileJobOutcome> {
    const id = this.#nextId++
    const outcome = new Promise<FileJobOutcome>((resolve, reject) => {
      this.#jobs.set(id, { kind: job.kind, control, resolve, reject, isCancelled: false })
    })
    // The packing below may take so long that the thread ends first.
    outcome.catch(() => undefined)
    this.#worker.ref()
    try {
      const [packed, memories] = await packedSource(source)
      if (this.#hasEnded) return await outcome
      this.send({ kind: 'job', id, job, source: packed }, memories)
    } catch (error) {
      this.#settle(id)
      throw error
    }
    return outcome
  }

  send(order: Order, transferred: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(order, transferred)
  }

  #receive(report: Report): void {
    const job = this.#jobs.get(report.id)
    if (job === undefined) return
    if (report.kind === 'progress') {
      job.control.onCells?.(report.cellsRead)
      if (job.isCancelled || !job.control.isCancelled()) return
      job.isCancelled = true
      this.send({ kind: 'cancel', id: report.id })
      return
    }
    this.#settle(report.id)
    if (report.kind === 'done') job.resolve(report.outcome)
    else job.reject(errorOf(report.failure))
  }

  #settle(id: number): void {
    this.#jobs.delete(id)
    if (this.#jobs.size === 0) this.#worker.unref()
  }

  #end(code: number): void {
    this.#hasEnded = true
    const reason = this.#error instanceof Error ? this.#error.message : `exit code ${code}`
    const error = new ThreadEnded(`the thread that writes store files has ended: ${reason}`, {
      cause: this.#error,
    })
    for (const job of this.#jobs.values()) job.reject(error)
    this.#jobs.clear()
  }

  /** Ends the thread once it has ended its jobs. */
  async close(): Promise<void> {
    if (this.#hasEnded) return
    this.#worker.ref()
    this.send({ kind: 'close' })
    await this.#ended
  }
}

/** Node throws at once where the system refuses another thread, such as at its limit of processes. */
function startedWorker(url: URL): Worker {
  try {
    return new Worker(url, { name: 'tidegate-files' })
  } catch (error) {
    const reason = messageOf(error)
    throw new ThreadEnded(`no thread that writes store files could be started: ${reason}`, { cause: error })
  }
}

/** The source as a message, with the memory that goes over. */
async function packedSource(source: CellSource): Promise<[PackedSource, ArrayBuffer[]]> {
  if (source.kind === 'files') return [source, []]
  const cells = await source.memstore.packed(nextSlice)
  return [{ kind: 'packed', cells }, [...cells.chunks.map(({ buffer }) => buffer), cells.addresses.buffer]]
}

function nextSlice(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
