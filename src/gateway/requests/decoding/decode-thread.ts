import { Worker } from 'node:worker_threads'
import { HBaseError } from '../../../model/errors.ts'
import { errorOf, type Moved, type Order, type Report } from './task.ts'

export interface Work {
  readonly module: string
  readonly input: Moved<unknown>
  readonly onPart: (part: unknown) => void
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

/** A thread that decodes, seen from the main thread. It does one piece of work at a time. */
export class DecodeThread {
  readonly #worker: Worker
  readonly #onFree: () => void
  #work: Work | undefined
  #error: unknown
  #hasEnded = false

  /**
   * `onFree`: called whenever the thread has done its work, and when it has ended. `heapMib`: the heap of the thread, which ends if it needs
   * more. Throws where the system starts no thread.
   */
  constructor(program: string, heapMib: number | undefined, onFree: () => void) {
    this.#onFree = onFree
    const resourceLimits = heapMib === undefined ? {} : { maxOldGenerationSizeMb: heapMib }
    this.#worker = new Worker(new URL(program), { name: 'tidegate-decode', resourceLimits })
    this.#worker.on('message', (report: Report) => this.#receive(report))
    this.#worker.on('error', (error) => {
      this.#error = error
    })
    this.#worker.on('exit', (code) => this.#end(code))
    // An idle thread must not keep the process alive.
    this.#worker.unref()
  }

  get isFree(): boolean {
    return this.#work === undefined && !this.#hasEnded
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  start(work: Work): void {
    this.#work = work
    this.#worker.ref()
    try {
      this.#send({ module: work.module, input: work.input.value }, work.input.memory)
    } catch (error) {
      this.#finish()?.reject(error as Error)
    }
  }

  #send(order: Order, memory: Moved<unknown>['memory'] = []): void {
    this.#worker.postMessage(order, memory)
  }

  #receive(report: Report): void {
    if (report.kind === 'part') {
      this.#work?.onPart(report.value)
      // Node delivers many messages in one turn. The next part is requested in another turn.
      setImmediate(() => {
        if (this.#work !== undefined) this.#send({ module: undefined })
      })
      return
    }
    const work = this.#finish()
    if (report.kind === 'done') work?.resolve(report.value)
    else work?.reject(errorOf(report.failure))
    this.#onFree()
  }

  #finish(): Work | undefined {
    const work = this.#work
    this.#work = undefined
    this.#worker.unref()
    return work
  }

  #end(code: number): void {
    this.#hasEnded = true
    const reason = this.#error instanceof Error ? this.#error.message : `exit code ${code}`
    const error = new HBaseError('OVERLOADED', `the thread that decoded the request has ended: ${reason}`, {
      cause: this.#error,
    })
    this.#finish()?.reject(error)
    this.#onFree()
  }

  /** Ends the thread at once and rejects its work. */
  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
