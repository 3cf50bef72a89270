import { Worker } from 'node:worker_threads'
import { HBaseError } from '../../model/errors.ts'
import { KerberosError } from '../kerberos.ts'
import type { GssLibrary } from './gss-library.ts'
import type {
  AcceptOrder,
  Credential,
  InitiateOrder,
  LoginOrder,
  Message,
  Order,
  Outcome,
  ProtectOrder,
  Report,
  Sent,
  ServiceOrder,
  Step,
} from './gss-orders.ts'

/** Most orders that wait. Clients behind them are refused at once, so that a dead KDC does not fill the memory with half logins. */
const WAITING_MAX = 1024
/** Milliseconds for an order. A KDC that does not answer holds the library's call up for longer. */
const ORDER_MS_MAX = 15_000

interface Waiting {
  readonly kind: Order['kind']
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout | undefined
}

/** A thread that calls GSSAPI for its owner, started with the first order. Its calls may wait for a KDC, or take long: the owner does not. */
export class GssThread {
  readonly #gss: GssLibrary
  readonly #mayHang: boolean
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  /** Orders that the thread has not reported. */
  #unreported = 0
  #lastId = 0
  #isClosed = false
  readonly #atExit = (code: number): void => {
    if (this.#mayHang && this.#unreported > 0) this.#gss.endProcess(code)
  }

  /** `mayHang`: an order may wait for a KDC. The end of the process does not wait for such a thread. */
  constructor(gss: GssLibrary, mayHang = true) {
    this.#gss = gss
    this.#mayHang = mayHang
  }

  logIn(order: Omit<LoginOrder, 'kind'>): Promise<Credential> {
    return this.#order({ kind: 'log in', ...order }) as Promise<Credential>
  }

  serve(order: Omit<ServiceOrder, 'kind'>): Promise<Credential> {
    return this.#order({ kind: 'serve', ...order }) as Promise<Credential>
  }

  initiate(order: Omit<InitiateOrder, 'kind'>): Promise<Step> {
    return this.#order({ kind: 'initiate', ...order }) as Promise<Step>
  }

  accept(order: Omit<AcceptOrder, 'kind'>): Promise<Step> {
    return this.#order({ kind: 'accept', ...order }) as Promise<Step>
  }

  /** Settles once the order's memory is free again: it is never late. The caller closes the thread only then, and gives one such order at a time. */
  async protect(order: ProtectOrder): Promise<Buffer> {
    const outcome = new Promise<Outcome>((resolve, reject) => {
      const id = this.#send(order, Number.POSITIVE_INFINITY)
      this.#waiting.set(id, { kind: order.kind, resolve, reject, timer: undefined })
    })
    // A socket that is not read meanwhile keeps no process alive, and this order has no timer that does.
    this.#worker?.ref()
    const { message } = (await outcome.finally(() => this.#worker?.unref())) as Message
    return Buffer.from(message.buffer, message.byteOffset, message.byteLength)
  }

  release(credential: bigint, cache?: string): void {
    this.#giveBack({ kind: 'release', credential, cache })
  }

  drop(context: bigint): void {
    if (context !== 0n) this.#giveBack({ kind: 'drop', context })
  }

  /** Ends the thread. A call that waits for a KDC goes on until it has ended, and is not waited for. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#failAll('Kerberos is closed')
    if (this.#unreported === 0) await this.#worker?.terminate()
  }

  #giveBack(order: Order): void {
    if (!this.#isClosed && this.#worker !== undefined) this.#send(order, 0)
  }

  /** Rejects with KerberosError. With OVERLOADED where too many orders wait; a client's login that was not looked at, with UNAVAILABLE. */
  #order(order: Order): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw unanswered(order, 'Kerberos is closed')
      if (this.#waiting.size >= WAITING_MAX)
        throw new HBaseError('OVERLOADED', `${WAITING_MAX} logins by Kerberos wait: try again`)
      const id = this.#send(order, Date.now() + ORDER_MS_MAX)
      const late = (): void =>
        this.#fail(
          id,
          unanswered(
            order,
            `Kerberos has not answered within ${ORDER_MS_MAX / 1000} s: look whether the KDC of krb5.conf runs`,
          ),
        )
      this.#waiting.set(id, { kind: order.kind, resolve, reject, timer: setTimeout(late, ORDER_MS_MAX) })
    })
  }

  #send(order: Order, until: number): number {
    this.#worker ??= this.#start()
    const id = ++this.#lastId
    this.#unreported++
    this.#worker.postMessage({ id, order, until } satisfies Sent)
    return id
  }

  #start(): Worker {
    const worker = new Worker(new URL('gss-worker.js', import.meta.url), { name: 'tidegate-kerberos' })
    // A thread that has failed also exits, when the next one may have orders already.
    const ended = (reason: string): void => {
      if (this.#worker === worker) this.#ended(reason)
    }
    worker.on('message', (report: Report) => this.#receive(report))
    worker.on('error', (error) => ended(`the thread that calls Kerberos has failed: ${error.message}`))
    worker.on('exit', () => ended('the thread that calls Kerberos has ended'))
    // It must not keep a process alive that has nothing else to do; the timers of waiting orders do.
    worker.unref()
    process.on('exit', this.#atExit)
    return worker
  }

  #ended(reason: string): void {
    this.#worker = undefined
    this.#unreported = 0
    process.off('exit', this.#atExit)
    this.#failAll(reason)
  }

  #receive(report: Report): void {
    this.#unreported--
    const waiting = this.#take(report.id)
    if ('failure' in report) waiting?.reject(new KerberosError(report.failure))
    else if (waiting !== undefined) waiting.resolve(report.outcome)
    else this.#giveBackLate(report.outcome)
    if (this.#isClosed && this.#unreported === 0) void this.#worker?.terminate()
  }

  /** Gives back what came after its deadline: nothing else knows of it. */
  #giveBackLate(outcome: Outcome): void {
    if (outcome === undefined) return
    if ('credential' in outcome) this.release(outcome.credential, outcome.cache)
    else if ('context' in outcome) this.drop(outcome.context)
  }

  #failAll(reason: string): void {
    for (const [id, waiting] of this.#waiting) this.#fail(id, unanswered(waiting, reason))
  }

  #fail(id: number, error: Error): void {
    this.#take(id)?.reject(error)
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return undefined
    this.#waiting.delete(id)
    clearTimeout(waiting.timer)
    return waiting
  }
}

/** The error of an order that Kerberos has not carried out. A client's login that was not looked at may be a good one: it is not refused. */
function unanswered({ kind }: Pick<Order, 'kind'>, reason: string): Error {
  return kind === 'accept' ? new HBaseError('UNAVAILABLE', reason) : new KerberosError(reason)
}
