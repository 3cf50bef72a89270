import type { Call } from '../call.ts'

/** The fields of a call that are those of all calls of a connection and user. */
export type CallerFields = Pick<Call, 'principal' | 'client' | 'address' | 'withTags' | 'isOwn'>

interface Caller extends CallerFields {
  readonly number: number
}

/** More users of one connection have no numbers. */
const CALLERS_OF_SIGNAL_MAX = 8

/** Numbers of the callers whose calls cross a port: by the signal of their connection, until that is aborted, or gone. */
export class PortCallers {
  readonly #bySignal = new WeakMap<AbortSignal, Caller[]>()
  readonly #collected: FinalizationRegistry<number>
  readonly #isNew: (number: number, fields: CallerFields) => void
  readonly #gone: (number: number) => void
  #last = 0

  /** `isNew`: called before a number is used. `gone`: called once it is not used any more. */
  constructor(isNew: (number: number, fields: CallerFields) => void, gone: (number: number) => void) {
    this.#isNew = isNew
    this.#gone = gone
    this.#collected = new FinalizationRegistry(gone)
  }

  /** Undefined for a call that has to cross by itself: without a signal, of a client that has hung up, or with a trace. */
  numberOf(call: Call): number | undefined {
    const { signal, trace } = call
    if (signal === undefined || signal.aborted || trace !== undefined) return undefined
    let callers = this.#bySignal.get(signal)
    if (callers === undefined) {
      callers = []
      this.#bySignal.set(signal, callers)
    }
    for (const caller of callers) if (isSame(caller, call)) return caller.number
    if (callers.length === CALLERS_OF_SIGNAL_MAX) return undefined
    return this.#add(callers, signal, call)
  }

  #add(callers: Caller[], signal: AbortSignal, call: Call): number {
    const { principal, client, address, withTags, isOwn } = call
    const fields = { principal, client, address, withTags, isOwn }
    const number = ++this.#last
    callers.push({ ...fields, number })
    this.#isNew(number, fields)
    const hungUp = (): void => {
      this.#collected.unregister(signal)
      this.#gone(number)
    }
    signal.addEventListener('abort', hungUp, { once: true })
    this.#collected.register(signal, number, signal)
    return number
  }
}

function isSame(caller: Caller, { principal, client, address, withTags, isOwn }: Call): boolean {
  return (
    caller.principal?.user === principal?.user &&
    caller.principal?.realUser === principal?.realUser &&
    caller.client === client &&
    caller.address === address &&
    caller.withTags === withTags &&
    caller.isOwn === isOwn
  )
}
