import { type Call, OWN_CALL } from '../../../src/store/call.ts'

export interface Caller {
  readonly call: Call
  readonly hangUp: () => void
}

/** A client that is there until it hangs up. */
export function caller(more: Partial<Call> = {}): Caller {
  const controller = new AbortController()
  return {
    call: { ...OWN_CALL, signal: controller.signal, ...more },
    hangUp: () => controller.abort(),
  }
}
