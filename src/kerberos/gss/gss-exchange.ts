import { SaslFailure } from '../../wire/sasl/sasl.ts'
import { KerberosError } from '../kerberos.ts'
import type { GssLibrary } from './gss-library.ts'
import type { Step } from './gss-orders.ts'
import type { GssThread } from './gss-thread.ts'
import type { ProtectingThreads } from './protecting-threads.ts'
import { SecurityContext } from './security-context.ts'

const NO_CONTEXT = 0n

/** The threads of a login: one makes its steps, others protect the large messages behind it. */
export interface ExchangeThreads {
  readonly steps: GssThread
  readonly messages: ProtectingThreads
}

/** The steps of a context, which the thread makes, until it is finished. */
export class GssExchange {
  readonly #gss: GssLibrary
  readonly #threads: ExchangeThreads
  #unfinished = NO_CONTEXT
  #finished: SecurityContext | undefined
  readonly #onClose: (() => void) | undefined
  #isClosed = false

  /** `onClose`: called once, by `close`. */
  constructor(gss: GssLibrary, threads: ExchangeThreads, onClose?: () => void) {
    this.#gss = gss
    this.#threads = threads
    this.#onClose = onClose
  }

  /** Once finished. */
  get context(): SecurityContext | undefined {
    return this.#finished
  }

  /** Rejects with SaslFailure where the other side's token is refused, and where Kerberos fails. */
  async step(run: (context: bigint) => Promise<Step>): Promise<Step> {
    let step: Step
    try {
      const context = this.#unfinished
      // A failed step has deleted its context.
      this.#unfinished = NO_CONTEXT
      step = await run(context)
    } catch (error) {
      throw error instanceof KerberosError ? new SaslFailure(error.message, error) : error
    }
    if (this.#isClosed) {
      this.#threads.steps.drop(step.context)
      throw new SaslFailure('the connection of the login has ended')
    }
    if (step.isDone) this.#finished = new SecurityContext(this.#gss, this.#threads.messages, step.context)
    else this.#unfinished = step.context
    return step
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#threads.steps.drop(this.#unfinished)
    this.#unfinished = NO_CONTEXT
    this.#finished?.close()
    this.#onClose?.()
  }
}
